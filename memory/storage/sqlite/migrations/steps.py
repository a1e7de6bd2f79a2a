"""The steps from one version of the tables to the next; a released one never changes."""

from typing import Final

import apsw

from memory.storage.sqlite.database import SqliteTransaction
from memory.storage.sqlite.migrations.capture_tables import add_capture
from memory.storage.sqlite.migrations.column_defaults import add_column_defaults
from memory.storage.sqlite.migrations.definition_names import add_definition_names
from memory.storage.sqlite.migrations.episode_tables import add_episodes
from memory.storage.sqlite.migrations.inserted_records import add_defaults_of_records
from memory.storage.sqlite.migrations.note_tables import add_notes
from memory.storage.sqlite.migrations.record_tables import add_records
from memory.storage.sqlite.migrations.token_tables import add_tokens
from memory.storage.sqlite.migrations.triple_tables import add_triples
from memory.storage.sqlite.migrations.vector_bytes import split_vectors
from memory.storage.sqlite.record_changes import TABLE_SQL, restart_log


def _add_index_of_sources(connection: apsw.Connection) -> None:
    connection.execute("CREATE INDEX chunks_source ON chunks (source)").fetchall()


def _add_record_changes(connection: apsw.Connection) -> None:
    tx = SqliteTransaction(connection)
    tx.run(TABLE_SQL)
    if tx.run("SELECT 1 FROM chunks LIMIT 1"):
        restart_log(tx, after=0)  # of these the log knows nothing


MIGRATIONS: Final = (
    add_column_defaults,
    add_episodes,
    add_triples,
    _add_index_of_sources,
    add_records,
    _add_record_changes,
    add_tokens,
    add_capture,
    add_definition_names,
    add_notes,
    split_vectors,
    add_defaults_of_records,
)
