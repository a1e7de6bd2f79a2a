"""Statistics of words and lengths, read from the postings for ranking in memory."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from contracts import KeywordQuery
from memory.storage.keyword_statistics import Term, Terms
from memory.storage.portable.query_terms import query_terms
from memory.storage.postgres.database import PostgresDatabase
from memory.storage.postgres.keywords.entries import BEYOND, tokens_of
from memory.storage.postgres.writing.posting_blocks import COLUMNS, LIVE, places_sql

LENGTHS_AT_ONCE: Final = 10_000

_LENGTHS_SQL: Final = """
SELECT chunk_id, (SELECT sum(number) FROM unnest(counts) AS number) FROM keyword_entries
WHERE chunk_id > :after {within} ORDER BY chunk_id LIMIT :limit
"""
_FREQUENT_SQL: Final = f"""
SELECT sum({LIVE}), term FROM posting_blocks AS b
GROUP BY term HAVING sum(size) >= :least AND sum({LIVE}) >= :least
"""
_PLACES_SQL: Final = f"""
SELECT string_agg((e.chunk_id * {COLUMNS} + (place & 3))::text, ' ')
FROM ({{places}}) AS two JOIN keyword_entries AS e USING (entry_id) {{among}}
"""
_WHOLE: Final = "b.term = :token"
_BEGINNING: Final = "b.term >= :token AND b.term < :token || :beyond"
_NEAR: Final = """ AND EXISTS (
    SELECT 1 FROM keyword_entries AS e
    WHERE e.chunk_id IN (:ids) AND e.entry_id BETWEEN b.first AND b.last
)"""


class PostgresStatistics:
    """`KeywordStatistics` of the postings; see there for what each method means."""

    def __init__(self, database: PostgresDatabase) -> None:
        self._database = database

    def terms(self, query: KeywordQuery) -> Terms | None:
        return query_terms(query, tokens_of)

    def totals(self) -> tuple[int, int]:
        ((entries, words),) = self._database.read("SELECT entries, words FROM keyword_totals")
        return entries, words

    def frequent(self, *, least: int) -> Iterator[tuple[int, str]]:
        rows = self._database.read(_FREQUENT_SQL, {"least": least})
        return iter([(int(held), term) for held, term in rows])

    def lengths(self, ids: Iterable[int] | None = None) -> Iterator[Mapping[int, int]]:
        sql = _LENGTHS_SQL.format(within="" if ids is None else "AND chunk_id IN (:ids)")
        wanted = [] if ids is None else list(ids)
        after = -1
        while rows := self._database.read(
            sql, {"after": after, "ids": wanted, "limit": LENGTHS_AT_ONCE}
        ):
            yield dict(rows)
            after = rows[-1][0]

    def places(self, term: Term, ids: Iterable[int] | None = None) -> str:
        values: dict[str, Any] = {"token": term.token, "beyond": BEYOND}
        if ids is not None:
            values |= {"ids": list(ids)}
        near = "" if ids is None else _NEAR
        word = _BEGINNING if term.is_prefix else _WHOLE
        sql = _PLACES_SQL.format(
            places=places_sql("b.term", f"posting_blocks AS b WHERE {word}{near}"),
            among="" if ids is None else "WHERE e.chunk_id IN (:ids)",
        )
        return str(self._database.read(sql, values)[0][0] or "")
