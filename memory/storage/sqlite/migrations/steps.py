"""The steps from one version of the tables to the next; a released one never changes."""

from collections.abc import Callable, Sequence
from typing import Final

import apsw

from memory.storage.sqlite.database import SqliteTransaction
from memory.storage.sqlite.migrations import (
    capture_tables,
    definition_names,
    episode_tables,
    note_tables,
    record_tables,
    token_tables,
    triple_tables,
)
from memory.storage.sqlite.migrations.column_defaults import add_column_defaults
from memory.storage.sqlite.migrations.inserted_records import add_defaults_of_records
from memory.storage.sqlite.migrations.vector_bytes import split_vectors
from memory.storage.sqlite.record_changes import TABLE_SQL, restart_log


def _running(statements: Sequence[str]) -> Callable[[apsw.Connection], None]:
    """Return the step that runs these statements, in an open transaction."""

    def step(connection: apsw.Connection) -> None:
        for sql in statements:
            connection.execute(sql).fetchall()

    return step


def _add_record_changes(connection: apsw.Connection) -> None:
    tx = SqliteTransaction(connection)
    tx.run(TABLE_SQL)
    if tx.run("SELECT 1 FROM chunks LIMIT 1"):
        restart_log(tx, after=0)  # of these the log knows nothing


MIGRATIONS: Final = (
    add_column_defaults,
    _running(episode_tables.STATEMENTS),
    _running(triple_tables.STATEMENTS),
    _running(["CREATE INDEX chunks_source ON chunks (source)"]),
    _running(record_tables.STATEMENTS),
    _add_record_changes,
    _running(token_tables.STATEMENTS),
    _running(capture_tables.STATEMENTS),
    _running(definition_names.STATEMENTS),
    _running(note_tables.STATEMENTS),
    split_vectors,
    add_defaults_of_records,
)
