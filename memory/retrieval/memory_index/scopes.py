"""The chunks within a scope, cached while nothing changes; for servers, in numpy."""

import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from contracts import Scope
from memory.storage import Space, Storage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    ChunkIds: TypeAlias = NDArray[np.int64]

MOST_SCOPES = 8
"""Scopes that are kept, last used last."""

MOST_BYTES = 32 << 20
"""Most bytes of the ids of those: eight of them, each of half a million chunks."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """The ids of a scope, and the change number and the space for which they are valid."""

    moment: tuple[int, Space | None]
    ids: "ChunkIds | None"

    @property
    def size_bytes(self) -> int:
        return 0 if self.ids is None else self.ids.nbytes


class ScopeIds:
    """The ids of the chunks within a scope. Safe to share between threads."""

    def __init__(self, storage: Storage, *, most_bytes: int = MOST_BYTES) -> None:
        self._storage = storage
        self._most_bytes = most_bytes
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, _Kept] = OrderedDict()

    def of(self, scope: Scope) -> "ChunkIds | None":
        """Return the ids in rising order, as of this thread's snapshot; None when all chunks may
        answer.
        """
        moment = (self._storage.sequence(), self._storage.active_space())
        spelled = repr(scope)  # which may hold lists, when it was made by hand
        with self._lock:
            known = self._kept.get(spelled)
            if known is not None and known.moment == moment:
                self._kept.move_to_end(spelled)
                return known.ids
        found = self._read(scope)
        with self._lock:
            self._kept[spelled] = _Kept(moment, found)
            self._kept.move_to_end(spelled)
            while len(self._kept) > MOST_SCOPES or self.size_bytes() > self._most_bytes:
                self._kept.popitem(last=False)
        return found

    def size_bytes(self) -> int:
        """Return the bytes that the kept ids take."""
        return sum(kept.size_bytes for kept in self._kept.values())

    def _read(self, scope: Scope) -> "ChunkIds | None":
        import numpy as np

        numbers = self._storage.chunk_ids(scope)
        if numbers is None:
            return None
        return np.sort(np.fromstring(numbers, dtype=np.int64, sep=" "))
