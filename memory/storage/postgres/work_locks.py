"""Locks that processes on any machine share: advisory locks, held by a connection of their own.

They end with their holder's connection, and so with its process.
"""

import contextlib
import time
from collections.abc import Callable
from typing import Any

import psycopg

_POLL_S = 0.05
HELD_SQL = """
SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND (classid::bigint << 32 | objid::bigint) = :number
"""


class PostgresWorkLock:
    """One of the locks of a schema, with the methods of a thread lock."""

    def __init__(
        self,
        number: int,
        *,
        connect: Callable[[], psycopg.Connection[Any]],
        is_held: Callable[[], bool],
    ) -> None:
        self._number = number
        self._connect = connect
        self._is_held = is_held
        self._connection: psycopg.Connection[Any] | None = None

    def acquire(self, *, timeout: float) -> bool:
        """Try to get the lock for so many seconds; return whether it is held now."""
        deadline = time.monotonic() + timeout
        connection = self._connect()
        while True:
            row = connection.execute(f"SELECT pg_try_advisory_lock({self._number})").fetchone()
            if row is not None and row[0]:
                self._connection = connection
                return True
            if time.monotonic() >= deadline:
                connection.close()
                return False
            time.sleep(_POLL_S)

    def release(self) -> None:
        """Give the lock back."""
        if self._connection is not None:
            with contextlib.suppress(psycopg.Error):  # its end gives it back as well, a bit later
                self._connection.execute(f"SELECT pg_advisory_unlock({self._number})")
            self._connection.close()
            self._connection = None

    def locked(self) -> bool:
        """Return whether anybody holds it."""
        return self._is_held()
