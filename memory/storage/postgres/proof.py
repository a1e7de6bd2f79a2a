"""The part of a database's health that the proof of a forgetting reads."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from contracts import InputError, KeywordFields
from memory.storage.postgres.connection import PostgresDatabase
from memory.storage.postgres.keywords.postings import word_counts
from memory.storage.postgres.vectors import vector_table
from memory.storage.values import Space

_TEXTS_SQL: Final = """
SELECT c.table_name, c.column_name FROM information_schema.columns AS c
JOIN information_schema.tables AS t USING (table_schema, table_name)
WHERE c.table_schema = :schema AND c.data_type = 'text' AND c.is_generated = 'NEVER'
    AND t.table_type = 'BASE TABLE' AND c.table_name NOT IN ('postings', 'log_ends')
ORDER BY c.table_name, c.ordinal_position
"""
_REFERENCES_SQL: Final = """
SELECT own.relname, a.attname FROM pg_constraint AS k
JOIN pg_class AS own ON own.oid = k.conrelid
JOIN pg_class AS other ON other.oid = k.confrelid
JOIN pg_namespace AS n ON n.oid = own.relnamespace
JOIN pg_attribute AS a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1]
WHERE k.contype = 'f' AND n.nspname = :schema AND other.relname = :name
ORDER BY own.relname, a.attname
"""


class _KeywordProof:
    def __init__(self, database: PostgresDatabase) -> None:
        self._database = database

    def word_counts(self, chunk_ids: Sequence[int]) -> dict[int, list[int]]:
        sql = """SELECT chunk_id, counts FROM keyword_entries WHERE chunk_id IN (:ids)
            UNION ALL SELECT DISTINCT chunk_id, NULL::integer[] FROM postings
            WHERE chunk_id IN (:ids) AND chunk_id NOT IN (SELECT chunk_id FROM keyword_entries)"""
        rows = self._database.read(sql, {"ids": list(chunk_ids)})
        return {chunk_id: list(counts or ()) for chunk_id, counts in rows}

    def expected_counts(self, fields: Mapping[int, KeywordFields]) -> dict[int, list[int]]:
        return {chunk_id: word_counts(entry) for chunk_id, entry in fields.items()}


class _VectorProof:
    def __init__(self, database: PostgresDatabase) -> None:
        self._database = database

    def count(self, space: Space, chunk_ids: Sequence[int]) -> int:
        sql = f"SELECT count(*) FROM {vector_table(space)} WHERE chunk_id IN (:ids)"
        return int(self._database.read(sql, {"ids": list(chunk_ids)})[0][0])


class PostgresProof:
    """The part of `StorageHealth` that a proof reads. Any other raises InputError."""

    def __init__(self, database: PostgresDatabase) -> None:
        self._database = database
        self.keywords = _KeywordProof(database)
        self.vectors = _VectorProof(database)

    def text_columns(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for table, column in self._database.read(_TEXTS_SQL, {"schema": self._database.schema}):
            found.setdefault(table, []).append(column)
        return found

    def references(self, table: str) -> list[tuple[str, str]]:
        values = {"schema": self._database.schema, "name": table}
        return [(own, column) for own, column in self._database.read(_REFERENCES_SQL, values)]

    def __getattr__(self, name: str) -> Any:
        raise InputError(
            "memory.backend postgres has no `mem doctor` yet",
            hint="use the server's own tools, such as pg_amcheck",
        )
