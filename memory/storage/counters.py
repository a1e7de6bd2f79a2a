"""Counts of what happened to embeddings and turns, over all processes, for a database's status.

They have their own table: facts in `meta` are part of a database's revision, and counting
something must not make the answers that a server has given out of date.
"""

import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from contracts import BusyError, StorageError
from contracts.named_tuple import NamedTuple
from memory.storage import Database, Transaction, utc_now

TEXTS_KNOWN: Final = "texts known"
"""Texts of documents that a costly model need not embed: a chunk or the cache had the vector."""

TEXTS_EMBEDDED: Final = "texts embedded"
"""Texts of documents that a costly model embedded."""


QUERIES_KNOWN: Final = "queries known"
"""Queries whose vector the cache had, so that no remote provider was asked."""

QUERIES_EMBEDDED: Final = "queries embedded"
"""Queries that a remote provider embedded."""


QUERIES_WITHOUT_VECTORS: Final = "queries without vectors"
"""Queries that words alone answered because the model could not be used; the last with why."""

QUERIES_BY_FALLBACK: Final = "queries by fallback"
"""Queries that the fallback's space answered because the model could not be used; the last why."""

WRITTEN_EVERY: Final = 64
"""So many notes, of whatever, are written down together."""


class CountTable(NamedTuple):
    """Counts of what a server did since it began: a row for each of its processes, which alone
    writes to it. A process that replaces another goes on with its row.

    (processes, columns) float64; without other processes the table has one row.
    """

    rows: "Sequence[memoryview[float]]"
    own: "memoryview[float]"

    def columns(self, first: int, number: int) -> "CountTable":
        """Return the part of some columns."""
        part = slice(first, first + number)
        return CountTable([row[part] for row in self.rows], self.own[part])

    def totals(self) -> list[float]:
        """Return the sum of each column."""
        return [sum(column) for column in zip(*self.rows, strict=True)]


def own_table(columns: int) -> CountTable:
    """Return a table for this process alone."""
    row = memoryview(bytearray(8 * columns)).cast("d")
    return CountTable([row], row)


class Count(NamedTuple):
    """The number of times something happened, the last time, and its reason."""

    number: int = 0
    noted_at: str | None = None
    reason: str | None = None


def read_counts(database: Database) -> dict[str, Count]:
    """Everything that was ever counted, by name."""
    rows = database.read("SELECT name, number, noted_at, reason FROM tallies")
    return {name: Count(*rest) for name, *rest in rows}


def add_count(
    tx: Transaction,
    name: str,
    number: int,
    *,
    noted_at: str | None = None,
    reason: str | None = None,
) -> None:
    """Count something `number` times more; the time is now unless given."""
    sql = """INSERT INTO tallies (name, number, noted_at, reason)
        VALUES (:name, :number, :noted_at, :reason)
        ON CONFLICT (name) DO UPDATE
        SET number = tallies.number + :number, noted_at = :noted_at, reason = :reason"""
    values = {"name": name, "number": number, "noted_at": noted_at or utc_now(), "reason": reason}
    tx.run(sql, values)


class Counters:
    """Counts what happens while questions are answered, which must not wait for a write.

    It is written down together with something else, every WRITTEN_EVERY times, and at the end; a
    database that cannot be written to just now, or ever, goes without. Any thread may use it.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._unwritten: dict[str, Count] = {}
        self._notes = 0

    def note(self, name: str, number: int = 1, *, reason: str | None = None) -> None:
        """Count something once more, or so many times."""
        with self._lock:
            unwritten = self._unwritten.get(name, Count()).number + number
            self._unwritten[name] = Count(unwritten, utc_now(), reason)
            self._notes += 1
            due = self._notes % WRITTEN_EVERY == 0
        if due:
            self.flush()

    def read(self) -> dict[str, Count]:
        """Everything that was ever counted, here and by others."""
        with self._lock:
            unwritten = dict(self._unwritten)
        tallies = read_counts(self._database)
        for name, tally in unwritten.items():
            written = tallies.get(name, Count())
            tallies[name] = tally._replace(number=written.number + tally.number)
        return tallies

    def write(self, tx: Transaction) -> None:
        """Write down what was counted since the last time, in a transaction of somebody else's."""
        with self._lock:
            unwritten, self._unwritten = self._unwritten, {}
        for name, tally in unwritten.items():
            add_count(tx, name, tally.number, noted_at=tally.noted_at, reason=tally.reason)

    def close(self) -> None:
        """Write down the rest."""
        self.flush()

    def flush(self) -> None:
        """Write it down now, unless another process is writing or nobody can."""
        with self._lock:
            if not self._unwritten:
                return
        with suppress(BusyError, StorageError), self._database.transaction(wait=False) as tx:
            self.write(tx)
