"""The schema version of a SQLite database, its migration, and the tables of a space.

The numbered steps of `migrations` create the other tables.
"""

import apsw

from contracts import IncompatibleError

VERSION = 12
"""The schema version of this program: the number of migrations."""

APPLICATION_ID = 0x53594D4D
"""The application id in SQLite's header that marks a file as ours ("SYMM")."""

FTS_TOKENIZER = "porter"
FTS_TOKENIZER_OPTIONS = ("unicode61", "remove_diacritics", "2", "categories", "L* N* Co Mn Mc")
"""Stems English and folds accents; marks stay inside words, or Thai and Hindi would be split."""


def vector_tables_sql(vectors: str, codes: str) -> str:
    """Return the statements that create the two tables of a space.

    The int8 codes have their own table: a scan that had to skip the float16 rows took a third
    longer.
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


def check_version(connection: apsw.Connection, path: str) -> int:
    """Return the database's version, 0 for an empty file; only reads.

    Raises IncompatibleError for another program's database and for a newer version.
    """
    version = int(connection.pragma("user_version") or 0)
    owner = connection.pragma("application_id")
    if owner != APPLICATION_ID:
        if owner or version or connection.execute(_ANY_TABLE_SQL).fetchall():
            raise IncompatibleError(
                f"{path} is a database of another program",
                hint="name another file with --db, or move it away",
            )
        return 0
    if version > VERSION:
        raise IncompatibleError(
            f"{path} has version {version}, this program knows versions up to {VERSION}",
            hint="upgrade symbiosis-memory, or name another file with --db",
        )
    return version


def migrate(connection: apsw.Connection, path: str, *, target: int = VERSION) -> None:
    """Migrate the database to a version; each step and its record are one transaction."""
    while check_version(connection, path) < target:
        from memory.storage.sqlite.migrations.steps import MIGRATIONS  # most databases are current

        connection.execute("BEGIN IMMEDIATE").fetchall()
        try:
            # Another process may have migrated while this one waited for the lock.
            version = check_version(connection, path)
            if version < target:
                MIGRATIONS[version](connection)
                connection.pragma("user_version", version + 1)
                connection.pragma("application_id", APPLICATION_ID)
            connection.execute("COMMIT").fetchall()
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK").fetchall()
            raise
