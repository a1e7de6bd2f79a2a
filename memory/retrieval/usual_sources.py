"""The chunks that answer a search: of the usual kinds, where it names none, and not hidden yet.

Episodes repeat what their turns say. In a mixed search of 1,536 questions about ten conversations
they took places from the turns with the evidence: recall@10 of turns .755 without them, .731 with
them, nDCG@10 .613 and .568. So they answer when they are asked for.

A record that is archived or expired is hidden from a moment on that its chunk holds. The moment is
compared with the time of the search, so nothing has to run for it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from contracts import CandidateIndex, ChunkRow, KeywordQuery, QueryVector, Scope, Scored
from memory.storage import Database, utc_text

ON_REQUEST: Final = ("episode",)
"""The kinds that answer only a search that names them."""

_SPARE: Final = 150
_ANY_SQL: Final = "SELECT 1 FROM episodic_memory LIMIT 1"
_HIDDEN_SQL: Final = """SELECT count(*)
    FROM (SELECT 1 FROM chunks WHERE hidden_from <= :now LIMIT :most) AS hidden"""
_OF_KINDS: Final = "source IN (:kinds)"
_HIDDEN: Final = "hidden_from <= :now"


def usual_candidates(
    index: CandidateIndex,
    scope: Scope,
    database: Database,
    *,
    now: datetime | None = None,
    archived: bool = False,
) -> CandidateIndex:
    """Return the index without those kinds, if the scope names no kind and there are any; and
    without records that are hidden at that time (None: the present), unless `archived`.

    Paths and patterns choose among files already, which are never hidden.
    """
    if scope.paths or scope.globs:
        return index
    left_out, spare = list[str](), 0
    values = {"kinds": list(ON_REQUEST), "now": utc_text(now or datetime.now(UTC))}
    if not archived:
        ((spare,),) = database.read(_HIDDEN_SQL, {"now": values["now"], "most": _SPARE})
        left_out += [_HIDDEN] * bool(spare)
    if not scope.sources and database.read(_ANY_SQL):
        left_out.append(_OF_KINDS)
        spare = _SPARE
    if not left_out:
        return index
    return UsualCandidates(index, database, Condition(" OR ".join(left_out), values), spare=spare)


class Condition(NamedTuple):
    """An SQL condition on the columns of chunks, and its parameters."""

    sql: str
    values: Mapping[str, Any]


class UsualCandidates:
    """A `CandidateIndex` without the chunks that meet a condition.

    It asks for `spare` more candidates and leaves those out, until there are enough. A narrowed
    scope would keep the index from its quick ways: at 107,000 chunks, 7,400 of them episodes, it
    takes 28 ms more of processor time, this 15.
    """

    def __init__(
        self, index: CandidateIndex, database: Database, left_out: Condition, *, spare: int
    ) -> None:
        self._index = index
        self._database = database
        self._sql = f"SELECT id FROM chunks WHERE id IN (:ids) AND ({left_out.sql})"
        self._values = left_out.values
        self._spare = spare

    def count_chunks(self) -> int:
        return self._index.count_chunks()

    def document_frequencies(
        self, words: Iterable[str], *, most: int | None = None
    ) -> dict[str, int]:
        return self._index.document_frequencies(words, most=most)

    def words_in(self, chunk_id: int, words: Iterable[str]) -> frozenset[str]:
        return self._index.words_in(chunk_id, words)

    def keyword_candidates(self, query: KeywordQuery, scope: Scope, *, limit: int) -> list[Scored]:
        return self._usual(
            lambda more: self._index.keyword_candidates(query, scope, limit=more), limit
        )

    def vector_candidates(self, vector: QueryVector, scope: Scope, *, limit: int) -> list[Scored]:
        return self._usual(
            lambda more: self._index.vector_candidates(vector, scope, limit=more), limit
        )

    def cosines(self, vector: QueryVector, chunk_ids: Sequence[int]) -> dict[int, float]:
        return self._index.cosines(vector, chunk_ids)

    def chunk_rows(self, chunk_ids: Sequence[int]) -> dict[int, ChunkRow]:
        return self._index.chunk_rows(chunk_ids)

    def conversation_rows(self, chunk_ids: Sequence[int]) -> dict[int, ChunkRow]:
        return self._index.conversation_rows(chunk_ids)

    def embeddings(self, chunk_ids: Sequence[int]) -> dict[int, Sequence[float]]:
        return self._index.embeddings(chunk_ids)

    def _usual(self, best: Callable[[int], list[Scored]], limit: int) -> list[Scored]:
        asked = limit + self._spare
        while True:
            found = best(asked)
            ids = [each.chunk_id for each in found]
            rows = self._database.read(self._sql, {**self._values, "ids": ids})
            left_out = {row[0] for row in rows}
            usual = [each for each in found if each.chunk_id not in left_out]
            if len(usual) >= limit or len(found) < asked:
                return usual[:limit]
            asked *= 2
