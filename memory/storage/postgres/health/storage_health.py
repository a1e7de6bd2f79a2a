"""Checks and repairs of a schema of PostgreSQL: its indexes, tables, references and numbers.

Pages are the server's matter. The tables are compared with the statements that create them, by
their names and columns, so that a role without further rights can do it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import psycopg

from memory.storage.capabilities.health import Integrity, Item, LaggingCounter, SchemaDifferences
from memory.storage.database import Transaction
from memory.storage.postgres.database import PostgresDatabase
from memory.storage.postgres.health.keyword_entries import PostgresKeywordHealth
from memory.storage.postgres.health.vector_rows import PostgresVectorHealth
from memory.storage.postgres.spaces import vector_table_sql
from memory.storage.postgres.tables import tables_sql
from memory.storage.values import Row

_READ_AT_ONCE: Final = 2_000
_DAMAGED_SQL: Final = """
SELECT 'the server counted ' || checksum_failures || ' damaged pages in this database'
FROM pg_stat_database WHERE datname = current_database() AND checksum_failures > 0
"""
_OWN: Final = """FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE n.nspname = :schema"""
_INVALID_SQL: Final = f"""
SELECT c.relname {_OWN} AND c.oid IN (
    SELECT indexrelid FROM pg_index WHERE NOT (indisvalid AND indisready)
    EXCEPT SELECT index_relid FROM pg_stat_progress_create_index
) ORDER BY c.relname
"""
_RELATIONS_SQL: Final = f"SELECT c.relname, c.relkind::text {_OWN} AND c.relkind IN ('r', 'i', 'v')"
_COLUMNS_SQL: Final = """
SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = :schema
"""
_TEXTS_SQL: Final = """
SELECT c.table_name, c.column_name FROM information_schema.columns AS c
JOIN information_schema.tables AS t USING (table_schema, table_name)
WHERE c.table_schema = :schema AND c.data_type = 'text' AND c.is_generated = 'NEVER'
    AND t.table_type = 'BASE TABLE'
    AND c.table_name NOT IN ('posting_blocks', 'log_ends', 'keywords_beside')
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
_NUMBERED_SQL: Final = """
SELECT c.table_name, c.column_name, s.last_value FROM information_schema.columns AS c
JOIN pg_sequences AS s ON s.schemaname = c.table_schema
    AND quote_ident(s.schemaname) || '.' || quote_ident(s.sequencename) = pg_get_serial_sequence(
        quote_ident(c.table_schema) || '.' || quote_ident(c.table_name), c.column_name)
WHERE c.table_schema = :schema AND c.is_identity = 'YES' ORDER BY c.table_name
"""
_WITHOUT_SESSION_SQL: Final = """
SELECT count(*) FROM turns AS t
WHERE NOT EXISTS (SELECT 1 FROM sessions AS s WHERE s.session_id = t.session_id)
"""
_LOGS: Final = ("changes", "record_changes")
_DOCUMENT_CHUNKS_SQL: Final = """
SELECT owner_id, source, generation, ordinal, uid, hash, text, heading, body_offset, gap,
    start_char, end_char, start_line, end_line FROM chunks
WHERE source IN ('file', 'text')
    AND (owner_id, source, generation, ordinal) > (:owner, :source, :generation, :ordinal)
ORDER BY owner_id, source, generation, ordinal LIMIT :limit
"""
_CHUNK_TEXTS_SQL: Final = """
SELECT id, text, heading, gap FROM chunks WHERE owner_id = :id AND source = :source
"""
_CREATED: Final = re.compile(
    r"CREATE (?P<what>TABLE|UNIQUE INDEX|INDEX|VIEW) (?P<name>\w+)[^;]*", re.IGNORECASE
)
_COLUMN: Final = re.compile(
    r"[(,]\s*(\w+) (?:text|bigint|integer|double|bytea|boolean|jsonb)\b", re.IGNORECASE
)
_KINDS: Final = {"r": "table", "i": "index", "v": "view"}


