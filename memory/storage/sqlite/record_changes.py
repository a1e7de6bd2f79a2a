"""The log of changes of records, for followers: one entry a record and transaction."""

import apsw

from memory.storage.database import Database, Transaction
from memory.storage.portable.noted_changes import CHANGES_OF_RECORDS_KEPT, NotedChanges
from memory.storage.values import RecordChange, RecordChanges

TABLE_SQL = """
CREATE TABLE record_changes (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    event TEXT NOT NULL CHECK (event IN ('added', 'changed', 'removed')),
    source TEXT NOT NULL,
    owner_id TEXT NOT NULL
)"""
_INSERT_SQL = """
INSERT INTO record_changes (at, event, source, owner_id)
VALUES (:at, :event, :source, :owner_id)
"""
_TRIM_SQL = "DELETE FROM record_changes WHERE seq <= (SELECT max(seq) FROM record_changes) - :keep"
NEWEST_SQL = "SELECT seq FROM sqlite_sequence WHERE name = 'record_changes'"
_AFTER_SQL = """
SELECT seq, at, event, source, owner_id FROM record_changes
WHERE seq > :after ORDER BY seq LIMIT :limit
"""
_BOUNDS_SQL = f"SELECT ({NEWEST_SQL}), (SELECT min(seq) FROM record_changes)"


def write_changes(
    connection: apsw.Connection, changes: NotedChanges, *, keep: int = CHANGES_OF_RECORDS_KEPT
) -> None:
    """Write the entries at the end of the transaction, and drop the oldest of the log."""
    rows = changes.entries()
    if rows:
        connection.executemany(_INSERT_SQL, rows).fetchall()
        connection.execute(_TRIM_SQL, {"keep": keep}).fetchall()


def read_log(database: Database, *, after: int, limit: int) -> RecordChanges:
    """See `Storage.record_changes`.

    A number past the newest one comes from another state of the database, which was set back.
    """
    with database.snapshot():
        ((*bounds,),) = database.read(_BOUNDS_SQL)
        rows = database.read(_AFTER_SQL, {"after": after, "limit": limit})
    newest, oldest = int(bounds[0] or 0), bounds[1]
    is_missing = after < (newest if oldest is None else oldest - 1) or after > newest
    return RecordChanges([RecordChange(*row) for row in rows], newest, is_missing)


def restart_log(tx: Transaction, *, after: int) -> None:
    """Empty the log of a database whose content the log does not know, and continue past `after`.

    So every follower, one from the beginning too, is told that it missed something.
    """
    tx.run("DELETE FROM record_changes")
    tx.run("DELETE FROM sqlite_sequence WHERE name = 'record_changes'")
    sql = "INSERT INTO sqlite_sequence (name, seq) VALUES ('record_changes', :seq)"
    tx.run(sql, {"seq": after + 1})
