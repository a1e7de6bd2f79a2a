"""Locks that processes on any machine share: advisory locks, held by a connection of their own.

They end with their holder's connection, and so with its process. The server can end a connection
while the process goes on, which learns of it by asking on that connection. A writer asks once it is
the only writer. Another process that has the lock by then has yet to write its name, and so waits
for the end of that transaction before it begins.

The connection stays in a transaction, so that a pooler in between leaves it one connection to the
server. The transaction has no snapshot, and holds back no VACUUM.
"""

import contextlib
import time
from collections.abc import Callable, Iterator
from hashlib import blake2b
from typing import Any, Final

import psycopg

from memory.storage.database import WorkLockLostError
from memory.storage.postgres.connections import translated

_POLL_S = 0.05
_BEGIN_SQL: Final = """
BEGIN; SELECT set_config(s.name, wanted.value, true) FROM pg_settings AS s JOIN (VALUES
    ('idle_in_transaction_session_timeout', '0'), ('transaction_timeout', '0'),
    ('tcp_keepalives_idle', '30'), ('tcp_keepalives_interval', '5'), ('tcp_keepalives_count', '3')
) AS wanted (name, value) ON wanted.name = s.name
"""
"""The transaction may last as long as the work, and the server ends it within a minute once the
holder's machine is gone."""

HELD_SQL = """
SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND (classid::bigint << 32 | objid::bigint) = :number
"""


def lock_number(schema: str, work: str) -> int:
    """Return the number of an advisory lock, from the names of the schema and of the work."""
    digest = blake2b(f"symbiosis-memory {schema} {work}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


class PostgresWorkLock:
    """One of the locks of a schema, with the methods of a thread lock."""

    def __init__(
        self,
        number: int,
        work: str,
        *,
        connect: Callable[[], psycopg.Connection[Any]],
        is_locked: Callable[[], bool],
        guards: Callable[[], "list[PostgresWorkLock]"],
    ) -> None:
        """`guards` returns the locks on which the transactions of the calling thread depend."""
        self._number = number
        self._work = work
        self._connect = connect
        self._is_locked = is_locked
        self._guards = guards
        self._connection: psycopg.Connection[Any] | None = None

    def acquire(self, *, timeout: float) -> bool:
        """Try to get the lock for so many seconds; return whether it is held now."""
        connection = self._connect()
        try:
            with translated():
                connection.execute(_BEGIN_SQL)
                is_acquired = self._is_acquired(connection, time.monotonic() + timeout)
        except BaseException:
            connection.close()
            raise
        if is_acquired:
            self._connection = connection
        else:
            connection.close()
        return is_acquired

    def _is_acquired(self, connection: psycopg.Connection[Any], until_s: float) -> bool:
        while True:
            row = connection.execute(f"SELECT pg_try_advisory_xact_lock({self._number})").fetchone()
            if row is not None and row[0]:
                return True
            if time.monotonic() >= until_s:
                return False
            time.sleep(_POLL_S)

    def release(self) -> None:
        """Give the lock back."""
        if self._connection is not None:
            with contextlib.suppress(psycopg.Error):  # its end gives it back as well, a bit later
                self._connection.execute("ROLLBACK")
            self._connection.close()
            self._connection = None

    def locked(self) -> bool:
        """Return whether anybody holds it."""
        return self._is_locked()

    def is_held(self) -> bool:
        """Return whether the connection that holds it is still there."""
        if self._connection is None:
            return False
        try:
            self._connection.execute("SELECT 1")
        except psycopg.Error:
            return False
        return True

    @contextlib.contextmanager
    def guarding(self) -> Iterator[None]:
        """Have this thread's transactions depend on it."""
        guards = self._guards()
        guards.append(self)
        try:
            yield
        finally:
            guards.remove(self)

    def require_held(self) -> None:
        """Raise WorkLockLostError once it is lost."""
        if not self.is_held():
            raise WorkLockLostError(
                f"the connection to PostgreSQL that held the lock of this {self._work} was lost, "
                "and another process may have it now",
                hint="do it again; what was saved is kept",
            )
