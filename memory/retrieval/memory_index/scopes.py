"""The chunks within a scope, kept in step with the database; for servers, in numpy."""

import re
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from contracts import Scope
from contracts.named_tuple import NamedTuple
from memory.storage import Space, Storage

if TYPE_CHECKING:
    from search.in_memory.id_set import IdSet

MOST_SCOPES = 8
"""Scopes that are kept, last used last."""

MOST_BYTES = 32 << 20
"""Most bytes that those take, a byte for each id of a chunk."""

MOST_CHANGES = 10_000
"""Chunks that changed, above which a scope is read again: that takes as long."""


_WILDCARD = re.compile(r"[*?]")


class _Paths(NamedTuple):
    """The paths of all files, one a line, as of a change number."""

    sequence: int
    lines: str

    def may_match(self, pattern: str) -> bool:
        """Return whether any path holds the longest plain part of a shell pattern."""
        plain = max(_WILDCARD.split(pattern.partition("[")[0]), key=len)
        return not plain.isascii() or plain in self.lines


@dataclass(frozen=True, slots=True)
class _Kept:
    """The chunks of a scope, and the change number and the space for which they are valid."""

    sequence: int
    space: Space | None
    ids: "IdSet | None"

    @property
    def size_bytes(self) -> int:
        return 0 if self.ids is None else self.ids.size_bytes


class ScopeIds:
    """The ids of the chunks within a scope. Safe to share between threads."""

    def __init__(self, storage: Storage, *, most_bytes: int = MOST_BYTES) -> None:
        self._storage = storage
        self._most_bytes = most_bytes
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._paths: _Paths | None = None

    def of(self, scope: Scope) -> "IdSet | None":
        """Return the ids as of this thread's snapshot; None when all chunks may answer."""
        sequence, space = self._storage.sequence(), self._storage.active_space()
        spelled = repr(scope)  # which may hold lists, when it was made by hand
        with self._lock:
            known = self._kept.get(spelled)
            if known is not None and (known.sequence, known.space) == (sequence, space):
                self._kept.move_to_end(spelled)
                return known.ids
        if scope.globs and not scope.paths and not self._may_match(scope.globs, sequence):
            return self._none()
        found = _Kept(sequence, space, self._read(scope, known, sequence, space))
        if known is None or known.sequence <= sequence:
            self._keep(spelled, found)
        return found.ids

    def _may_match(self, patterns: Sequence[str], sequence: int) -> bool:
        """Return whether any file may have such a path. Most patterns are of a module that a
        question may mean: to look through the rows of all files takes ten times as long.
        """
        paths = self._paths
        if paths is None or paths.sequence != sequence:
            rows = self._storage.database.read("SELECT path FROM files")
            paths = self._paths = _Paths(sequence, "\n".join([row[0] for row in rows]))
        return any(map(paths.may_match, patterns))

    def _none(self) -> "IdSet":
        import numpy as np

        from search.in_memory.id_set import IdSet

        return IdSet(np.empty(0, dtype=np.int64))

    def size_bytes(self) -> int:
        """Return the bytes that the kept scopes take."""
        return sum(kept.size_bytes for kept in self._kept.values())

    def _keep(self, spelled: str, found: _Kept) -> None:
        with self._lock:
            self._kept[spelled] = found
            self._kept.move_to_end(spelled)
            while len(self._kept) > MOST_SCOPES or self.size_bytes() > self._most_bytes:
                self._kept.popitem(last=False)

    def _read(
        self, scope: Scope, known: _Kept | None, sequence: int, space: Space | None
    ) -> "IdSet | None":
        """Return the ids as of now, from those known before and the change log if it tells all.

        A chunk of another generation than the active one may be among them: it has no entry in an
        index in memory, or the log names it once it gets one.
        """
        import numpy as np

        from search.in_memory.id_set import IdSet

        changed = None
        if known is not None and known.space == space and known.sequence < sequence:
            changed = None if known.ids is None else self._storage.changed_since(known.sequence)
            if changed is not None and len(changed) > MOST_CHANGES:
                changed = None
        numbers = self._storage.chunk_ids(scope, among=changed)
        if numbers is None:
            return None
        ids = np.fromstring(numbers, dtype=np.int64, sep=" ")
        if changed is None or known is None or known.ids is None:
            return IdSet(ids)
        return known.ids.changed(changed, ids)
