"""Checks of FTS5's entries: their presence, and the number of words in each column."""

from collections.abc import Mapping, Sequence

from contracts import KeywordFields
from memory.storage.capabilities.health import KeywordCounts
from memory.storage.database import Transaction
from memory.storage.portable.keyword_health import ANSWERS, PortableKeywordHealth
from memory.storage.portable.tokens import tokenizer
from memory.storage.sqlite.database import SqliteDatabase
from memory.storage.sqlite.keywords.fts import add_fields, numbers, remove_fields, totals

_MISSING_SQL = f"""
SELECT c.id FROM chunks AS c LEFT JOIN chunks_fts_docsize AS entry ON entry.id = c.id
WHERE entry.id IS NULL AND {ANSWERS} ORDER BY c.id
"""
_ORPHANS_SQL = """
SELECT entry.id FROM chunks_fts_docsize AS entry LEFT JOIN chunks AS c ON c.id = entry.id
WHERE c.id IS NULL ORDER BY entry.id
"""
_IDLE_SQL = f"""
SELECT c.id FROM chunks AS c JOIN chunks_fts_docsize AS entry ON entry.id = c.id
WHERE NOT {ANSWERS} AND c.generation NOT IN (SELECT generation FROM keywords_beside) ORDER BY c.id
"""
_SIZES_SQL = "SELECT id, sz FROM chunks_fts_docsize WHERE id IN (:ids)"
_SAMPLE_SQL = f"""
SELECT entry.id, entry.sz FROM chunks_fts_docsize AS entry JOIN chunks AS c ON c.id = entry.id
WHERE {ANSWERS} AND entry.id IN (
    SELECT id FROM chunks_fts_docsize ORDER BY random() LIMIT :limit
)
"""


class SqliteKeywordHealth(PortableKeywordHealth):
    """`KeywordHealth` over FTS5. See the protocol for what each method means."""

    _database: SqliteDatabase

    def missing(self) -> list[int]:
        return self._ids(_MISSING_SQL)

    def orphans(self) -> list[int]:
        return self._ids(_ORPHANS_SQL)

    def idle(self) -> list[int]:
        return self._ids(_IDLE_SQL)

    def _ids(self, sql: str) -> list[int]:
        return [row[0] for row in self._database.read(sql)]

    def counts(self) -> KeywordCounts:
        with self._database.connection() as connection:
            counted = totals(connection)[0]
        ((entries,),) = self._database.read("SELECT count(*) FROM chunks_fts_docsize")
        return KeywordCounts(entries, counted)

    def sample(self, *, limit: int) -> dict[int, list[int]]:
        rows = self._database.read(_SAMPLE_SQL, {"limit": limit})
        return {row[0]: numbers(row[1]) for row in rows}

    def word_counts(self, chunk_ids: Sequence[int]) -> dict[int, list[int]]:
        rows = self._database.read(_SIZES_SQL, {"ids": list(chunk_ids)})
        return {row[0]: numbers(row[1]) for row in rows}

    def with_words(self, chunk_ids: Sequence[int]) -> list[int]:
        return list(self.word_counts(chunk_ids))

    def expected_counts(self, fields: Mapping[int, KeywordFields]) -> dict[int, list[int]]:
        with self._database.connection() as connection:
            tokens = tokenizer(connection)
            return {
                key: [len(tokens(column)) for column in columns] for key, columns in fields.items()
            }

    def add(self, tx: Transaction, fields: Mapping[int, KeywordFields]) -> None:
        add_fields(tx, fields)

    def remove(self, tx: Transaction, chunk_ids: Sequence[int]) -> None:
        remove_fields(tx, chunk_ids)
        # Include missing chunks, for readers of the log.
        tx.run_many(
            "INSERT INTO changes (chunk_id) VALUES (:id)", ({"id": key} for key in chunk_ids)
        )

    def clear(self, tx: Transaction) -> None:
        ((sql,),) = tx.run("SELECT sql FROM sqlite_schema WHERE name = 'chunks_fts'")
        tx.run("DROP TABLE chunks_fts")
        tx.run(sql)
