"""The last run of each job, for whichever process asks.

A fact in `meta` for each job, `job:NAME`. The storage leaves these facts out of a database's
revision: a job that ran must not make the answers that servers keep out of date. Only runs are
written, never the looks in between, and a run that another process's lock kept from beginning, or
that lost its own lock, is not one: what the holder writes would be lost.
"""

from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Literal

from contracts import MemError
from memory.storage import Database
from memory.storage.meta import read_meta, write_meta

_KEY = "job:{}"


@dataclass(frozen=True, slots=True)
class LastRun:
    """When a run ended and what it came to; times are ISO 8601 UTC.

    `message` says what it did or what went wrong, `hint` what to do then. `next_at` is when the
    process that ran it means to run it again, None: when it is due.
    """

    at: str
    seconds: float
    outcome: Literal["ok", "failed"]
    message: str
    hint: str
    next_at: str | None


def read_last_run(database: Database, name: str) -> LastRun | None:
    """The last run of a job in whatever process; None before the first."""
    fact = read_meta(database, _KEY.format(name))
    return None if fact is None else LastRun(**fact)


def write_last_run(database: Database, name: str, run: LastRun) -> None:
    """Keep a run; a database that cannot be written to just now goes without."""
    with suppress(MemError), database.transaction() as tx:
        write_meta(tx, _KEY.format(name), asdict(run))
