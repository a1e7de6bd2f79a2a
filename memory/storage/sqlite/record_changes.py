"""The log of changes of records, for followers: one entry a record and transaction.

The change log of chunks serves derived indexes: a sync trims it to its newest entries, and a new
vector or another chunker is a change there. A follower wants records, whatever their chunks do.
"""

from collections.abc import Mapping

import apsw

from memory.storage.database import Database, Transaction
from memory.storage.values import RecordChange, RecordChanges, RecordEvent, utc_now

CHANGES_OF_RECORDS_KEPT = 100_000
"""Entries kept, some 60 bytes each."""

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

_TOGETHER: Mapping[tuple[RecordEvent, RecordEvent], RecordEvent | None] = {
    ("added", "changed"): "added",
    ("added", "removed"): None,
    ("changed", "removed"): "removed",
    ("removed", "added"): "changed",
}
"""The event that two of one transaction are together; None: nothing happened."""


class NotedChanges:
    """The changes of records in one transaction, each record once."""

    def __init__(self) -> None:
        self._events: dict[tuple[str, str], RecordEvent] = {}

    def note(self, source: str, owner_id: str, event: RecordEvent) -> None:
        """Note what happened to a record, together with what happened to it before."""
        record = source, owner_id
        before = self._events.get(record)
        together = event if before is None else _TOGETHER.get((before, event), event)
        if together is None:
            del self._events[record]
        else:
            self._events[record] = together

    def write(self, connection: apsw.Connection, *, keep: int = CHANGES_OF_RECORDS_KEPT) -> None:
        """Write the entries at the end of the transaction, and drop the oldest of the log."""
        if not self._events:
            return
        now = utc_now()
        rows = (
            {"at": now, "event": event, "source": source, "owner_id": owner_id}
            for (source, owner_id), event in self._events.items()
        )
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
