"""The version of a SQLite database's tables, and how an older one is brought to this program's.

`tables` has those of a new database; what a database gains while it is used, the tables of a space,
is here.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import apsw

from contracts import IncompatibleError, StorageError
from memory.storage.sqlite.errors import DAMAGED
from memory.storage.sqlite.header import APPLICATION_ID, is_version

Migration: TypeAlias = Callable[[apsw.Connection], None]

BASE_VERSION = 12
"""The version of the tables that a new database begins with."""


VERSION = 24
"""The version of this program's tables: BASE_VERSION, and a step of `migrations.steps` each."""

SPLIT_SINCE = 23
"""The first version whose vectors are split into two bytes a component."""

DEFINES_SINCE = 21
"""The first version whose chunks name the definitions that begin in them."""

_OUR_TABLES_SQL = """SELECT count(*) FROM sqlite_schema WHERE type = 'table'
    AND name IN ('chunks_fts', 'embedding_cache', 'refused_texts', 'memory_words')"""
"""The tables that together no other program has, and their number."""

_OUR_TABLES = 4


def vector_tables_sql(vectors: str, codes: str) -> str:
    """Return the statements that create the two tables of a space.

    The codes have their own table: a scan that had to skip what they leave took a third longer.
    """
    return f"""
CREATE TABLE {vectors} (
    chunk_id INTEGER PRIMARY KEY REFERENCES chunks (id) ON DELETE CASCADE,
    v BLOB NOT NULL
);
CREATE TABLE {codes} (
    chunk_id INTEGER PRIMARY KEY REFERENCES {vectors} (chunk_id) ON DELETE CASCADE,
    q BLOB NOT NULL
);
"""


def vector_log_sql(vectors: str) -> str:
    """Return the statements that log changes of a space's vectors in the change log.

    Only the active space has them: changes of other spaces change no answer.
    """
    return f"""
CREATE TRIGGER {vectors}_inserted AFTER INSERT ON {vectors} BEGIN
    INSERT INTO changes (chunk_id) VALUES (new.chunk_id);
END;
CREATE TRIGGER {vectors}_updated AFTER UPDATE ON {vectors} BEGIN
    INSERT INTO changes (chunk_id) VALUES (new.chunk_id);
END;
"""


_ANY_TABLE_SQL = "SELECT 1 FROM sqlite_schema LIMIT 1"


def check_version(connection: apsw.Connection, path: str, *, newest: int = VERSION) -> int:
    """The database's version, 0 for an empty file; only reads.

    Raises IncompatibleError for another program's database, and for one of a version before
    BASE_VERSION or after `newest`, StorageError for one of this program that lost its mark or
    version.
    """
    version = int(connection.pragma("user_version") or 0)
    owner = connection.pragma("application_id")
    if owner != APPLICATION_ID:
        if connection.execute(_OUR_TABLES_SQL).get == _OUR_TABLES:
            raise StorageError(
                f"{path} is damaged: its header has the id of another program",
                hint="put a backup back with `mem restore FILE`, or see what `mem doctor` finds",
            )
        if owner or version or connection.execute(_ANY_TABLE_SQL).fetchall():
            raise IncompatibleError(
                f"{path} is a database of another program",
                hint="name another file with --db, or move it away",
            )
        return 0
    if not version:  # another process may have made the tables between the two reads
        version = int(connection.pragma("user_version") or 0)
    if not is_version(version) and (version or connection.execute(_ANY_TABLE_SQL).fetchall()):
        raise StorageError(
            f"{path} is damaged: its header has lost the version of the tables", hint=DAMAGED
        )
    if version > newest:
        raise IncompatibleError(
            f"{path} has version {version}, this program knows versions up to {newest}",
            hint="upgrade symbiosis-memory, or name another file with --db",
        )
    if version and version < BASE_VERSION:
        raise IncompatibleError(
            f"{path} has version {version}, this program knows versions from {BASE_VERSION}",
            hint="run mem export with the program that made it, then mem import into a new file",
        )
    return version


def migrate(
    connection: apsw.Connection, path: str, *, migrations: Sequence[Migration] | None = None
) -> None:
    """Bring the database to the newest version, each step in one transaction with its record."""
    newest = VERSION if migrations is None else BASE_VERSION + len(migrations)
    while check_version(connection, path, newest=newest) < newest:
        connection.execute("BEGIN IMMEDIATE").fetchall()
        try:
            # Another process may have migrated while this one waited for the lock.
            version = check_version(connection, path, newest=newest)
            if version < newest:
                reached = _step(connection, version, migrations)
                connection.pragma("user_version", reached)
                connection.pragma("application_id", APPLICATION_ID)
            connection.execute("COMMIT").fetchall()
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK").fetchall()
            raise


def _step(connection: apsw.Connection, version: int, migrations: Sequence[Migration] | None) -> int:
    """Make the step from a version, 0 for an empty database; return the version it reaches."""
    from memory.storage.sqlite.migrations.steps import MIGRATIONS  # most databases are past them
    from memory.storage.sqlite.tables import TABLES

    if version == 0:
        connection.execute(TABLES).fetchall()
        return BASE_VERSION
    steps = MIGRATIONS if migrations is None else migrations
    steps[version - BASE_VERSION](connection)
    return version + 1
