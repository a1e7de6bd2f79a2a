"""Connections to a schema of a PostgreSQL database, and the error translation they share.

Each statement names its schema by the search path of its own transaction, so that connections may
be shared with other schemas, by this program or by a pooler between it and the server.

Writers of one schema wait for each other: each transaction holds an advisory lock until its end.
So the numbers of the change log follow the order of commits, and a reader that has seen a number
has seen all lower ones.
"""

import contextlib
import logging
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg import ClientCursor, sql
from psycopg.conninfo import conninfo_to_dict
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout

from contracts import BusyError, ConfigError, InputError, MemError, StorageError
from memory.storage.database import Transaction
from memory.storage.postgres.logged_statements import run_logged, write_log
from memory.storage.postgres.statements import in_postgres, numbered_table
from memory.storage.postgres.values import adapt
from memory.storage.postgres.work_locks import HELD_SQL, PostgresWorkLock
from memory.storage.values import Parameters, RecordEvent, Row

if TYPE_CHECKING:
    from memory.storage.portable.noted_changes import NotedChanges

BUSY_TIMEOUT_S = 10.0
"""The time to wait for another writer, for a free connection, and for the server to answer."""

MOST_CONNECTIONS = 16

# Failures reach the caller as errors; the pool would also print them.
logging.getLogger("psycopg.pool").addHandler(logging.NullHandler())

_NO_SERVER_HINT = "start the server, or check memory.dsn"


_PAST_SQL = """
SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table}
"""
"""The next number that the server gives is past all that statements have chosen."""

_TABLES_SQL = """
SELECT c.relname FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE n.nspname = %s AND c.relkind = 'r' ORDER BY c.relname
"""


def translate(error: Exception) -> MemError | None:
    """Return the error a caller can react to, or None for a mistake of this program.

    No message repeats the configured address, which may contain a password.
    """
    if isinstance(error, psycopg.errors.LockNotAvailable | PoolTimeout):
        return BusyError(
            f"another process has been using the database for over {BUSY_TIMEOUT_S:.0f} s",
            hint="try again, or see which process it is with `mem status`",
        )
    if isinstance(error, PoolClosed):
        return StorageError("the database has been closed", hint="open it again")
    if isinstance(error, psycopg.errors.ProgramLimitExceeded):
        return InputError("a name or key is too long for an index of PostgreSQL", hint="shorten it")
    if isinstance(error, psycopg.errors.InsufficientPrivilege):
        return StorageError(
            f"PostgreSQL refuses: {error.diag.message_primary}",
            hint="give the role of memory.dsn the right to create and use its schema",
        )
    if isinstance(error, psycopg.errors.DiskFull | psycopg.errors.OutOfMemory):
        return StorageError(
            f"PostgreSQL refuses: {error.diag.message_primary}",
            hint="free some space on the server; nothing was damaged",
        )
    if isinstance(error, psycopg.errors.ReadOnlySqlTransaction):
        return StorageError(
            "the PostgreSQL server is read-only", hint="name the primary server in memory.dsn"
        )
    if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        told = error.diag.message_primary or "the connection was lost or refused"
        return StorageError(f"PostgreSQL cannot be used: {told}", hint=_NO_SERVER_HINT)
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


def checked_dsn(dsn: str) -> None:
    """Raise ConfigError for an address that the driver cannot read, without repeating it."""
    try:
        fields = conninfo_to_dict(dsn)
    except psycopg.Error:
        fields = {}
    if not fields:
        raise ConfigError(
            "memory.dsn is not an address of PostgreSQL",
            hint='write it like "postgresql://user:${PASSWORD}@host:5432/database"',
        )


