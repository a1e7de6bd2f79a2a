"""Errors of the server and of its connections, translated into errors with a next step."""

import contextlib
from collections.abc import Iterator

import psycopg
from psycopg_pool import PoolClosed, PoolTimeout

from contracts import (
    BusyError,
    IncompatibleError,
    InputError,
    MemError,
    NotFoundError,
    StorageError,
)
from memory.storage.database import DatabaseUnavailableError, StatementStoppedError

BUSY_TIMEOUT_S = 10.0
"""The time to wait for another writer, for a free connection, and for the server to answer."""

_NO_VECTORS = 'relation "vectors_'
_NO_SERVER_HINT = "start the server, or check memory.dsn; nothing that was saved is lost"


class ServerFailedError(StorageError):
    """The server has no memory or disk left, or damaged files; others fail there, too."""


def translate(error: Exception) -> MemError | None:
    """Return the error a caller can react to, or None for a mistake of this program.

    No message repeats the configured address, which may contain a password.
    """
    if isinstance(error, psycopg.errors.LockNotAvailable):
        return BusyError(
            f"another process has been using the database for over {BUSY_TIMEOUT_S:.0f} s",
            hint="try again, or see which process it is with `mem status`",
        )
    if isinstance(error, PoolClosed):
        return StorageError("the database has been closed", hint="open it again")
    if isinstance(error, PoolTimeout):
        return DatabaseUnavailableError(
            f"all connections to PostgreSQL have been in use for over {BUSY_TIMEOUT_S:.0f} s",
            hint="try again; if it happens often, run another server, or see what slows PostgreSQL",
        )
    if isinstance(error, psycopg.errors.QueryCanceled):
        return StatementStoppedError(
            "PostgreSQL stopped a statement that took longer than its statement_timeout",
            hint="try again, ask for less, or allow more time in memory.dsn",
        )
    if isinstance(error, psycopg.errors.SerializationFailure):
        return StatementStoppedError(
            "a replica of PostgreSQL stopped a read to go on following its server",
            hint="try again; a larger max_standby_streaming_delay lets reads end",
        )
    if isinstance(error, psycopg.errors.ProgramLimitExceeded):
        return InputError("a name or key is too long for an index of PostgreSQL", hint="shorten it")
    if isinstance(error, psycopg.errors.InsufficientPrivilege):
        return StorageError(
            f"PostgreSQL refuses: {error.diag.message_primary}",
            hint="give the role of memory.dsn the right to create and use its schema",
        )
    return _of_tables(error) or _of_server(error)


def _of_tables(error: Exception) -> MemError | None:
    """Return the error for tables that are not those of this program."""
    if isinstance(error, psycopg.errors.UndefinedColumn):
        return IncompatibleError(
            f"a newer version has changed the tables: {error.diag.message_primary}",
            hint="restart this program with that version; nothing that was saved is lost",
        )
    if isinstance(error, psycopg.errors.UndefinedTable) and _NO_VECTORS in str(error):
        return BusyError(
            f"a table is missing: {error.diag.message_primary}",
            hint="try again: another process may have removed a model's vectors; else run "
            "`mem doctor --fix`",
        )
    if isinstance(error, psycopg.errors.UndefinedTable):
        return NotFoundError(
            f"a table is missing: {error.diag.message_primary}",
            hint="the memory was dropped, or is damaged: mem tenant list, mem doctor --fix",
        )
    return None


def _of_server(error: Exception) -> MemError | None:
    """Return the error for a server that cannot do what it could do at another time."""
    if isinstance(error, psycopg.errors.DiskFull | psycopg.errors.OutOfMemory):
        return ServerFailedError(
            f"PostgreSQL refuses: {error.diag.message_primary}",
            hint="free some space on the server; nothing was damaged",
        )
    if isinstance(error, psycopg.errors.DataCorrupted | psycopg.errors.IndexCorrupted):
        return ServerFailedError(
            f"PostgreSQL cannot read its files: {error.diag.message_primary}",
            hint="look into the server's log; restore a backup, or make the replica again",
        )
    if isinstance(error, psycopg.errors.ConfigurationLimitExceeded):
        return StatementStoppedError(
            f"PostgreSQL stopped a statement: {error.diag.message_primary}",
            hint="ask for less, or allow more in temp_file_limit of the server",
        )
    if isinstance(error, psycopg.errors.DeadlockDetected):
        return StatementStoppedError(
            "PostgreSQL stopped a statement that another one waited for", hint="try again"
        )
    if isinstance(error, psycopg.errors.ReadOnlySqlTransaction):
        return DatabaseUnavailableError(
            "the PostgreSQL server is read-only",
            hint="name the primary server in memory.dsn, or wait until one is promoted",
        )
    if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        told = error.diag.message_primary or "the connection was lost or refused"
        return DatabaseUnavailableError(f"PostgreSQL cannot be used: {told}", hint=_NO_SERVER_HINT)
    return None


@contextlib.contextmanager
def translated() -> Iterator[None]:
    """Turn errors of the server and the connection into errors with a next step."""
    try:
        yield
    except (psycopg.Error, PoolTimeout) as error:
        known = translate(error)
        if known is None:
            raise
        raise known from None  # the driver's message may name what is secret
    except UnicodeEncodeError as error:
        raise InputError(
            f"a text cannot be stored: {error.reason} at character {error.start}",
            hint="send valid Unicode; rename a file or folder whose name is not Unicode",
        ) from error
