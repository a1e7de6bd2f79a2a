"""The keyword leg without the keyword index: it compares texts with words by LIKE.

For a database whose keyword index is off. It finds words only in their written form and ranks by
the number of query words in a chunk.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final

from contracts import CandidateIndex, ChunkRow, KeywordQuery, QueryVector, Scope, Scored
from memory.storage.database import Database
from memory.storage.sqlite.scope import scope_sql
from memory.storage.values import Parameters

_TEXT: Final = (
    "(c.heading || char(10) || c.text || char(10) || coalesce(c.metadata ->> 'speaker', ''))"
)
_HELD: Final = """(
    SELECT count(DISTINCT p.value ->> 0) FROM json_each(:{name}) AS p
    WHERE {text} LIKE (p.value ->> 1) ESCAPE '\\'
)"""
_BETWEEN: Final = "\0"
LONGEST_PATTERN: Final = 4_000
"""The most characters of a word or phrase compared; SQLite refuses patterns of 50,000 bytes."""

_STORED_SQL: Final = """
SELECT generation FROM spaces AS active WHERE state = 'active'
    AND EXISTS (SELECT 1 FROM spaces WHERE generation <> active.generation)
"""


class LikeIndex:
    """A `CandidateIndex` that finds words by reading texts and delegates the rest."""

    def __init__(self, database: Database, index: CandidateIndex) -> None:
        self._database = database
        self._index = index

    def count_chunks(self) -> int:
        return self._index.count_chunks()

    def keyword_candidates(self, query: KeywordQuery, scope: Scope, *, limit: int) -> list[Scored]:
        """Return the chunks that hold most of the words, ties by id."""
        asked = _patterns((word,) for word in (*query.words, *query.stems, *query.prefixes))
        asked += _patterns(query.phrases, first=len(asked))
        needed, banned = _patterns(query.required), _patterns(query.excluded)
        if not (asked or needed):
            return []
        conditions, parameters = scope_sql(scope, self._generation())
        values: dict[str, Any] = {**parameters, "limit": limit}
        score = "1"
        if asked:
            score = _held("asked")
            conditions.append("score > 0")
            values["asked"] = json.dumps(asked)
        if needed:
            conditions.append(f"{_held('needed')} = {len({number for number, _ in needed})}")
            values["needed"] = json.dumps(needed)
        if banned:
            conditions.append(f"{_held('banned')} = 0")
            values["banned"] = json.dumps(banned)
        sql = f"""SELECT id, score FROM (
            SELECT c.id, {score} AS score FROM chunks AS c WHERE {" AND ".join(conditions)}
        ) ORDER BY score DESC, id LIMIT :limit"""
        return [Scored(chunk_id, float(held)) for chunk_id, held in self._read(sql, values)]

    def document_frequencies(
        self, words: Iterable[str], *, most: int | None = None
    ) -> dict[str, int]:
        found = {}
        for word in words:
            conditions, values = scope_sql(Scope(), self._generation())
            conditions.append(f"{_held('asked')} > 0")
            limit = -1 if most is None else most
            sql = f"""SELECT count(*) FROM (
                SELECT 1 FROM chunks AS c WHERE {" AND ".join(conditions)} LIMIT :most)"""
            asked = json.dumps(_patterns([(word,)]))
            ((found[word],),) = self._read(sql, {**values, "asked": asked, "most": limit})
        return found

    def words_in(self, chunk_ids: Sequence[int], words: Iterable[str]) -> dict[int, frozenset[str]]:
        sql = f"SELECT c.id FROM chunks AS c WHERE c.id IN (:ids) AND {_held('asked')} > 0"
        found: dict[int, set[str]] = {chunk_id: set() for chunk_id in chunk_ids}
        for word in words:
            asked = {"ids": list(chunk_ids), "asked": json.dumps(_patterns([(word,)]))}
            for (chunk_id,) in self._read(sql, asked):
                found[chunk_id].add(word)
        return {chunk_id: frozenset(held) for chunk_id, held in found.items()}

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

    def _read(self, sql: str, values: Parameters) -> list[tuple[Any, ...]]:
        return self._database.read(sql, values)


def _held(name: str) -> str:
    """Return SQL that counts the words of a parameter in a chunk."""
    return _HELD.format(name=name, text=_TEXT)


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
