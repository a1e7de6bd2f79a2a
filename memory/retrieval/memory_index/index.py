"""The in-memory index of a long-lived process: words and vectors, with the storage behind them."""

from collections.abc import Callable, Iterable, Sequence

from contracts import ChunkRow, KeywordQuery, QueryVector, Scope, Scored
from memory.retrieval.memory_index.change_log_cache import available_bytes
from memory.retrieval.memory_index.keywords import Keywords
from memory.retrieval.memory_index.scopes import ScopeIds
from memory.retrieval.memory_index.vectors import Vectors
from memory.storage import Storage

FEWEST = 5_000
"""Chunks or vectors; below this SQLite takes a millisecond or two as well."""

COUNTED_EVERY_S = 10.0
"""Interval between counts of vectors against the database, which take longer than a query."""


class MemoryIndex:
    """A `CandidateIndex` that answers from memory what it can, and asks the storage for the rest.

    Safe to share between threads. Do not query it within a transaction.
    """

    def __init__(
        self,
        storage: Storage,
        *,
        fewest: int = FEWEST,
        most_bytes: int | None = None,
        available: Callable[[], int | None] = available_bytes,
        counted_every_s: float = COUNTED_EVERY_S,
    ) -> None:
        self._storage = storage
        scopes = ScopeIds(storage)
        self.keywords = Keywords(
            storage, scopes, fewest=fewest, most_bytes=most_bytes, available=available
        )
        self.vectors = Vectors(
            storage, scopes, fewest=fewest, available=available, counted_every_s=counted_every_s
        )

    def start(self) -> None:
        """Begin to build in separate threads."""
        self.keywords.start()
        self.vectors.start()

    def wait(self) -> None:
        """Return once nothing is being built."""
        self.keywords.wait()
        self.vectors.wait()

    def close(self) -> None:
        """Cancel running builds and use SQLite from now on."""
        self.keywords.close()
        self.vectors.close()

    def count_chunks(self) -> int:
        return self._storage.count_chunks()

    def document_frequencies(
        self, words: Iterable[str], *, most: int | None = None
    ) -> dict[str, int]:
        asked = list(words)
        with self._storage.database.snapshot():
            found = None if most is None else self.keywords.counted(asked, most=most)
            if found is None:
                return self._storage.document_frequencies(asked, most=most)
            return found

    def words_in(self, chunk_ids: Sequence[int], words: Iterable[str]) -> dict[int, frozenset[str]]:
        asked = list(words)
        with self._storage.database.snapshot():
            found = self.keywords.words_in(chunk_ids, asked)
            return self._storage.words_in(chunk_ids, asked) if found is None else found

    def keyword_candidates(self, query: KeywordQuery, scope: Scope, *, limit: int) -> list[Scored]:
        with self._storage.database.snapshot():
            found = self.keywords.best(query, scope, limit=limit)
            if found is None:
                return self._storage.keyword_candidates(query, scope, limit=limit)
            return found

    def vector_candidates(self, vector: QueryVector, scope: Scope, *, limit: int) -> list[Scored]:
        with self._storage.database.snapshot():
            found = self.vectors.nearest(vector, scope, limit=limit)
            if found is None:
                return self._storage.vector_candidates(vector, scope, limit=limit)
            return found

    def cosines(self, vector: QueryVector, chunk_ids: Sequence[int]) -> dict[int, float]:
        with self._storage.database.snapshot():
            found = self.vectors.cosines(vector, chunk_ids)
            return self._storage.cosines(vector, chunk_ids) if found is None else found

    def chunk_rows(self, chunk_ids: Sequence[int]) -> dict[int, ChunkRow]:
        return self._storage.chunk_rows(chunk_ids)

    def conversation_rows(self, chunk_ids: Sequence[int]) -> dict[int, ChunkRow]:
        return self._storage.conversation_rows(chunk_ids)

    def defining(self, names: Sequence[str], scope: Scope, *, limit: int) -> list[int]:
        return self._storage.defining(names, scope, limit=limit)

    def embeddings(self, chunk_ids: Sequence[int]) -> dict[int, Sequence[float]]:
        return self._storage.embeddings(chunk_ids)
