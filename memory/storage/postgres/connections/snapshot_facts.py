"""Rows that were read in one snapshot and hold in every later one that sees the same rows.

A snapshot of a server names the transactions that it sees. Two equal ones of the same server, over
the same connection, see the same rows.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias
from weakref import WeakKeyDictionary

import psycopg

Rows: TypeAlias = list[tuple[Any, ...]]

STATE_SQL: Final = """
SELECT CASE WHEN NOT pg_is_in_recovery()
    THEN concat(pg_current_snapshot(), ' ', pg_postmaster_start_time()) END
"""
"""The name of the snapshot of a transaction; NULL of a replica's, which does not name all."""


class Facts:
    """The rows of statements in one snapshot, and the statements that it will probably need."""

    def __init__(self, state: str | None, expected: Sequence[str] = ()) -> None:
        self.state = state
        self._expected = expected
        self._rows: dict[str, Rows] = {}

    @property
    def statements(self) -> tuple[str, ...]:
        """The statements whose rows it has."""
        return tuple(self._rows)

    def of(self, sql: str, read: Callable[[Sequence[str]], Sequence[Rows]]) -> Rows:
        """Return the rows of a statement, which are read with those of all expected ones."""
        if sql not in self._rows:
            together = tuple(dict.fromkeys((sql, *self._expected)))
            self._expected = ()
            missing = [one for one in together if one not in self._rows]
            self._rows |= zip(missing, read(missing), strict=True)
        return self._rows[sql]


class FactsByConnection:
    """The facts that each connection has read last."""

    def __init__(self) -> None:
        self._last: WeakKeyDictionary[psycopg.Connection[Any], Facts] = WeakKeyDictionary()

    def at(self, connection: psycopg.Connection[Any], state: str | None) -> Facts:
        """Return the facts of a connection in the state that its snapshot has now."""
        last = self._last.get(connection)
        if last is not None and state is not None and last.state == state:
            return last
        facts = Facts(state, last.statements if last else ())
        self._last[connection] = facts
        return facts
