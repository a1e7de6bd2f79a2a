"""The step to version 13: rows can be inserted with as few columns as a person would name.

`INSERT INTO turns (session_id, role, text)` and `INSERT INTO memories (layer, content)` work in any
SQLite program. An empty digest, or words of one space, mark a row whose chunks and other columns
are yet to be made; no row of this program has those.

A default is changed in the text of the schema, which rewrites no row, as
https://www.sqlite.org/lang_altertable.html describes it for changes that do not affect content.
"""

from collections.abc import Mapping

import apsw

NOW = "(strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))"

_DEFAULTS = {
    "sessions": {"long_term_opt_in INTEGER": "1", "created_at TEXT": NOW},
    "turns": {"ts TEXT": NOW, "digest BLOB": "x''", "recorded_at TEXT": NOW},
    "memories": {
        "created_at TEXT": NOW,
        "occurred_at TEXT": NOW,
        "updated_at TEXT": NOW,
        "origin TEXT": "'import'",
        "words TEXT": "' '",
    },
    "memory_links": {"reason TEXT": "'source'", "created_at TEXT": NOW},
}
"""The default of each column, by the table and the beginning of the column's definition."""

_INSERTED_SQL = "CREATE INDEX turns_inserted ON turns (id) WHERE length(digest) = 0"
_KEPT_SQL = "UPDATE memories SET importance = 1 WHERE origin = 'user' AND importance = 0"
_KEPT_CHUNKS_SQL = """
UPDATE chunks SET metadata = json_set(metadata, '$.importance', 1)
WHERE source = 'memory' AND json_valid(metadata) AND owner_id IN
    (SELECT CAST(id AS TEXT) FROM memories WHERE origin = 'user' AND importance = 0)
"""
"""Statements that make a person's own memories important, which nothing removes by age."""


def add_column_defaults(connection: apsw.Connection) -> None:
    """Make the step, in an open transaction."""
    for sql in (_INSERTED_SQL, _KEPT_CHUNKS_SQL, _KEPT_SQL):
        connection.execute(sql).fetchall()
    put_defaults(connection, _DEFAULTS)


def put_defaults(connection: apsw.Connection, tables: Mapping[str, Mapping[str, str]]) -> None:
    """Give columns that are NOT NULL a default, by table and the beginning of their definition."""
    version = int(connection.pragma("schema_version"))
    connection.pragma("writable_schema", 1)
    try:
        for table, defaults in tables.items():
            _rewrite(connection, table, defaults)
        connection.pragma("schema_version", version + 1)
    finally:
        connection.pragma("writable_schema", 0)


def _rewrite(connection: apsw.Connection, table: str, defaults: Mapping[str, str]) -> None:
    found = "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?"
    sql = str(connection.execute(found, (table,)).fetchall()[0][0])
    for column, value in defaults.items():
        sql = sql.replace(f"    {column} NOT NULL", f"    {column} NOT NULL DEFAULT {value}", 1)
    changed = "UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?"
    connection.execute(changed, (sql, table)).fetchall()
