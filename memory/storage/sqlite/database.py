"""The database in a SQLite file: its pool of connections, snapshots and transactions."""

import contextlib
import threading
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from contracts import StorageError
from contracts.named_tuple import NamedTuple
from memory.storage.sqlite.connection import FileState, connect, file_state, is_immutable
from memory.storage.sqlite.errors import BUSY_TIMEOUT_MS, Translating, translated
from memory.storage.sqlite.statements import in_sqlite
from memory.storage.values import Parameters, RecordEvent, Row

if TYPE_CHECKING:
    from memory.storage.portable.noted_changes import NotedChanges

IDLE_CONNECTIONS = 8
"""The number of idle connections in the pool."""

MAPPED_CONNECTIONS = 2
"""One for each search that runs at once (`memory.retrieval.server_caches.AT_ONCE`): with one, half
of the searches of 16 clients copied 130 pages each.
"""


class _Facts(NamedTuple):
    """The rows of statements that a connection has read once, and the version of the database.

    The version differs after a write by any other connection, of this process or another.
    """

    version: int
    rows: dict[str, list[Row]]


class SqliteTransaction:
    """Statements inside one `BEGIN IMMEDIATE` ... `COMMIT`."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._changes: NotedChanges | None = None

    def run(self, sql: str, parameters: Parameters | None = None) -> list[Row]:
        return self._connection.execute(*in_sqlite(sql, parameters)).fetchall()

    def run_once(self, sql: str, parameters: Parameters) -> list[Row]:
        return self.run(sql, parameters)

    def run_many(self, sql: str, rows: Iterable[Parameters]) -> None:
        self._connection.executemany(in_sqlite(sql)[0], rows).fetchall()

    def insert_many(self, sql: str, rows: Sequence[Parameters]) -> list[Row]:
        return self._connection.executemany(in_sqlite(sql)[0], rows).fetchall()

    def note_change(self, source: str, owner_id: str, event: RecordEvent) -> None:
        if self._changes is None:
            from memory.storage.portable.noted_changes import NotedChanges  # a search notes none

            self._changes = NotedChanges()
        self._changes.note(source, owner_id, event)

    def write_changes(self) -> None:
        """Write the noted changes; the last thing before the end of the transaction."""
        if self._changes is not None:
            from memory.storage.sqlite.record_changes import write_changes

            write_changes(self._connection, self._changes)


class SqliteDatabase:
    """A pool of connections to one file, or a single one behind a lock for ":memory:".

    An `immutable` file may be replaced or written to while a process runs. It is checked before
    each use, since SQLite does not check.
    """

    def __init__(self, path: str, *, immutable: bool = False) -> None:
        self.path = path
        self._file = Path(path) if immutable and is_immutable(Path(path)) else None
        self._seen = FileState(immutable)
        self._idle: list[tuple[apsw.Connection, FileState]] = []
        self._mapped: set[apsw.Connection] = set()
        self._may_map = threading.Semaphore(MAPPED_CONNECTIONS)
        self._facts: dict[apsw.Connection, _Facts] = {}
        self._held = threading.local()
        self._only = threading.RLock() if path == ":memory:" else None
        self._closed = False
        self._frugal = False

    @property
    def immutable(self) -> bool:
        """True if the file may only be read."""
        return self._file is not None

    def work_lock(self, work: str) -> None:
        """Return None: locks are files."""

    def use_less_memory(self) -> None:
        """Let all connections but `MAPPED_CONNECTIONS` use little memory, for servers with many.

        With 16 clients of a server of 100,000 chunks this takes 0.3 GB and twice the size of the
        file instead of 1.6 GB of resident memory.
        """
        if self._only is None:
            self._frugal = True
            self._close_idle()

    @contextlib.contextmanager
    def connection(self) -> Iterator[apsw.Connection]:
        """Return a connection for this thread only; inside a transaction, that transaction's."""
        is_nested = getattr(self._held, "connection", None) is not None
        with self._borrowed() as connection:
            try:
                yield connection
            finally:
                if not is_nested:  # it may have written anything
                    self._facts.pop(connection, None)

    def _borrowed(self) -> contextlib.AbstractContextManager[apsw.Connection]:
        """Return the same for a reader."""
        held: apsw.Connection | None = getattr(self._held, "connection", None)
        return self._taken() if held is None else Translating(self.path, held)

    @contextlib.contextmanager
    def _taken(self) -> Iterator[apsw.Connection]:
        """Return a connection from the pool, which this thread holds for the block."""
        with translated(self.path), self._only or contextlib.nullcontext():
            connection, seen = self._take()
            self._held.connection = connection
            try:
                yield connection
            finally:
                self._held.connection = None
                self._give_back(connection, seen)

    def _give_back(self, connection: apsw.Connection, seen: FileState) -> None:
        if self._closed or len(self._idle) >= IDLE_CONNECTIONS:
            self._close_one(connection)
        elif self._frugal and connection not in self._mapped:
            self._idle.insert(0, (connection, seen))
        else:
            self._idle.append((connection, seen))

    def _take(self) -> tuple[apsw.Connection, FileState]:
        """Return a connection to the file in its current state, and that state."""
        if self._closed:
            raise StorageError(f"{self.path} has been closed", hint="open it again")
        now = file_state(self._file) if self._file else self._seen
        with contextlib.suppress(IndexError):
            while True:
                connection, seen = self._idle.pop()
                if seen == now:
                    return connection, now
                self._close_one(connection)
        return self._connect(now), now

    def _connect(self, now: FileState) -> apsw.Connection:
        """Return a new connection, which may be one of the few of a server that map the file."""
        if not self._frugal:
            return connect(self.path, immutable=now.immutable)
        if not self._may_map.acquire(blocking=False):
            return connect(self.path, immutable=now.immutable, frugal=True)
        try:
            connection = connect(self.path, immutable=now.immutable)
        except BaseException:
            self._may_map.release()
            raise
        self._mapped.add(connection)
        return connection

    def read(self, sql: str, parameters: Parameters | None = None) -> list[Row]:
        with self._borrowed() as connection:
            return connection.execute(*in_sqlite(sql, parameters)).fetchall()

    def read_at_once(self, sql: str) -> list[Row] | None:
        if self._only is not None or not self._idle:
            return None  # another thread has the connection, or one is to be made
        with self._borrowed() as connection:
            connection.set_busy_timeout(0)
            try:
                return connection.execute(sql).fetchall()
            except (apsw.BusyError, apsw.ProtocolError):
                return None
            finally:
                connection.set_busy_timeout(BUSY_TIMEOUT_MS)

    def read_once(self, sql: str) -> list[Row]:
        known: dict[str, list[Row]] | None = getattr(self._held, "known", None)
        if known is None:
            return self.read(sql)
        if sql not in known:
            known[sql] = self.read(sql)
        return known[sql]

    def snapshot(self) -> contextlib.AbstractContextManager[None]:
        held: apsw.Connection | None = getattr(self._held, "connection", None)
        if held is not None and held.in_transaction:
            return contextlib.nullcontext()  # a search asks for some twenty inside its own
        return self._begun()

    @contextlib.contextmanager
    def _begun(self) -> Iterator[None]:
        """Begin a snapshot of this thread, and end it with the block."""
        with self._borrowed() as connection:
            connection.execute("BEGIN").fetchall()
            try:
                version = connection.execute("PRAGMA data_version").get
                self._held.known = self._facts_of(connection, version)
                yield
            finally:
                self._held.known = None
                # Not ROLLBACK, which undoes tables in `temp` too: after that SQLite reads the
                # whole schema and prepares every statement again.
                if not connection.get_autocommit():  # a failing disk has ended it
                    connection.execute("COMMIT").fetchall()

    def _facts_of(self, connection: apsw.Connection, version: int) -> dict[str, list[Row]]:
        """Return the rows that this connection has read once from that version."""
        facts = self._facts.get(connection)
        if facts is None or facts.version != version:
            facts = self._facts[connection] = _Facts(version, {})
        return facts.rows

    @contextlib.contextmanager
    def transaction(self, *, wait: bool = True) -> Iterator[SqliteTransaction]:
        with self.connection() as connection:
            connection.set_busy_timeout(BUSY_TIMEOUT_MS if wait else 0)
            if self._erases:
                connection.pragma("secure_delete", "ON")
            try:
                connection.execute("BEGIN IMMEDIATE").fetchall()
            finally:
                connection.set_busy_timeout(BUSY_TIMEOUT_MS)
            try:
                transaction = SqliteTransaction(connection)
                yield transaction
                transaction.write_changes()
                connection.execute("COMMIT").fetchall()
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK").fetchall()
                raise
            finally:
                self._facts.pop(connection, None)  # its own writes change no `data_version`
                if self._erases:
                    connection.pragma("secure_delete", "FAST")

    @property
    def _erases(self) -> bool:
        return bool(getattr(self._held, "erases", False))

    @contextlib.contextmanager
    def erasing(self) -> Iterator[None]:
        self._held.erases = True
        try:
            yield
        finally:
            self._held.erases = False

    def close(self) -> None:
        self._closed = True
        self._close_idle()

    def _close_idle(self) -> None:
        with contextlib.suppress(IndexError):  # another thread may take the last one
            while True:
                self._close_one(self._idle.pop()[0])

    def _close_one(self, connection: apsw.Connection) -> None:
        if connection in self._mapped:
            self._mapped.remove(connection)
            self._may_map.release()
        self._facts.pop(connection, None)
        connection.close()


@contextlib.contextmanager
def untouched(database: SqliteDatabase) -> Iterator[apsw.Connection]:
    """Return a read connection that leaves the files unchanged when the block ends in an error.

    Otherwise the last connection to close would move a write-ahead log left by others into the
    file.
    """
    left_by_others = Path(f"{database.path}-wal").exists()
    with database.connection() as connection:
        connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, int(left_by_others))
        yield connection
        connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
