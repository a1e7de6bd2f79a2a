"""A database as the domain stores see it: SQL that any engine understands, and transactions.

They write the SQL that SQLite and PostgreSQL share: named parameters, ON CONFLICT, RETURNING, JSON
as text, times as fixed-width ISO 8601 UTC text. Each backend translates two things in it:

    id IN (:ids)            any number of values in one parameter: a list of numbers, texts or bytes
    list_holds(tags, :tag)  a JSON array of texts, which holds a text
"""

from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import Protocol

from memory.storage.values import Parameters, Row


class Transaction(Protocol):
    """One open write transaction; committed when its block ends, rolled back when it raises."""

    def run(self, sql: str, parameters: Parameters | None = None) -> list[Row]:
        """Run one statement and return all its rows."""
        ...

    def run_many(self, sql: str, rows: Iterable[Parameters]) -> None:
        """Run one statement once per row, of which no parameter is a list."""
        ...


class Database(Protocol):
    """Connections to one database; safe to share between threads."""

    def read(self, sql: str, parameters: Parameters | None = None) -> list[Row]:
        """The rows of one reading statement; inside a transaction of this thread it sees it."""
        ...

    def read_once(self, sql: str) -> list[Row]:
        """The same for a statement without parameters, which a snapshot answers only once.

        For what many parts of one operation need to know. The list is not to be changed.
        """
        ...

    def snapshot(self) -> AbstractContextManager[None]:
        """Everything this thread reads within it is as of one moment, whoever writes meanwhile."""
        ...

    def transaction(self, *, wait: bool = True) -> AbstractContextManager[Transaction]:
        """A write transaction of this thread. Raises BusyError when another one lasts too long.

        Without `wait` any other is too long.
        """
        ...

    def erasing(self) -> AbstractContextManager[None]:
        """What this thread's transactions within it remove is overwritten on the disk."""
        ...

    def spare_memory(self) -> None:
        """Have connections that are opened from now on take little memory: there may be many."""
        ...

    def close(self) -> None:
        """Close every connection; the object cannot be used afterwards."""
        ...
