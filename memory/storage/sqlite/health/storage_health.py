"""SQLite's own checks of a database file, and repairs of its indexes and tables."""

import re
from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import cached_property

import apsw

from memory.storage.capabilities.health import Integrity, Item, LaggingCounter, SchemaDifferences
from memory.storage.database import Database, Transaction
from memory.storage.sqlite.database import SqliteDatabase
from memory.storage.sqlite.health import catalogue
from memory.storage.sqlite.health.keyword_entries import SqliteKeywordHealth
from memory.storage.sqlite.health.vector_rows import SqliteVectorHealth
from memory.storage.sqlite.schema import migrate, vector_log_sql, vector_tables_sql
from memory.storage.sqlite.spaces import SqliteSpaces
from memory.storage.sqlite.vectors import code_table
from memory.storage.values import Row
from memory.storage.vectors import vector_table

MOST_MESSAGES = 20
"""The most messages requested of an integrity check; one damaged page may give thousands."""

_OF_AN_INDEX = re.compile(
    r"missing from index|wrong # of entries in index|non-unique entry in index|"
    r"values differ from index|rowid not at end-of-record for row"
)
_OF_THE_WORDS = re.compile(r"FTS5 table|^fts5: ")
_SCHEMA_SQL = """
SELECT name, type, sql FROM sqlite_schema
WHERE name NOT LIKE 'sqlite_%' AND name NOT LIKE 'chunks_fts_%' AND sql IS NOT NULL ORDER BY name
"""
_ANY_SPACE_TABLE = re.compile(r"vector(?:_code)?s_\d+(?:_inserted|_updated)?")
_BLANKS = re.compile(r"\s+")
_COUNTED_SQL = """
SELECT 'chunks', (SELECT max(id) FROM chunks) UNION ALL
SELECT 'changes', (SELECT max(seq) FROM changes) UNION ALL
SELECT 'record_changes', (SELECT max(seq) FROM record_changes)
"""
_COUNTER_SQL = "SELECT seq FROM sqlite_sequence WHERE name = :table"
_LARGEST = {"chunks": "max(id)", "changes": "max(seq)", "record_changes": "max(seq)"}
_DOCUMENT_CHUNKS_SQL = """
SELECT owner_id, source, generation, ordinal, uid, hash, CAST(text AS BLOB), CAST(heading AS BLOB),
    body_offset, CAST(gap AS BLOB), start_char, end_char, start_line, end_line
FROM chunks WHERE source IN ('file', 'text') ORDER BY owner_id, source, generation, ordinal
"""
_CHUNK_TEXTS_SQL = """
SELECT id, CAST(text AS BLOB), CAST(heading AS BLOB), CAST(gap AS BLOB) FROM chunks
WHERE owner_id = :id AND source = :source
"""


