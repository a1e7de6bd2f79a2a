"""Which version of the tables a SQLite database has, and how it is brought to this program's.

The tables themselves are made by the numbered steps of `migrations`; what a database gains while it
is used, the tables of a space, is here.
"""

import apsw

from contracts import IncompatibleError

VERSION = 12
"""The version of this program's tables: how many migrations there are."""

APPLICATION_ID = 0x53594D4D
"""Marks a file as ours in SQLite's header ("SYMM")."""

FTS_TOKENIZER = "porter"
FTS_TOKENIZER_OPTIONS = ("unicode61", "remove_diacritics", "2", "categories", "L* N* Co Mn Mc")
"""Stems English and folds accents; marks stay inside words, or Thai and Hindi would fall apart."""


def vector_tables_sql(vectors: str, codes: str) -> str:
    """The statements that make the two tables of a space.

    The int8 codes have a table of their own: a scan that had to pass the float16 rows on its way
    took a third longer.
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
    """The statements that give the vectors of a space their share of the change log.

    Only the active space has one: what a space beside it gets changes no answer.
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
    """The database's version, 0 for an empty file; only reads.

    Raises IncompatibleError for another program's database and for a newer version's.
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
    """Bring the database to a version, each step in one transaction with the record of it."""
    while check_version(connection, path) < target:
        from memory.storage.sqlite.migrations.steps import MIGRATIONS  # most find nothing to do

        connection.execute("BEGIN IMMEDIATE").fetchall()
        try:
            # Another process may have made the step while this one waited for the lock.
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
