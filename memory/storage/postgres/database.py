"""The database in a schema of a PostgreSQL server: its reads, snapshots and transactions.

Each statement names its schema by the search path of its own transaction, so that connections may
be shared with other schemas, by this program or by a pooler between it and the server.

Writers of one schema wait for each other: each transaction holds an advisory lock until its end.
So the numbers of the change log follow the order of commits, and a reader that has seen a number
has seen all lower ones.
"""

import contextlib
import functools
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import psycopg
from psycopg import ClientCursor, sql

from contracts import BusyError, MemError
from memory.storage.database import DatabaseUnavailableError
from memory.storage.postgres.connections import (
    BUSY_TIMEOUT_S,
    MOST_CONNECTIONS,
    STATE_SQL,
    Facts,
    FactsByConnection,
    ServerPool,
    checked_dsn,
    translated,
)
from memory.storage.postgres.replicas import Replicas
from memory.storage.postgres.statements import in_postgres
from memory.storage.postgres.values import adapt
from memory.storage.postgres.work_locks import HELD_SQL, PostgresWorkLock, lock_number
from memory.storage.postgres.writing.posting_blocks import Unmerged
from memory.storage.postgres.writing.transaction import PostgresTransaction
from memory.storage.values import Parameters, Row

_PLAIN_PLANS_SQL = "SET LOCAL max_parallel_workers_per_gather = 0; SET LOCAL jit = off"
"""To start other processes or to compile takes longer than nearly all statements."""

_TABLES_SQL = """
SELECT c.relname FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE n.nspname = %s AND c.relkind = 'r' ORDER BY c.relname
"""


def _last_rows(
    connection: psycopg.Connection[Any], sql: str, values: Mapping[str, Any]
) -> list[Row]:
    """Return the rows of the last of several statements."""
    cursor = connection.execute(sql, values)
    while cursor.nextset():
        pass
    return cursor.fetchall()


def _begun(connection: psycopg.Connection[Any], sql: str) -> str | None:
    """Return the value that the last of several statements returns, if it returns any."""
    cursor = connection.execute(sql)
    while cursor.nextset():
        pass
    row = cursor.fetchone() if cursor.description else None
    return None if row is None else row[0]


def _commit(connection: psycopg.Connection[Any]) -> None:
    try:
        connection.execute("COMMIT")
    except psycopg.OperationalError as error:
        if not connection.closed:
            raise
        raise DatabaseUnavailableError(
            "the connection to PostgreSQL was lost while a change was being saved",
            hint="look whether it was saved, wholly or not at all, and else do it again",
        ) from error.__cause__


