"""The protocol through which search reads any storage backend."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from contracts.values import ChunkRow, KeywordQuery, QueryVector, Scope, Scored


class CandidateIndex(Protocol):
    """Ranked access to the chunks of one database.

    Chunks are those of the active generation; frequencies may count others while those are there.
    Results are ordered by falling score, ties by rising chunk id.
    """

    def count_chunks(self) -> int:
        """The number of chunks in all scopes."""

    def document_frequencies(
        self, words: Iterable[str], *, most: int | None = None
    ) -> dict[str, int]:
        """The number of chunks, up to `most`, that hold each word as the index tokenises it."""

    def words_in(self, chunk_ids: Sequence[int], words: Iterable[str]) -> dict[int, frozenset[str]]:
        """Those of `words` that each of these chunks holds, after the index's own tokenising."""

    def keyword_candidates(self, query: KeywordQuery, scope: Scope, *, limit: int) -> list[Scored]:
        """The best `limit` chunks by BM25 (higher is better, always positive)."""

    def vector_candidates(self, vector: QueryVector, scope: Scope, *, limit: int) -> list[Scored]:
        """The best `limit` chunks by cosine in the active space, in [-1, 1]."""

    def cosines(self, vector: QueryVector, chunk_ids: Sequence[int]) -> dict[int, float]:
        """The cosine of each of these chunks that has a vector in the active space."""

    def chunk_rows(self, chunk_ids: Sequence[int]) -> dict[int, ChunkRow]:
        """The stored chunks, by id; those deleted meanwhile are missing."""

    def conversation_rows(self, chunk_ids: Sequence[int]) -> dict[int, ChunkRow]:
        """Those of these chunks that are turns or memories; quick, and none, without any turn."""

    def defining(self, names: Sequence[str], scope: Scope, *, limit: int) -> list[int]:
        """Up to `limit` chunks with a definition whose last name is that of one of these dotted
        names, in any case; those that have most of such a name first.
        """

    def embeddings(self, chunk_ids: Sequence[int]) -> dict[int, Sequence[float]]:
        """The vector of unit length of each of these chunks that has one in the active space."""
