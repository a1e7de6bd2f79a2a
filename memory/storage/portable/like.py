"""The keyword leg without the keyword index: it compares texts with words by LIKE.

For a database whose keyword index is off. It finds words only in their written form and ranks by
the number of query words in a chunk.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, Final

from contracts import CandidateIndex, ChunkRow, KeywordQuery, QueryVector, Scope, Scored
from memory.storage.database import Database
from memory.storage.values import Parameters, Row

_BETWEEN: Final = "\0"
LONGEST_PATTERN: Final = 4_000
"""The most characters of a word or phrase compared; SQLite refuses patterns of 50,000 bytes."""

_STORED_SQL: Final = """
SELECT generation FROM spaces AS active WHERE state = 'active'
    AND EXISTS (SELECT 1 FROM spaces WHERE generation <> active.generation)
"""


class LikeIndex(ABC):
    """A `CandidateIndex` that finds words by reading texts and delegates the rest."""

    def __init__(self, database: Database, index: CandidateIndex) -> None:
        self._database = database
        self._index = index

    @abstractmethod
    def _held_sql(self, name: str) -> str:
        """Return SQL that counts the phrases of a parameter in a row of `chunks AS c`."""

    @abstractmethod
    def _phrases(self, name: str, patterns: Sequence[tuple[int, str]]) -> dict[str, Any]:
        """Return the parameters for it; each pattern has the number of its phrase."""

    @abstractmethod
    def _scope_sql(self, scope: Scope, generation: str | None) -> tuple[list[str], dict[str, Any]]:
        """Return conditions on `chunks AS c` and their parameters."""

    @abstractmethod
    def _read(self, sql: str, values: Parameters) -> list[Row]:
        """Return the rows of a statement of the backend."""

    def count_chunks(self) -> int:
        return self._index.count_chunks()

    def keyword_candidates(self, query: KeywordQuery, scope: Scope, *, limit: int) -> list[Scored]:
        """Return the chunks that hold most of the words, ties by id."""
        asked = _patterns((word,) for word in (*query.words, *query.stems, *query.prefixes))
        asked += _patterns(query.phrases, first=len(asked))
        needed, banned = _patterns(query.required), _patterns(query.excluded)
        if not (asked or needed):
            return []
        conditions, values = self._scope_sql(scope, self._generation())
        score = self._held_sql("asked") if asked else "1"
        if needed:
            count = len({number for number, _ in needed})
            conditions.append(f"{self._held_sql('needed')} = {count}")
        if banned:
            conditions.append(f"{self._held_sql('banned')} = 0")
        for name, patterns in (("asked", asked), ("needed", needed), ("banned", banned)):
            values |= self._phrases(name, patterns)
        where = f"WHERE {' AND '.join(conditions)}" if conditions else ""
        sql = f"""SELECT id, score FROM (SELECT c.id, {score} AS score FROM chunks AS c {where})
            AS found WHERE score > 0 ORDER BY score DESC, id LIMIT :limit"""
        rows = self._read(sql, {**values, "limit": limit})
        return [Scored(chunk_id, float(held)) for chunk_id, held in rows]

    def document_frequencies(
        self, words: Iterable[str], *, most: int | None = None
    ) -> dict[str, int]:
        conditions, values = self._scope_sql(Scope(), self._generation())
        where = " AND ".join([*conditions, f"{self._held_sql('asked')} > 0"])
        limit = "" if most is None else "LIMIT :most"
        sql = f"SELECT count(*) FROM (SELECT 1 FROM chunks AS c WHERE {where} {limit}) AS found"
        counts = {}
        for word in words:
            asked = self._phrases("asked", _patterns([(word,)]))
            ((counts[word],),) = self._read(sql, {**values, **asked, "most": most})
        return counts

    def words_in(self, chunk_ids: Sequence[int], words: Iterable[str]) -> dict[int, frozenset[str]]:
        held = self._held_sql("asked")
        sql = f"SELECT c.id FROM chunks AS c WHERE c.id IN (:ids) AND {held} > 0"
        found: dict[int, set[str]] = {chunk_id: set() for chunk_id in chunk_ids}
        for word in words:
            asked = self._phrases("asked", _patterns([(word,)]))
            for (chunk_id,) in self._read(sql, {**asked, "ids": list(chunk_ids)}):
                found[chunk_id].add(word)
        return {chunk_id: frozenset(one) for chunk_id, one in found.items()}

    def vector_candidates(self, vector: QueryVector, scope: Scope, *, limit: int) -> list[Scored]:
        return self._index.vector_candidates(vector, scope, limit=limit)

    def cosines(self, vector: QueryVector, chunk_ids: Sequence[int]) -> dict[int, float]:
        return self._index.cosines(vector, chunk_ids)

    def chunk_rows(self, chunk_ids: Sequence[int]) -> dict[int, ChunkRow]:
        return self._index.chunk_rows(chunk_ids)

    def conversation_rows(self, chunk_ids: Sequence[int]) -> dict[int, ChunkRow]:
        return self._index.conversation_rows(chunk_ids)

    def defining(self, names: Sequence[str], scope: Scope, *, limit: int) -> list[int]:
        return self._index.defining(names, scope, limit=limit)

    def embeddings(self, chunk_ids: Sequence[int]) -> dict[int, Sequence[float]]:
        return self._index.embeddings(chunk_ids)

    def _generation(self) -> str | None:
        """Return the active generation while there are chunks of another one."""
        rows = self._database.read_once(_STORED_SQL)
        return str(rows[0][0]) if rows else None


def _patterns(phrases: Iterable[Sequence[str]], *, first: int = 0) -> list[tuple[int, str]]:
    """Return patterns with the number of their phrase: LIKE ignores case in ASCII only.

    Any one character may separate the words of a phrase.
    """
    found = []
    for number, words in enumerate(phrases, start=first):
        plain = _BETWEEN.join(filter(None, words))[:LONGEST_PATTERN]
        cases = [plain]
        if not plain.isascii():
            cases += [plain.lower(), plain.title(), plain.upper()]
        found += [(number, f"%{_escaped(case)}%") for case in dict.fromkeys(cases) if case]
    return found


def _escaped(text: str) -> str:
    """Escape the wildcards of a text; a NUL would end the pattern."""
    plain = text.encode("utf-8", "replace").decode().replace("\\", "\\\\")
    return plain.replace("%", "\\%").replace("_", "\\_").replace(_BETWEEN, "_")