class PostgresDatabase:
    """One schema of a database, on a pool of connections that other schemas may share."""

    def __init__(
        self,
        dsn: str,
        schema: str,
        *,
        most: int = MOST_CONNECTIONS,
        pool: ServerPool | None = None,
    ) -> None:
        """Use the connections of `pool`, which its owner opens and closes, or else own ones."""
        checked_dsn(dsn)
        self.dsn = dsn
        self.schema = schema
        self.quoted_schema = sql.Identifier(schema).as_string(None)
        self.name = f"symbiosis-memory {schema}"
        """The name of its connections in the server's lists."""
        self._role_sql = ""
        self.vectors_in = "public"
        """The schema of the extension pgvector, quoted."""
        self._held = threading.local()
        self._facts = FactsByConnection()
        self._unmerged = Unmerged()
        self._is_guest = pool is not None
        self._pool = pool or self._new_pool(dsn, most)
        self.replicas = Replicas([], lag_s=0.0)

    def _new_pool(self, dsn: str, most: int = MOST_CONNECTIONS) -> ServerPool:
        return ServerPool(dsn, most=most, name=self.name, configure=self._configure)

    def use_replicas(self, addresses: Sequence[str], *, lag_s: float) -> None:
        """Let these servers answer for reads inside `reading_from`."""
        for dsn in addresses:
            checked_dsn(dsn, "an entry of memory.replicas", is_one_server=True)
        self.replicas = Replicas([self._new_pool(dsn) for dsn in addresses], lag_s=lag_s)

    @contextlib.contextmanager
    def reading_from(self, pool: ServerPool) -> Iterator[None]:
        """Read from another server inside this block, in this thread; writes go where they did."""
        outer = getattr(self._held, "source", None)
        self._held.source = pool
        try:
            yield
        finally:
            self._held.source = outer

    @property
    def _source(self) -> ServerPool:
        """The connections for a read of this thread."""
        return getattr(self._held, "source", None) or self._pool

    def beside(self, schema: str) -> "PostgresDatabase":
        """Return another schema of the same database, on the connections of this one."""
        other = PostgresDatabase(self.dsn, schema, pool=self._pool)
        other.replicas = self.replicas
        return other

    def act_as(self, role: str | None) -> None:
        """Run all statements as this role; None: as that of the connections."""
        self._role_sql = f"ROLE {sql.Identifier(role).as_string(None)}" if role else ""

    def connect(self) -> psycopg.Connection[Any]:
        """Return a connection of its own, outside the pool; the caller closes it."""
        with translated():
            connection = self._pool.connect(application_name=self.name)
            if self._role_sql:
                connection.execute(f"SET {self._role_sql}")
            return connection

    def open(self, *, vectors_in: str, halfvec_oid: int) -> None:
        """Open the pool, once the schema exists."""
        self.vectors_in = sql.Identifier(vectors_in).as_string(None)
        self._halfvec_oid = halfvec_oid
        if not self._is_guest:
            with translated():
                self._pool.open()

    def _configure(self, connection: psycopg.Connection[Any]) -> None:
        connection.prepare_threshold = None  # a pooler between may not know what was prepared
        adapt(connection, halfvec_oid=self._halfvec_oid)

    @property
    def path_sql(self) -> str:
        """The beginning of every transaction: only this schema's tables have a name in it.

        A trigger in another schema may have left temporary tables, or a role, on the connection.
        """
        role = f"SET LOCAL {self._role_sql}" if self._role_sql else "RESET ROLE"
        return f"SET LOCAL search_path = {self.quoted_schema}, pg_temp; {_PLAIN_PLANS_SQL}; {role}"

    @property
    def _connection(self) -> psycopg.Connection[Any] | None:
        """The connection of this thread's transaction, if there is one."""
        return getattr(self._held, "connection", None)

    def read(self, sql: str, parameters: Parameters | None = None) -> list[Row]:
        statement, values = in_postgres(sql, parameters)
        held = self._connection
        with translated():
            if held is not None:
                if self._held.transaction is not None:
                    self._held.transaction.settle(sql)
                    self._held.transaction.send()
                return held.execute(statement, values).fetchall()
            read = functools.partial(_last_rows, sql=self._with_path(statement), values=values)
            return self._source.run(read, schema=self.schema)

    def read_at_once(self, _sql: str) -> None:
        """Return None: a server is asked over a network."""

    def read_apart(self, sql: str, parameters: Parameters) -> list[Row]:
        """Read on a connection of its own, with which the server forgets all that it opened."""
        statement, values = in_postgres(sql, parameters)
        with self.connect() as connection, translated():
            return _last_rows(connection, self._with_path(statement), values)

    def _with_path(self, statement: str) -> str:
        """Return a statement with the path before it; sent together they are one transaction."""
        path = self.path_sql.replace("%", "%%")  # the driver's placeholders begin with it
        return f"{path}; {statement}"

    def read_binary(self, sql: str, parameters: Mapping[str, Any]) -> list[Row]:
        """Return the rows of a statement that has vectors, as float16 rows."""
        statement, values = in_postgres(sql, parameters)
        with self.snapshot(), translated():
            if self._held.transaction is not None:
                self._held.transaction.settle(sql)
                self._held.transaction.send()
            connection = self._connection
            assert connection is not None  # noqa: S101  # the snapshot holds it; tells mypy
            text = ClientCursor(connection).mogrify(statement, values)
            cursor = psycopg.Cursor(connection)
            return cursor.execute(text.replace("%", "%%"), (), binary=True).fetchall()

    def read_once(self, sql: str) -> list[Row]:
        facts: Facts | None = getattr(self._held, "facts", None)
        return self.read(sql) if facts is None else facts.of(sql, self._read_together)

    def _read_together(self, statements: Sequence[str]) -> list[list[Row]]:
        """Return the rows of each of these statements in this thread's snapshot."""
        connection = self._connection
        assert connection is not None  # noqa: S101  # the snapshot holds it; tells mypy
        together = "; ".join(in_postgres(one)[0] for one in statements)
        with translated():
            cursor = connection.execute(together, {})
            found = [cursor.fetchall()]
            while cursor.nextset():
                found.append(cursor.fetchall())
        return found

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[None]:
        if self._connection is not None:
            yield
            return
        begin = f"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; {self.path_sql}; {STATE_SQL}"
        with self._holding(begin, self._source) as (connection, state):
            self._held.facts = self._facts.at(connection, state)
            try:
                yield
            finally:
                self._held.facts = None

    def snapshot_elsewhere(self) -> Callable[[], contextlib.AbstractContextManager[None]]:
        """Return what begins a snapshot of the server that this thread reads from in another."""
        source = self._source

        @contextlib.contextmanager
        def begin() -> Iterator[None]:
            with self.reading_from(source), self.snapshot():
                yield

        return begin

    @contextlib.contextmanager
    def transaction(self, *, wait: bool = True) -> Iterator[PostgresTransaction]:
        if self._connection is not None:
            raise psycopg.ProgrammingError("cannot start a transaction within a transaction")
        timeout = f"SET LOCAL lock_timeout = '{BUSY_TIMEOUT_S:.0f}s'"
        with self._holding(f"BEGIN; {self.path_sql}; {timeout}", self._pool) as (connection, _):
            self._lock_writing(connection, wait=wait)
            for lock in self._guards():
                lock.require_held()
            self._held.transaction = transaction = PostgresTransaction(connection, self._unmerged)
            yield transaction
            transaction.write_changes()
        if self._unmerged.is_vacuum_due:
            self._unmerged.is_vacuum_due = False
            with contextlib.suppress(MemError):  # the transaction is saved, whatever happens here
                self.vacuum("posting_blocks", waits=False)

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
    def _holding(
        self, begin: str, pool: ServerPool
    ) -> Iterator[tuple[psycopg.Connection[Any], str | None]]:
        """Keep a connection for this thread from the beginning of a transaction to its end.

        Yield it with what the last of the statements that begin the transaction returns, if it
        returns anything.
        """
        with (
            translated(),
            pool.borrowed(functools.partial(_begun, sql=begin), schema=self.schema) as begun,
        ):
            connection, _ = begun
            self._held.connection, self._held.transaction = connection, None
            try:
                yield begun
                _commit(connection)
            except BaseException:
                if not connection.closed:
                    connection.execute("ROLLBACK")
                raise
            finally:
                self._held.connection = self._held.transaction = None

    @contextlib.contextmanager
    def erasing(self) -> Iterator[None]:
        """Do nothing: what the server keeps of removed rows is the server's matter."""
        yield

    def vacuum(self, *tables: str, waits: bool = True) -> bool:
        """Let the server remove what no snapshot sees any more, from all tables; return True.

        Without `waits` it leaves out tables that another VACUUM works on.

        What its log, its free space and its backups keep is the server's matter.
        """
        with self.connect() as connection, translated():
            if not tables:
                rows = connection.execute(_TABLES_SQL, (self.schema,)).fetchall()
                tables = tuple(name for (name,) in rows)
            names = (sql.Identifier(self.schema, name).as_string(None) for name in tables)
            how = "" if waits else "(SKIP_LOCKED) "
            connection.execute(f"VACUUM {how}{', '.join(names)}")
        return True

    def work_lock(self, work: str) -> PostgresWorkLock:
        number = lock_number(self.schema, work)
        return PostgresWorkLock(
            number,
            work,
            connect=self.connect,
            is_locked=lambda: bool(self.read(HELD_SQL, {"number": number})),
            guards=self._guards,
        )

    def _guards(self) -> list[PostgresWorkLock]:
        """Return the locks of work on which the transactions of this thread depend."""
        guards: list[PostgresWorkLock] = self._held.__dict__.setdefault("guards", [])
        return guards

    def use_less_memory(self) -> None:
        """Do nothing: connections keep little memory here."""

    def close(self) -> None:
        if self._is_guest:
            self._pool, self._is_guest = self._new_pool(self.dsn), False  # never opened: refuses
            self.replicas = Replicas([], lag_s=0.0)
        else:
            self.replicas.close()
        self._pool.close()