def lock_number(schema: str, work: str) -> int:
    """Return the number of an advisory lock, from the names of the schema and of the work."""
    digest = blake2b(f"symbiosis-memory {schema} {work}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


class PostgresTransaction:
    """Statements inside one `BEGIN` ... `COMMIT` of the schema's only writer."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self.connection = connection
        self._changes: NotedChanges | None = None
        self._changed_chunks: dict[int, None] = {}

    def run(self, sql: str, parameters: Parameters | None = None) -> list[Row]:
        statement, values = in_postgres(sql, parameters)
        rows = run_logged(self.connection, statement, values, log=self.log_chunks)
        if (table := numbered_table(statement, values)) is not None:
            self.connection.execute(_PAST_SQL.format(table=table))
        return rows

    def run_many(self, sql: str, rows: Iterable[Parameters]) -> None:
        for row in rows:
            self.run(sql, row)

    def log_chunks(self, chunk_ids: Iterable[int]) -> None:
        """Log at the end that these chunks changed, each once."""
        self._changed_chunks |= dict.fromkeys(chunk_ids)

    def bind_many(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        """Run a statement of PostgreSQL alone once per row, with values in their binary form."""
        if rows:
            psycopg.Cursor(self.connection).executemany(sql, rows)

    def note_change(self, source: str, owner_id: str, event: RecordEvent) -> None:
        if self._changes is None:
            from memory.storage.portable.noted_changes import NotedChanges

            self._changes = NotedChanges()
        self._changes.note(source, owner_id, event)

    def write_changes(self) -> None:
        """Write the logs; the last thing before the end of the transaction."""
        write_log(self.connection, list(self._changed_chunks))
        if self._changes is not None:
            from memory.storage.postgres.record_changes import write_changes

            write_changes(self.connection, self._changes)


def own_transaction(tx: Transaction) -> PostgresTransaction:
    """Return the transaction as one of this backend."""
    if not isinstance(tx, PostgresTransaction):
        raise TypeError("the transaction is of another backend")
    return tx


class PostgresDatabase:
    """A pool of connections to one schema of a database."""

    def __init__(self, dsn: str, schema: str, *, most: int = MOST_CONNECTIONS) -> None:
        checked_dsn(dsn)
        self.dsn = dsn
        self.schema = schema
        self._schema = sql.Identifier(schema).as_string(None)
        self.name = f"symbiosis-memory {schema}"
        """The name of its connections in the server's lists."""
        self.vectors_in = "public"
        """The schema of the extension pgvector, quoted."""
        self._held = threading.local()
        self._pool: ConnectionPool[psycopg.Connection[Any]] = ConnectionPool(
            dsn,
            min_size=1,
            max_size=most,
            open=False,
            timeout=BUSY_TIMEOUT_S,
            reconnect_timeout=BUSY_TIMEOUT_S,
            kwargs={
                "autocommit": True,
                "cursor_factory": ClientCursor,
                "connect_timeout": int(BUSY_TIMEOUT_S),
                "application_name": self.name,
            },
            configure=self._configure,
            check=ConnectionPool.check_connection,  # the server may have been started again
        )

    def connect(self) -> psycopg.Connection[Any]:
        """Return a connection of its own, outside the pool; the caller closes it."""
        with translated():
            return psycopg.connect(
                self.dsn,
                autocommit=True,
                cursor_factory=ClientCursor,
                connect_timeout=int(BUSY_TIMEOUT_S),
                application_name=self.name,
            )

    def open(self, *, vectors_in: str, halfvec_oid: int) -> None:
        """Open the pool, once the schema exists."""
        self.vectors_in = sql.Identifier(vectors_in).as_string(None)
        self._halfvec_oid = halfvec_oid
        with translated():
            self._pool.open()

    def _configure(self, connection: psycopg.Connection[Any]) -> None:
        connection.prepare_threshold = None  # a pooler between may not know what was prepared
        adapt(connection, halfvec_oid=self._halfvec_oid)

    @property
    def path_sql(self) -> str:
        """The beginning of every transaction: only this schema's tables have a name in it."""
        return f"SET LOCAL search_path = {self._schema}"

    @contextlib.contextmanager
    def connection(self) -> Iterator[tuple[psycopg.Connection[Any], bool]]:
        """Return a connection for this thread only, and whether it is in a transaction."""
        held: psycopg.Connection[Any] | None = getattr(self._held, "connection", None)
        with translated():
            if held is not None:
                yield held, True
                return
            with self._pool.connection() as connection:
                yield connection, False

    def read(self, sql: str, parameters: Parameters | None = None) -> list[Row]:
        statement, values = in_postgres(sql, parameters)
        with self.connection() as (connection, in_transaction):
            if in_transaction:
                return connection.execute(statement, values).fetchall()
            # Several statements sent together are one transaction.
            cursor = connection.execute(f"{self.path_sql}; {statement}", values)
            while cursor.nextset():
                pass
            return cursor.fetchall()

    def read_binary(self, sql: str, parameters: Mapping[str, Any]) -> list[Row]:
        """Return the rows of a statement that has vectors, as float16 rows."""
        statement, values = in_postgres(sql, parameters)
        with self.snapshot(), self.connection() as (connection, _):
            text = ClientCursor(connection).mogrify(statement, values)
            return (
                psycopg.Cursor(connection)
                .execute(text.replace("%", "%%"), (), binary=True)
                .fetchall()
            )

    def read_once(self, sql: str) -> list[Row]:
        known: dict[str, list[Row]] | None = getattr(self._held, "known", None)
        if known is None:
            return self.read(sql)
        if sql not in known:
            known[sql] = self.read(sql)
        return known[sql]

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[None]:
        with self.connection() as (connection, in_transaction):
            if in_transaction:
                yield
                return
            begin = f"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; {self.path_sql}"
            with self._holding(connection, begin):
                self._held.known = {}
                try:
                    yield
                finally:
                    self._held.known = None

    @contextlib.contextmanager
    def transaction(self, *, wait: bool = True) -> Iterator[PostgresTransaction]:
        with self.connection() as (connection, in_transaction):
            if in_transaction:
                raise psycopg.ProgrammingError("cannot start a transaction within a transaction")
            timeout = f"SET LOCAL lock_timeout = '{BUSY_TIMEOUT_S:.0f}s'"
            with self._holding(connection, f"BEGIN; {self.path_sql}; {timeout}"):
                self._lock_writing(connection, wait=wait)
                transaction = PostgresTransaction(connection)
                yield transaction
                transaction.write_changes()

    def _lock_writing(self, connection: psycopg.Connection[Any], *, wait: bool) -> None:
        number = lock_number(self.schema, "write")
        if wait:
            connection.execute(f"SELECT pg_advisory_xact_lock({number})")
            return
        row = connection.execute(f"SELECT pg_try_advisory_xact_lock({number})").fetchone()
        if row is not None and not row[0]:
            raise BusyError(
                "another process is writing to the database", hint="try again in a moment"
            )

    @contextlib.contextmanager
    def _holding(self, connection: psycopg.Connection[Any], begin: str) -> Iterator[None]:
        """Keep a connection for this thread from the beginning of a transaction to its end."""
        connection.execute(begin)
        self._held.connection = connection
        try:
            yield
            connection.execute("COMMIT")
        except BaseException:
            if not connection.closed:
                connection.execute("ROLLBACK")
            raise
        finally:
            self._held.connection = None

    @contextlib.contextmanager
    def erasing(self) -> Iterator[None]:
        """Do nothing: what the server keeps of removed rows is the server's matter."""
        yield

    def vacuum(self) -> bool:
        """Let the server remove what no snapshot sees any more; return True.

        What its log, its free space and its backups keep is the server's matter.
        """
        with self.connect() as connection, translated():
            tables = connection.execute(_TABLES_SQL, (self.schema,)).fetchall()
            names = (sql.Identifier(self.schema, name).as_string(None) for (name,) in tables)
            connection.execute(f"VACUUM {', '.join(names)}")
        return True

    def work_lock(self, work: str) -> PostgresWorkLock:
        number = lock_number(self.schema, work)
        return PostgresWorkLock(
            number,
            connect=self.connect,
            is_held=lambda: bool(self.read(HELD_SQL, {"number": number})),
        )

    def use_less_memory(self) -> None:
        """Do nothing: connections keep little memory here."""

    def close(self) -> None:
        self._pool.close()
