"""What SQLite itself can tell of a database file's state, and how its parts are made anew.

Loaded by `memory.operations.doctor` alone. Everything that only reads may run in a snapshot.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeAlias

from memory.storage.database import Database, Transaction
from memory.storage.sqlite.connection import SqliteDatabase
from memory.storage.sqlite.keywords.fts import tokenizer, totals
from memory.storage.sqlite.schema import vector_log_sql, vector_tables_sql
from memory.storage.sqlite.vectors import code_table, vector_table
from memory.storage.values import Space

Action: TypeAlias = Callable[[Transaction], None]

MOST_MESSAGES = 20
"""Messages of an integrity check that are asked for; one damaged page may give thousands."""

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


class Integrity(NamedTuple):
    """What `PRAGMA integrity_check` found, by what can be made anew: nothing, indexes, words."""

    pages: list[str]
    indexes: list[str]
    words: list[str]


class Item(NamedTuple):
    """A table, an index or a trigger, and the statement that makes it."""

    name: str
    kind: str
    sql: str


class SchemaDifferences(NamedTuple):
    """How the tables differ from those of a new database; `stray`: none of ours."""

    missing: list[Item]
    altered: list[Item]
    stray: list[Item]


def integrity(database: Database) -> Integrity:
    """Check every page, every index and the structure of the keyword index."""
    found = Integrity([], [], [])
    rows = database.read(f"PRAGMA integrity_check({MOST_MESSAGES})")
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


def dangling(database: Database) -> dict[str, list[int | None]]:
    """Rows that refer to a row that is not there: rowids by table."""
    rows: dict[str, list[int | None]] = {}
    for table, rowid, *_ in database.read("PRAGMA foreign_key_check"):
        rows.setdefault(table, []).append(rowid)
    return rows


def remove_dangling(tx: Transaction, *, table: str) -> None:
    """Do with the rows of a table that refer to what is not there what its removal would do.

    They are removed, or refer to nothing.
    """
    sql = """SELECT "from", "table", "to", on_delete FROM pragma_foreign_key_list(:table)"""
    for column, other, key, on_delete in tx.run(sql, {"table": table}):
        change = "DELETE FROM {}" if on_delete != "SET NULL" else f"UPDATE {{}} SET {column} = NULL"
        tx.run(f"{change.format(table)} WHERE {column} NOT IN (SELECT {key} FROM {other})")


def schema_differences(database: Database, pattern: Database) -> SchemaDifferences:
    """Compare with `pattern`, a new database that has the tables of the same spaces too."""
    made, wanted = _schema(database), _schema(pattern)
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
            if name not in wanted and (item.kind == "trigger" or _ANY_SPACE_TABLE.fullmatch(name))
        ],
    )


def make_space_tables(tx: Transaction, spaces: Iterable[Space]) -> None:
    """The tables that these spaces have to have."""
    for space in spaces:
        tx.run(vector_tables_sql(vector_table(space), code_table(space)))
        if space.state == "active":
            tx.run(vector_log_sql(vector_table(space)))


def _schema(database: Database) -> dict[str, Item]:
    return {row[0]: Item(*row) for row in database.read(_SCHEMA_SQL)}


def _plain(sql: str) -> str:
    return _BLANKS.sub(" ", sql).strip()


def make_anew(tx: Transaction, item: Item) -> None:
    """Make a missing table, or an index or trigger in place of what has its name."""
    if item.kind in ("index", "trigger"):
        tx.run(f"DROP {item.kind.upper()} IF EXISTS {item.name}")
    tx.run(item.sql)


def drop(tx: Transaction, item: Item) -> None:
    """Remove a table or a trigger that belongs to nothing."""
    tx.run(f"DROP {item.kind.upper()} IF EXISTS {item.name}")


def reindex_tables(tx: Transaction) -> None:
    """Make the contents of every index anew from its table."""
    tx.run("REINDEX")


def empty_words(tx: Transaction) -> None:
    """Remove every keyword entry, whatever state they are in."""
    ((sql,),) = tx.run("SELECT sql FROM sqlite_schema WHERE name = 'chunks_fts'")
    tx.run("DROP TABLE chunks_fts")
    tx.run(sql)


def set_sequence(tx: Transaction, *, name: str) -> None:
    """Let the next number of `chunks` or `changes` be one that nothing has had."""
    largest = {"chunks": "max(id)", "changes": "max(seq)"}[name]
    tx.run("DELETE FROM sqlite_sequence WHERE name = :name", {"name": name})
    tx.run(
        f"INSERT INTO sqlite_sequence (name, seq) SELECT :name, {largest} FROM {name}",
        {"name": name},
    )


def entry_totals(database: SqliteDatabase) -> tuple[int, int]:
    """How many keyword entries there are, and how many FTS5 counts when it reckons a score."""
    with database.connection() as connection:
        counted = totals(connection)[0]
    ((rows,),) = database.read("SELECT count(*) FROM chunks_fts_docsize")
    return rows, counted


def token_counts(database: SqliteDatabase, texts: Iterable[Sequence[str]]) -> list[list[int]]:
    """How many words FTS5 would find in each column of these entries."""
    with database.connection() as connection:
        tokens = tokenizer(connection)
        return [[len(tokens(column)) for column in columns] for columns in texts]


def checkpoint(database: Database) -> None:
    """Move the write-ahead log into the database and empty it, unless somebody reads just now."""
    database.read("PRAGMA wal_checkpoint(TRUNCATE)")
