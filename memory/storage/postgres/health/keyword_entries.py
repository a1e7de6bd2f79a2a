"""Checks of the keyword entries: their presence, their postings, and the number of words."""

from collections.abc import Mapping, Sequence
from typing import Final

from contracts import KeywordFields
from memory.storage.capabilities.health import KeywordCounts
from memory.storage.database import Transaction
from memory.storage.portable.keyword_health import ANSWERS, PortableKeywordHealth
from memory.storage.postgres.database import PostgresDatabase
from memory.storage.postgres.keywords.entries import add_fields, remove_fields, word_counts
from memory.storage.postgres.writing.posting_blocks import postings_sql

_HELD: Final = f"""
WITH held AS (
    SELECT DISTINCT entry_id FROM ({postings_sql("b.term", "posting_blocks AS b")}) AS two
)"""
_MISSING_SQL: Final = f"""{_HELD}
SELECT c.id FROM chunks AS c LEFT JOIN keyword_entries AS entry ON entry.chunk_id = c.id
WHERE {ANSWERS} AND (entry.chunk_id IS NULL OR (
    (SELECT sum(n) FROM unnest(entry.counts) AS n) > 0
    AND entry.entry_id NOT IN (SELECT entry_id FROM held)
)) ORDER BY c.id
"""
"""An entry whose postings are gone counts as missing: adding replaces it."""

_ORPHANS_SQL: Final = f"""{_HELD}
SELECT chunk_id FROM keyword_entries AS entry
WHERE NOT EXISTS (SELECT 1 FROM chunks WHERE chunks.id = entry.chunk_id)
UNION SELECT -entry_id FROM held WHERE entry_id NOT IN (SELECT entry_id FROM keyword_entries)
    AND entry_id NOT IN (SELECT entry_id FROM removed_entries)
ORDER BY chunk_id
"""
"""Postings of no entry are given as minus the number that they name."""

_STRAY_POSTINGS_SQL: Final = (
    "INSERT INTO removed_entries SELECT -id, 0 FROM unnest(:ids::bigint[]) AS id"
)
_IDLE_SQL: Final = f"""
SELECT c.id FROM chunks AS c JOIN keyword_entries AS entry ON entry.chunk_id = c.id
WHERE NOT {ANSWERS} AND c.generation NOT IN (SELECT generation FROM keywords_beside) ORDER BY c.id
"""
_COUNTS_SQL: Final = "SELECT (SELECT count(*) FROM keyword_entries), entries FROM keyword_totals"
_WORDS_SQL: Final = "SELECT chunk_id, counts FROM keyword_entries WHERE chunk_id IN (:ids)"
_WITH_WORDS_SQL: Final = """
SELECT chunk_id FROM keyword_entries WHERE chunk_id IN (:ids)
UNION SELECT chunk_id FROM removed_entries WHERE chunk_id IN (:ids) ORDER BY chunk_id
"""
_SAMPLE_SQL: Final = f"""
SELECT entry.chunk_id, entry.counts FROM keyword_entries AS entry
JOIN chunks AS c ON c.id = entry.chunk_id WHERE {ANSWERS} ORDER BY random() LIMIT :limit
"""


class PostgresKeywordHealth(PortableKeywordHealth):
    """`KeywordHealth` over postings. See the protocol for what each method means."""

    _database: PostgresDatabase

    def missing(self) -> list[int]:
        return self._ids(_MISSING_SQL)

    def orphans(self) -> list[int]:
        return self._ids(_ORPHANS_SQL)

    def idle(self) -> list[int]:
        return self._ids(_IDLE_SQL)

    def _ids(self, sql: str) -> list[int]:
        return [row[0] for row in self._database.read(sql)]

    def counts(self) -> KeywordCounts:
        return KeywordCounts(*self._database.read(_COUNTS_SQL)[0])

    def sample(self, *, limit: int) -> dict[int, list[int]]:
        return dict(self._database.read(_SAMPLE_SQL, {"limit": limit}))

    def word_counts(self, chunk_ids: Sequence[int]) -> dict[int, list[int]]:
        rows = self._database.read(_WORDS_SQL, {"ids": list(chunk_ids)})
        return {chunk_id: list(counts) for chunk_id, counts in rows}

    def with_words(self, chunk_ids: Sequence[int]) -> list[int]:
        return [row[0] for row in self._database.read(_WITH_WORDS_SQL, {"ids": list(chunk_ids)})]

    def expected_counts(self, fields: Mapping[int, KeywordFields]) -> dict[int, list[int]]:
        return {chunk_id: word_counts(entry) for chunk_id, entry in fields.items()}

    def add(self, tx: Transaction, fields: Mapping[int, KeywordFields]) -> None:
        add_fields(tx, fields)

    def remove(self, tx: Transaction, chunk_ids: Sequence[int]) -> None:
        if strays := [one for one in chunk_ids if one < 0]:
            tx.run(_STRAY_POSTINGS_SQL, {"ids": strays})
        remove_fields(tx, [one for one in chunk_ids if one >= 0])

    def clear(self, tx: Transaction) -> None:
        for table in ("posting_blocks", "keyword_entries", "removed_entries"):
            tx.run(f"DELETE FROM {table}")
        tx.run("UPDATE keyword_totals SET entries = 0, words = 0")
