"""The columns of every table of a SQLite database, and the references between tables."""

from collections.abc import Collection
from typing import Final

from memory.storage.database import Database

_TEXTS_SQL = """
SELECT t.name, c.name FROM pragma_table_list AS t JOIN pragma_table_xinfo(t.name) AS c
WHERE t.schema = 'main' AND t.type = 'table' AND t.name <> 'keywords_beside'
    AND t.name NOT LIKE 'sqlite~_%' ESCAPE '~' AND c.hidden = 0
    AND (c.type = '' OR c.type LIKE '%TEXT%' OR c.type LIKE '%CHAR%' OR c.type LIKE '%CLOB%')
ORDER BY t.name, c.cid
"""
_TYPES_SQL = """
SELECT t.name, c.name, c.type FROM pragma_table_list AS t JOIN pragma_table_xinfo(t.name) AS c
WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite~_%' ESCAPE '~'
    AND c.hidden = 0 ORDER BY t.name, c.cid
"""
_STORED_AS: Final = {"INTEGER": "'integer'", "REAL": "'real'", "TEXT": "'text'"}
_UNSHARED: Final = ("chunks", "files")
"""Tables into which no other program inserts: into others it may insert bytes as a text."""

_REFERENCES_SQL = """
SELECT t.name, f."from" FROM pragma_table_list AS t JOIN pragma_foreign_key_list(t.name) AS f
WHERE t.schema = 'main' AND t.type = 'table' AND f."table" = :table ORDER BY t.name, f."from"
"""


def text_columns(database: Database) -> dict[str, list[str]]:
    """Return the columns that can hold text, by table, without computed ones."""
    found: dict[str, list[str]] = {}
    for table, column in database.read(_TEXTS_SQL):
        found.setdefault(table, []).append(column)
    return found


def references(database: Database, table: str) -> list[tuple[str, str]]:
    """Return the tables that refer to rows of a table, each with its column."""
    return [(row[0], row[1]) for row in database.read(_REFERENCES_SQL, {"table": table})]


def misplaced(database: Database, tables: Collection[str], *, of_others: bool) -> dict[str, int]:
    """See `StorageHealth.misplaced`; in these tables."""
    found: dict[str, int] = {}
    columns: dict[str, dict[str, str]] = {}
    for table, column, declared in database.read(_TYPES_SQL):
        if table not in tables or declared not in _STORED_AS:
            continue
        if declared != "TEXT" or table in _UNSHARED:
            columns.setdefault(table, {})[column] = _STORED_AS[declared]
        elif of_others and (broken := _undecodable(database, table, column)):
            found[f"{table}.{column}"] = broken
    for table, types in columns.items():
        sums = [f"sum(typeof({name}) NOT IN ('null', {kind}))" for name, kind in types.items()]
        (counts,) = database.read(f"SELECT {', '.join(sums)} FROM {table}")
        found |= {f"{table}.{name}": n for name, n in zip(types, counts, strict=True) if n}
    return found


def _undecodable(database: Database, table: str, column: str) -> int:
    """Return how many values are bytes that cannot be decoded."""
    broken = 0
    for (value,) in database.read(f"SELECT {column} FROM {table} WHERE typeof({column}) = 'blob'"):
        try:
            value.decode()
        except UnicodeDecodeError:
            broken += 1
    return broken