class SqliteHealth:
    """`StorageHealth` of one database. See the protocol for what each method means."""

    errors: tuple[type[Exception], ...] = (apsw.Error,)

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database

    @cached_property
    def keywords(self) -> SqliteKeywordHealth:
        return SqliteKeywordHealth(self._database)

    @cached_property
    def vectors(self) -> SqliteVectorHealth:
        return SqliteVectorHealth(self._database)

    def integrity(self) -> Integrity:
        found = Integrity([], [], [])
        rows = self._database.read(f"PRAGMA integrity_check({MOST_MESSAGES})")
        for message in (line for (lines,) in rows for line in lines.splitlines()):
            if message == "ok" or message.startswith("*** in database"):
                continue
            if _OF_AN_INDEX.search(message):
                found.indexes.append(message)
            elif _OF_THE_WORDS.search(message):
                found.words.append(message)
            else:
                found.pages.append(message)
        return found

    def remake_indexes(self, tx: Transaction) -> None:
        tx.run("REINDEX")

    def schema_differences(self) -> SchemaDifferences:
        made, wanted = _schema(self._database), self._wanted_schema()
        return SchemaDifferences(
            missing=[item for name, item in wanted.items() if name not in made],
            altered=[
                item
                for name, item in wanted.items()
                if name in made and _plain(made[name].sql) != _plain(item.sql)
            ],
            stray=[
                item
                for name, item in made.items()
                if name not in wanted
                and (item.kind == "trigger" or _ANY_SPACE_TABLE.fullmatch(name))
            ],
        )

    def _wanted_schema(self) -> dict[str, Item]:
        """Return the schema of a new database with the tables of the same spaces."""
        with closing(_new_database()) as pattern:
            with pattern.transaction() as tx:
                for space in SqliteSpaces(self._database).all():
                    tx.run(vector_tables_sql(vector_table(space), code_table(space)))
                    if space.state == "active":
                        tx.run(vector_log_sql(vector_table(space)))
            return _schema(pattern)

    def remake(self, tx: Transaction, items: Iterable[Item]) -> None:
        for item in items:
            if item.kind in ("index", "trigger", "view"):
                tx.run(f"DROP {item.kind.upper()} IF EXISTS {item.name}")
            tx.run(item.sql)

    def drop(self, tx: Transaction, items: Iterable[Item]) -> None:
        for item in items:
            tx.run(f"DROP {item.kind.upper()} IF EXISTS {item.name}")

    def dangling(self) -> dict[str, int]:
        rows: dict[str, int] = {}
        for table, *_ in self._database.read("PRAGMA foreign_key_check"):
            rows[table] = rows.get(table, 0) + 1
        return rows

    def remove_dangling(self, tx: Transaction, *, table: str) -> None:
        sql = """SELECT "from", "table", "to", on_delete FROM pragma_foreign_key_list(:table)"""
        for column, other, key, on_delete in tx.run(sql, {"table": table}):
            clears = on_delete == "SET NULL"
            change = f"UPDATE {table} SET {column} = NULL" if clears else f"DELETE FROM {table}"
            tx.run(f"{change} WHERE {column} NOT IN (SELECT {key} FROM {other})")

    def text_columns(self) -> dict[str, list[str]]:
        return catalogue.text_columns(self._database)

    def misplaced(self, *, of_others: bool = False) -> dict[str, int]:
        with closing(_new_database()) as pattern:
            tables = _schema(pattern).keys()
        return catalogue.misplaced(self._database, tables, of_others=of_others)

    def references(self, table: str) -> list[tuple[str, str]]:
        return catalogue.references(self._database, table)

    def lagging_counters(self) -> list[LaggingCounter]:
        found = []
        for table, largest in self._database.read(_COUNTED_SQL):
            rows = self._database.read(_COUNTER_SQL, {"table": table})
            counted = rows[0][0] if rows else None
            if largest is not None and (counted is None or counted < largest):
                found.append(LaggingCounter(table, largest, counted))
        return found

    def advance_counter(self, tx: Transaction, *, table: str) -> None:
        tx.run("DELETE FROM sqlite_sequence WHERE name = :table", {"table": table})
        tx.run(
            f"INSERT INTO sqlite_sequence (name, seq) SELECT :table, {_LARGEST[table]} "
            f"FROM {table}",
            {"table": table},
        )

    def document_chunks(self) -> Iterator[Row]:
        with self._database.connection() as connection:
            yield from connection.execute(_DOCUMENT_CHUNKS_SQL)

    def chunk_texts(self, tx: Transaction, source: str, owner_id: str) -> list[Row]:
        return tx.run(_CHUNK_TEXTS_SQL, {"id": owner_id, "source": source})


def _new_database() -> SqliteDatabase:
    """Return an empty database in memory with the tables of this program."""
    made = SqliteDatabase(":memory:")
    with made.connection() as connection:
        migrate(connection, made.path)
    return made


def _schema(database: Database) -> dict[str, Item]:
    return {row[0]: Item(*row) for row in database.read(_SCHEMA_SQL)}


def _plain(sql: str) -> str:
    return _BLANKS.sub(" ", sql).strip()
