"""Vector queries answered from memory: the codes of the active space in FAISS."""

import os
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import ref

from contracts import QueryVector, Scope, Scored
from contracts.named_tuple import NamedTuple
from memory.retrieval.memory_index.change_log_cache import ChangeLogCache
from memory.retrieval.memory_index.scopes import ScopeIds
from memory.storage import Space, Storage
from memory.storage.vectors import quantised, refined
from memory.values.status_reports import VectorIndexStatus
from search.in_memory.vector_index import VectorIndex
from search.in_memory.vector_index import Vectors as FoundVectors

if TYPE_CHECKING:
    from search.in_memory.id_set import IdSet

SCANNED_ASIDE = 4
"""A scan in another thread saves time from so many times the fewest vectors of an index."""


@dataclass(slots=True, weakref_slot=True)
class HeldVectors:
    """The index of a space, and the time of its last count against the database.

    `left_out` is the number of vectors there that are damaged: no search finds them.
    """

    index: VectorIndex
    key: Space
    sequence: int
    counted_at: float
    left_out: int


class _Scan(NamedTuple):
    """A scan in another thread: its question, the state of the index, and the ids it finds."""

    vector: QueryVector
    scope: Scope
    limit: int
    held: "ref[HeldVectors]"  # a search that fails leaves its scan behind
    sequence: int
    ids: "Future[list[int]]"

    def is_for(self, vector: QueryVector, scope: Scope, limit: int) -> bool:
        """Return whether this is its question."""
        return vector is self.vector and (scope, limit) == (self.scope, self.limit)

    def is_of(self, held: HeldVectors) -> bool:
        """Return whether the index is in the same state."""
        return held is self.held() and held.sequence == self.sequence


class Vectors(ChangeLogCache[HeldVectors]):
    """The vectors of the active space, kept up to date with the database."""

    def __init__(
        self,
        storage: Storage,
        scopes: ScopeIds,
        *,
        fewest: int,
        available: Callable[[], int | None],
        counted_every_s: float,
    ) -> None:
        super().__init__(storage, available=available)
        self._scopes = scopes
        self._fewest = fewest
        self._counted_every_s = counted_every_s
        self._scanner, self._scanner_of = ThreadPoolExecutor(1, "faiss"), os.getpid()
        self._own = threading.local()

    def status(self) -> VectorIndexStatus:
        """Return which index answers vector queries, and why it is not FAISS."""
        with self.locked() as (held, reason):
            if held is not None:
                return VectorIndexStatus("faiss", len(held.index), None)
        return VectorIndexStatus(self._storage.engine, self._storage.count_vectors(), reason)

    def expect(self, vector: QueryVector, scope: Scope, *, limit: int) -> None:
        """Begin with what `nearest` will be asked next by this thread, if that saves time."""
        self._own.scan = None
        with self.in_step() as held:
            if held is None or len(vector) != held.key.dimensions:
                return
            among = self._scopes.of(scope)
            if len(held.index if among is None else among) < SCANNED_ASIDE * self._fewest:
                return
            sequence, wanted = held.sequence, refined(limit)
            if self._scanner_of != os.getpid():  # a forked process has none of the threads
                self._scanner, self._scanner_of = ThreadPoolExecutor(1, "faiss"), os.getpid()
            ids = self._scanner.submit(self._scan, held, sequence, vector, wanted, among)
        self._own.scan = _Scan(vector, scope, limit, ref(held), sequence, ids)

    def nearest(self, vector: QueryVector, scope: Scope, *, limit: int) -> list[Scored] | None:
        """Return the nearest chunks by cosine, ties by id; None when SQLite has to answer."""
        wanted = refined(limit)
        scan = self._expected(vector, scope, limit)
        with self.in_step() as held:
            if held is None or len(vector) != held.key.dimensions:
                return None
            among = self._scopes.of(scope)
            if among is not None and len(among) < self._fewest:
                return None  # a scan of so few is as quick
            if scan is not None and scan.is_of(held):
                ids = scan.ids.result()
            else:
                ids = held.index.search(quantised(vector), wanted, among=among)
            found = held.index.vectors(ids)
        best = sorted([(-score, chunk_id) for chunk_id, score in _cosines(vector, found).items()])
        if len(best) == wanted and best[limit - 1][0] == best[-1][0]:
            return None  # equal chunks may go on beyond those that were found
        return [Scored(chunk_id, -negative) for negative, chunk_id in best[:limit]]

    def _expected(self, vector: QueryVector, scope: Scope, limit: int) -> _Scan | None:
        """Return the scan for a question that this thread expected, once it has ended."""
        scan: _Scan | None = getattr(self._own, "scan", None)
        self._own.scan = None
        if scan is None or not scan.is_for(vector, scope, limit):
            return None
        scan.ids.exception()  # returns when it has ended
        return scan

    def _scan(
        self,
        held: HeldVectors,
        sequence: int,
        vector: QueryVector,
        wanted: int,
        among: "IdSet | None",
    ) -> list[int]:
        """Return the nearest chunks in that state of the index; none if it has changed since."""
        with self._lock:
            if held is not self._held or held.sequence != sequence:
                return []
            return held.index.search(quantised(vector), wanted, among=among)

    def cosines(self, vector: QueryVector, chunk_ids: Sequence[int]) -> dict[int, float] | None:
        """Return the cosine of each of these chunks that has a vector; None when the storage has
        to answer.
        """
        with self.in_step() as held:
            if held is None or len(vector) != held.key.dimensions:
                return None
            found = held.index.vectors(chunk_ids)
        return _cosines(vector, found)

    def close(self) -> None:
        super().close()
        self._scanner.shutdown()

    def _key(self) -> Space | None:
        return self._storage.active_space()

    def _apply(self, held: HeldVectors, changed: frozenset[int]) -> bool:
        batches = list(self._storage.codes(held.key, changed))
        held.index.remove(changed)
        for batch in batches:
            held.index.add(*batch)
        if time.monotonic() - held.counted_at >= self._counted_every_s:
            if len(held.index) + held.left_out != self._storage.count_vectors():
                return False
            held.counted_at = time.monotonic()
        return True

    def _read(self, sequence: int, key: object) -> HeldVectors | str:
        count = self._storage.count_vectors()
        if not isinstance(key, Space) or count < self._fewest:
            return f"it is as quick for fewer than {self._fewest:,} vectors"
        too_large = self.too_large("FAISS", VectorIndex.needed_bytes(count, key.dimensions))
        if too_large:
            return too_large
        index = VectorIndex(key.dimensions)
        for batch in self._storage.codes(key):
            if stopping := self._is_stopping():
                return stopping
            index.add(*batch)
        left_out = count - len(index)
        if left_out and left_out != self._storage.spaces().malformed(key):
            return f"the database has {len(index):,} codes for {count:,} vectors"
        return HeldVectors(index, key, sequence, time.monotonic(), left_out)


def _cosines(vector: QueryVector, found: FoundVectors) -> dict[int, float]:
    from memory.storage.portable import vector_steps  # loads numpy

    ids, codes, rests, large = found
    steps = vector_steps.joined(codes, rests, large)
    return dict(zip(ids, vector_steps.cosines(vector, steps), strict=True))
