"""Statistics of words and lengths, read from FTS5 for ranking in memory.

Places come from `fts5vocab`, lengths and totals from the tables that FTS5 documents in its source
and that its own `bm25()` reads.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from contracts import KeywordQuery
from memory.storage.keyword_statistics import Term, Terms
from memory.storage.portable.query_terms import query_terms
from memory.storage.portable.tokens import tokenizer
from memory.storage.sqlite.database import SqliteDatabase
from memory.storage.sqlite.keywords.fts import VOCABULARY_SQL, numbers, quoted, totals

COLUMNS = ("text", "title", "neighbours", "identifiers")

LENGTHS_AT_ONCE = 10_000

_PLACES_TABLE_SQL = """
CREATE VIRTUAL TABLE IF NOT EXISTS temp.chunks_places
USING fts5vocab(main, chunks_fts, instance)
"""
_NUMBER = " ".join(f"WHEN '{name}' THEN {number}" for number, name in enumerate(COLUMNS))
_PLACES_SQL = f"""
SELECT group_concat(doc * {len(COLUMNS)} + CASE col {_NUMBER} END, ' ') FROM temp.chunks_places
WHERE term """
_WHOLE = "= :token"
_BEGINNING = ">= :token AND term < :token || char(0x10FFFF)"  # which occurs in no word

_PLACES_IN_SQL = """
SELECT places(chunks_fts) FROM json_each(:ids) AS wanted
CROSS JOIN chunks_fts ON chunks_fts.rowid = wanted.value WHERE chunks_fts MATCH :match
"""
_FREQUENT_SQL = """
SELECT doc, term FROM temp.chunks_vocabulary WHERE doc >= :least
"""
_LENGTHS_SQL = """
SELECT id, sz FROM chunks_fts_docsize WHERE id > :after {within} ORDER BY id LIMIT :limit
"""


class FtsStatistics:
    """`KeywordStatistics` of FTS5; see there for what each method means."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database

    def terms(self, query: KeywordQuery) -> Terms | None:
        with self._database.connection() as connection:
            return query_terms(query, tokenizer(connection))

    def totals(self) -> tuple[int, int]:
        with self._database.connection() as connection:
            return totals(connection)

    def frequent(self, *, least: int) -> Iterator[tuple[int, str]]:
        with self._database.connection() as connection:
            connection.execute(VOCABULARY_SQL).fetchall()
            yield from connection.execute(_FREQUENT_SQL, {"least": least})

    def lengths(self, ids: Iterable[int] | None = None) -> Iterator[Mapping[int, int]]:
        within = "" if ids is None else "AND id IN (SELECT value FROM json_each(:ids))"
        sql = _LENGTHS_SQL.format(within=within)
        wanted = json.dumps([] if ids is None else list(ids))
        after = -1
        while rows := self._database.read(
            sql, {"after": after, "ids": wanted, "limit": LENGTHS_AT_ONCE}
        ):
            yield {key: _sum(size) for key, size in rows}
            after = rows[-1][0]

    def places(self, term: Term, ids: Iterable[int] | None = None) -> str:
        with self._database.connection() as connection:
            if ids is None:
                connection.execute(_PLACES_TABLE_SQL).fetchall()
                sql = _PLACES_SQL + (_BEGINNING if term.is_prefix else _WHOLE)
                return connection.execute(sql, {"token": term.token}).get or ""
            connection.register_fts5_function("places", _places_in_row)
            match = quoted(term.word) + (" *" if term.is_prefix else "")
            parameters = {"ids": json.dumps(list(ids)), "match": match}
            return " ".join(row[0] for row in connection.execute(_PLACES_IN_SQL, parameters))


def _places_in_row(row: Any, *_: object) -> str:
    start = row.rowid * len(COLUMNS)
    return " ".join(
        str(start + column)
        for column, offsets in enumerate(row.phrase_locations(0))
        for _ in offsets
    )


def _sum(encoded: bytes) -> int:
    # A number below 128 is one byte, so most chunks need no decoding number by number.
    return sum(encoded if len(encoded) == len(COLUMNS) else numbers(encoded))
