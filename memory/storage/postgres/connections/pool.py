"""A pool of connections that replaces lost ones, and says at once when the server is away.

The first statement on a borrowed connection finds out whether the connection is still there: it
only reads or begins a transaction, so it can be repeated on another one. While the server is away
one caller at a time tries to reach it, and all others get the last failure without waiting.
"""

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, Final, TypeAlias, TypeVar
from weakref import WeakKeyDictionary

import psycopg
from psycopg import ClientCursor
from psycopg.conninfo import conninfo_to_dict
from psycopg_pool import ConnectionPool, PoolTimeout

from memory.storage.postgres.connections.errors import BUSY_TIMEOUT_S

MOST_CONNECTIONS: Final = 16

MOST_SCHEMAS: Final = 32
"""The most schemas that a connection works in before another one takes its place: the server keeps
a description of every table that a connection has used, about a megabyte a schema, to its end.
"""

PROBE_TIMEOUT_S: Final = 3
"""The time for a connection to a server that was away."""

PROBED_EVERY_S: Final = 0.5
"""The least time between two tries to reach a server that is away."""

_KEEPALIVES: Final = {
    "keepalives_idle": "30",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "20000",
}
"""A host that has vanished is noticed within twenty seconds of a request, unless memory.dsn says
otherwise.
"""

Connection: TypeAlias = psycopg.Connection[Any]
T = TypeVar("T")

# Failures reach the caller as errors; the pool would also print them.
logging.getLogger("psycopg.pool").addHandler(logging.NullHandler())


class ServerPool:
    """Connections to one database, shared by the threads of a process. Raises psycopg's errors."""

    def __init__(
        self, dsn: str, *, most: int, name: str, configure: Callable[[Connection], None]
    ) -> None:
        given = conninfo_to_dict(dsn)
        self._dsn = dsn
        self._arguments: dict[str, Any] = {
            "autocommit": True,
            "cursor_factory": ClientCursor,
            "connect_timeout": int(BUSY_TIMEOUT_S),
            "application_name": name,
            **{key: value for key, value in _KEEPALIVES.items() if key not in given},
        }
        self._pool: ConnectionPool[Connection] = ConnectionPool(
            dsn,
            min_size=1,
            max_size=most,
            open=False,
            timeout=BUSY_TIMEOUT_S,
            reconnect_timeout=BUSY_TIMEOUT_S,
            kwargs=self._arguments,
            configure=configure,
        )
        self._schemas: WeakKeyDictionary[Connection, set[str]] = WeakKeyDictionary()
        self._looking = threading.Lock()
        self._failure: psycopg.OperationalError | None = None
        self._looked_s = 0.0

    def connect(self, **arguments: Any) -> Connection:
        """Return a connection of its own, outside the pool; the caller closes it."""
        return psycopg.connect(self._dsn, **{**self._arguments, **arguments})

    def open(self) -> None:
        """Begin to lend connections."""
        self._pool.open()

    def close(self) -> None:
        """Close the connections that nobody uses, and the others when they come back."""
        self._pool.close()

    def run(self, first: Callable[[Connection], T], *, schema: str) -> T:
        """Return the result of a function that reads a schema, on a borrowed connection.

        It is called again on another connection when the first was lost.
        """
        connection, result = self._taken(first)
        self._give_back(connection, schema)
        return result

    @contextlib.contextmanager
    def borrowed(
        self, first: Callable[[Connection], T], *, schema: str
    ) -> Iterator[tuple[Connection, T]]:
        """Lend a connection on which `first` has begun, as `run` does, with its result."""
        connection, result = self._taken(first)
        try:
            yield connection, result
        finally:
            self._give_back(connection, schema)

    def _give_back(self, connection: Connection, schema: str) -> None:
        used = self._schemas.setdefault(connection, set())
        used.add(schema)
        if len(used) > MOST_SCHEMAS:
            connection.close()  # the pool opens another one
        self._pool.putconn(connection)

    def _taken(self, first: Callable[[Connection], T]) -> tuple[Connection, T]:
        while True:
            if self._failure is not None:
                self._look(time.monotonic())
            began_s = time.monotonic()
            try:
                connection = self._pool.getconn()
            except PoolTimeout:
                self._look(began_s, is_lost=False)
                raise
            try:
                return connection, first(connection)
            except BaseException as error:
                is_lost = connection.closed
                self._pool.putconn(connection)
                if not (is_lost and isinstance(error, psycopg.OperationalError)):
                    raise
            self._look(began_s)

    def _look(self, since_s: float, *, is_lost: bool = True) -> None:
        """Raise unless the server could be reached after that moment.

        Then replace the connections if one was lost.
        """
        with self._looking:
            if self._failure is None and self._looked_s > since_s:
                return
            if self._failure is not None and time.monotonic() < self._looked_s + PROBED_EVERY_S:
                raise self._failure
            try:
                self.connect(connect_timeout=PROBE_TIMEOUT_S).close()
            except psycopg.OperationalError as error:
                self._failure = error.with_traceback(None)
                raise
            finally:
                self._looked_s = time.monotonic()
            if is_lost or self._failure is not None:
                self._failure = None
                self._pool.drain()
