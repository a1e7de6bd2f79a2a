"""The log of changes of records in PostgreSQL, for followers."""

from typing import Any

import psycopg

from memory.storage.database import Database
from memory.storage.portable.noted_changes import CHANGES_OF_RECORDS_KEPT, NotedChanges
from memory.storage.postgres.writing.logged_statements import next_numbers
from memory.storage.values import RecordChange, RecordChanges

_LOG = "record_changes"
_INSERT_SQL = """
INSERT INTO record_changes (seq, at, event, source, owner_id)
SELECT %s + place, at, event, source, owner_id
FROM unnest(%s::text[], %s::text[], %s::text[], %s::text[]) WITH ORDINALITY
    AS one (at, event, source, owner_id, place)
"""
_TRIM_SQL = "DELETE FROM record_changes WHERE seq <= %s"
_BOUNDS_SQL = """
SELECT (SELECT last FROM log_ends WHERE log = 'record_changes'),
    (SELECT min(seq) FROM record_changes)
"""
_AFTER_SQL = """
SELECT seq, at, event, source, owner_id FROM record_changes
WHERE seq > :after ORDER BY seq LIMIT :limit
"""


def write_changes(
    connection: psycopg.Connection[Any],
    changes: NotedChanges,
    *,
    keep: int = CHANGES_OF_RECORDS_KEPT,
) -> None:
    """Write the entries at the end of the transaction, and drop the oldest of the log."""
    rows = changes.entries()
    if rows:
        first = next_numbers(connection, _LOG, len(rows))
        names = ("at", "event", "source", "owner_id")
        columns = ([row[name] for row in rows] for name in names)
        connection.execute(_INSERT_SQL, (first, *columns))
        connection.execute(_TRIM_SQL, (first + len(rows) - keep,))


def read_log(database: Database, *, after: int, limit: int) -> RecordChanges:
    """See `Storage.record_changes`."""
    with database.snapshot():
        ((*bounds,),) = database.read(_BOUNDS_SQL)
        rows = database.read(_AFTER_SQL, {"after": after, "limit": limit})
    newest, oldest = int(bounds[0]), bounds[1]
    is_missing = after < (newest if oldest is None else oldest - 1) or after > newest
    return RecordChanges([RecordChange(*row) for row in rows], newest, is_missing)