class PostgresHealth:
    """`StorageHealth` of one schema. See the protocol for what each method means."""

    errors: tuple[type[Exception], ...] = (psycopg.Error,)

    def __init__(self, database: PostgresDatabase) -> None:
        self._database = database
        self._own = {"schema": database.schema}
        self.keywords = PostgresKeywordHealth(database)
        self.vectors = PostgresVectorHealth(database)

    def integrity(self) -> Integrity:
        pages = [row[0] for row in self._database.read(_DAMAGED_SQL)]
        indexes = [row[0] for row in self._database.read(_INVALID_SQL, self._own)]
        return Integrity(pages, indexes, [])

    def remake_indexes(self, tx: Transaction) -> None:
        for (name,) in self._database.read(_INVALID_SQL, self._own):
            tx.run(f'REINDEX INDEX "{name}"')

    def schema_differences(self) -> SchemaDifferences:
        rows = self._database.read(_RELATIONS_SQL, self._own)
        present = {name: _KINDS[kind] for name, kind in rows}
        columns: dict[str, set[str]] = {}
        for table, column in self._database.read(_COLUMNS_SQL, self._own):
            columns.setdefault(table, set()).add(column)
        expected = self._expected()
        missing = [item for item in expected.values() if present.get(item.name) != item.kind]
        altered = [
            item
            for item in expected.values()
            if item.kind == "table"
            and item not in missing
            and not set(_COLUMN.findall(item.sql)) <= columns.get(item.name, set())
        ]
        stray = [
            Item(name, kind, "")
            for name, kind in present.items()
            if kind == "table" and name.startswith("vectors_") and name not in expected
        ]
        return SchemaDifferences(missing, altered, stray)

    def _expected(self) -> dict[str, Item]:
        """Return the tables, indexes and views of this schema, by name."""
        items = {}
        for found in _CREATED.finditer(tables_sql()):
            kind = found["what"].split()[-1].lower()
            items[found["name"]] = Item(found["name"], kind, found.group())
        for number, dimensions in self._database.read("SELECT id, dimensions FROM spaces"):
            table = f"vectors_{number:d}"
            here = self._database.vectors_in
            sql = vector_table_sql(table, dimensions=dimensions, vectors_in=here)
            items[table] = Item(table, "table", sql)
        return items

    def remake(self, tx: Transaction, items: Iterable[Item]) -> None:
        for item in items:
            tx.run(item.sql)
            if item.name == "keyword_totals":
                tx.run("INSERT INTO keyword_totals VALUES (0, 0)")

    def drop(self, tx: Transaction, items: Iterable[Item]) -> None:
        for item in items:
            tx.run(f'DROP TABLE "{item.name}"')

    def text_columns(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for table, column in self._database.read(_TEXTS_SQL, self._own):
            found.setdefault(table, []).append(column)
        return found

    def misplaced(self, *, of_others: bool = False) -> dict[str, int]:
        return {}  # the server refuses them

    def references(self, table: str) -> list[tuple[str, str]]:
        rows = self._database.read(_REFERENCES_SQL, {**self._own, "name": table})
        return [(own, column) for own, column in rows]

    def dangling(self) -> dict[str, int]:
        ((lost,),) = self._database.read(_WITHOUT_SESSION_SQL)
        return {"turns": int(lost)} if lost else {}

    def remove_dangling(self, tx: Transaction, *, table: str) -> None:
        """Do nothing: the server holds every reference but that of turns to sessions."""

    def lagging_counters(self) -> list[LaggingCounter]:
        found = []
        for table, column, last in self._database.read(_NUMBERED_SQL, self._own):
            ((largest,),) = self._database.read(f"SELECT max({column}) FROM {table}")
            if largest is not None and (last is None or last < largest):
                found.append(LaggingCounter(table, largest, last))
        ends: Mapping[str, int] = dict(self._database.read("SELECT log, last FROM log_ends"))
        for log in _LOGS:
            ((largest,),) = self._database.read(f"SELECT max(seq) FROM {log}")
            if log not in ends or (largest is not None and ends[log] < largest):
                found.append(LaggingCounter(log, largest or 0, ends.get(log)))
        return found

    def advance_counter(self, tx: Transaction, *, table: str) -> None:
        if table in _LOGS:
            sql = f"""INSERT INTO log_ends (log, last)
                SELECT :log, coalesce(max(seq), 0) FROM {table}
                ON CONFLICT (log) DO UPDATE SET last = excluded.last"""
            tx.run(sql, {"log": table})
        else:
            numbered = self._database.read(_NUMBERED_SQL, self._own)
            (column,) = [column for name, column, _ in numbered if name == table]
            sequence = f"pg_get_serial_sequence('{table}', '{column}')"
            tx.run(f"SELECT setval({sequence}, max({column})) FROM {table}")

    def document_chunks(self) -> Iterator[Row]:
        after = {"owner": "", "source": "", "generation": "", "ordinal": -1}
        limit = {"limit": _READ_AT_ONCE}
        while rows := self._database.read(_DOCUMENT_CHUNKS_SQL, {**after, **limit}):
            for row in rows:
                *before, text, heading, offset, gap = row[:10]
                texts = (text.encode(), heading.encode(), offset, gap.encode())
                yield (*before, *texts, *row[10:])
            after = dict(zip(after, rows[-1][:4], strict=True))

    def chunk_texts(self, tx: Transaction, source: str, owner_id: str) -> list[Row]:
        rows = tx.run(_CHUNK_TEXTS_SQL, {"id": owner_id, "source": source})
        return [(key, *(text.encode() for text in texts)) for key, *texts in rows]
