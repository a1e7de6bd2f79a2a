"""Counts of what happened to a database's embeddings, over all processes, for its status.

They have a table of their own: facts in `meta` are part of a database's revision, and counting
something must not make the answers that a server has given out of date.
"""

from typing import Final, NamedTuple

from memory.storage import Database, Transaction, utc_now

TEXTS_KNOWN: Final = "texts known"
"""Texts of documents that a costly model need not embed: a chunk or the cache had the vector."""

TEXTS_EMBEDDED: Final = "texts embedded"
"""Texts of documents that a costly model embedded."""


QUERIES_KNOWN: Final = "queries known"
"""Queries whose vector the cache had, so that no remote provider was asked."""

QUERIES_EMBEDDED: Final = "queries embedded"
"""Queries that a remote provider embedded."""


class Tally(NamedTuple):
    """How often something happened, when last, and for what reason then."""

    number: int = 0
    noted_at: str | None = None
    reason: str | None = None


def read_tallies(database: Database) -> dict[str, Tally]:
    """Everything that was ever counted, by name."""
    rows = database.read("SELECT name, number, noted_at, reason FROM tallies")
    return {name: Tally(*rest) for name, *rest in rows}


def add_tally(
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
