"""Vector queries answered from memory: the codes of the active space in FAISS."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from contracts import QueryVector, Scope, Scored
from memory.retrieval.memory_index.change_log_cache import ChangeLogCache
from memory.retrieval.memory_index.scopes import ScopeIds
from memory.storage import Space, Storage
from memory.storage.vectors import quantised, refined
from memory.values.status_reports import VectorIndexStatus
from search.in_memory.vector_index import VectorIndex
from search.in_memory.vector_index import Vectors as FoundVectors

SHORTENED = 10
"""Short codes save more than they cost from so many times the fewest vectors of an index."""


@dataclass(slots=True)
class HeldVectors:
    """The index of a space, and the time of its last count against the database.

    `left_out` is the number of vectors there that are damaged: no search finds them.
    """

    index: VectorIndex
    key: Space
    sequence: int
    counted_at: float
    left_out: int


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

    def status(self) -> VectorIndexStatus:
        """Return which index answers vector queries, and why it is not FAISS."""
        with self.locked() as (held, reason):
            if held is not None:
                return VectorIndexStatus("faiss", len(held.index), None)
        return VectorIndexStatus(self._storage.engine, self._storage.count_vectors(), reason)

    def nearest(self, vector: QueryVector, scope: Scope, *, limit: int) -> list[Scored] | None:
        """Return the nearest chunks by cosine, ties by id; None when SQLite has to answer."""
        wanted = refined(limit)
        with self.in_step() as held:
            if held is None or len(vector) != held.key.dimensions:
                return None
            among = self._scopes.of(scope)
            if among is not None and len(among) < self._fewest:
                return None  # a scan of so few is as quick
            found = held.index.at(held.index.search(quantised(vector), wanted, among=among))
        ids, cosines = _best(vector, found)
        if len(ids) == wanted and cosines[limit - 1] == cosines[-1]:
            return None  # equal chunks may go on beyond those that were found
        return list(map(Scored, ids[:limit], cosines[:limit]))

    def cosines(self, vector: QueryVector, chunk_ids: Sequence[int]) -> dict[int, float] | None:
        """Return the cosine of each of these chunks that has a vector; None when the storage has
        to answer.
        """
        with self.in_step() as held:
            if held is None or len(vector) != held.key.dimensions:
                return None
            found = held.index.vectors(chunk_ids)
        return dict(zip(found.ids, _cosines(vector, found), strict=True))

    def _key(self) -> Space | None:
        return self._storage.active_space()

    def _apply(self, held: HeldVectors, changed: frozenset[int]) -> bool:
        if held.index.is_worn:
            return False
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
        if len(index) >= SHORTENED * self._fewest:
            index.shorten()
        return HeldVectors(index, key, sequence, time.monotonic(), left_out)


def _best(vector: QueryVector, found: FoundVectors) -> tuple[list[int], list[float]]:
    """Return the ids and the cosines of vectors, the largest first, ties by id."""
    import numpy as np

    ids, cosines = np.asarray(found.ids, dtype=np.int64), np.asarray(_cosines(vector, found))
    order = np.lexsort((ids, -cosines))
    return ids[order].tolist(), cosines[order].tolist()


def _cosines(vector: QueryVector, found: FoundVectors) -> list[float]:
    from memory.storage.portable import vector_steps  # loads numpy

    steps = vector_steps.joined(found.codes, found.rests, found.large)
    return vector_steps.cosines(vector, steps)
