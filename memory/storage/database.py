"""The protocol of a database for domain stores: SQL that any engine understands, and transactions.

They write the SQL that SQLite and PostgreSQL share: named parameters, ON CONFLICT, RETURNING, JSON
as text, times as fixed-width ISO 8601 UTC text. Each backend translates two things in it:

    id IN (:ids)            any number of values in one parameter: a list of numbers, texts or bytes
    list_holds(tags, :tag)  a JSON array of texts, which holds a text
"""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from contracts import StorageError
from memory.storage.values import Parameters, RecordEvent, Row


class DatabaseUnavailableError(StorageError):
    """The database's server is away, or has no connection free; wait, and it may be back."""

    code = "database-unavailable"


class StatementStoppedError(DatabaseUnavailableError):
    """The server stopped one statement, and goes on with others: do it again, or ask for less."""


class WorkLockLostError(DatabaseUnavailableError):
    """The server has ended the connection that held a lock of work; another one may hold it now."""


class Transaction(Protocol):
    """One open write transaction; committed when its block ends, rolled back when it raises."""

    def run(self, sql: str, parameters: Parameters | None = None) -> list[Row]:
        """Run one statement and return all its rows."""
        ...

    def run_once(self, sql: str, parameters: Parameters) -> list[Row]:
        """Return the rows of a statement that reads what this transaction does not change from now
        on; it may be run only once.
        """
        ...

    def run_many(self, sql: str, rows: Iterable[Parameters]) -> None:
        """Run one statement once per row, of which no parameter is a list."""
        ...

    def insert_many(self, sql: str, rows: Sequence[Parameters]) -> list[Row]:
        """Run an INSERT of one row that ends with RETURNING once per row, of which no parameter is
        a list; return what it returns, in this order.
        """
        ...

    def note_change(self, source: str, owner_id: str, event: RecordEvent) -> None:
        """Log a change of a record for followers, once however often this transaction does so."""
        ...


class WorkLock(Protocol):
    """A lock that all processes of a database share, with the methods of a thread lock."""

    def acquire(self, *, timeout: float) -> bool:
        """Wait up to so many seconds; return whether it is held now."""
        ...

    def release(self) -> None:
        """Give it back."""
        ...

    def locked(self) -> bool:
        """Return whether anybody holds it."""
        ...

    def is_held(self) -> bool:
        """Return whether its holder has it still, which the server can end at any time."""
        ...

    def guarding(self) -> AbstractContextManager[None]:
        """Have this thread's transactions raise WorkLockLostError once its holder has lost it."""
        ...


class Database(Protocol):
    """Connections to one database; safe to share between threads."""

    def read(self, sql: str, parameters: Parameters | None = None) -> list[Row]:
        """Return the rows of a read-only statement; it sees changes of this thread's
        transaction.
        """
        ...

    def read_at_once(self, sql: str) -> list[Row] | None:
        """Return the rows of a statement without parameters, None where that takes waiting.

        For an event loop, which must wait for no other process or thread, and for no network.
        """
        ...

    def read_once(self, sql: str) -> list[Row]:
        """Return the same for a statement without parameters, run only once within a snapshot.

        For facts that many parts of one operation need. A backend that knows that nothing has been
        written since does not run it again in a later snapshot. Do not modify the list.
        """
        ...

    def snapshot(self) -> AbstractContextManager[None]:
        """Give this thread one consistent view of the database, even if others write meanwhile."""
        ...

    def transaction(self, *, wait: bool = True) -> AbstractContextManager[Transaction]:
        """Open a write transaction of this thread. Raises BusyError when another one lasts too
        long.

        Without `wait` it raises at once while another one is open.
        """
        ...

    def erasing(self) -> AbstractContextManager[None]:
        """Overwrite on the disk what this thread's transactions within it remove."""
        ...

    def work_lock(self, work: str) -> "WorkLock | None":
        """Return the lock of that work if the server keeps it; None where a file does."""
        ...

    def use_less_memory(self) -> None:
        """Have connections that are opened from now on take little memory: there may be many."""
        ...

    def close(self) -> None:
        """Close every connection; the object cannot be used afterwards."""
        ...
