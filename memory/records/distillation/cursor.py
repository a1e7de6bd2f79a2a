"""The place up to which turns are distilled: the id of the last turn, kept in the database.

Ids of turns only rise, so that new turns are those above it, whatever time they were said at. What
a killed run wrote beyond the kept place is not written twice: every record links to its turn.
"""

from collections.abc import Mapping
from typing import Final

from memory.conversations.turns.store import LAST_ID, TurnStore
from memory.conversations.turns.values import Turn
from memory.storage import Database
from memory.storage.counters import add_count, read_counts
from memory.storage.meta import read_meta, write_meta
from memory.values.status_reports import DistillationStatus

_KEY: Final = "distilled_to"
_IDS_SQL: Final = "SELECT id FROM turns WHERE id > :after ORDER BY id LIMIT :limit"
_WAITING_SQL: Final = "SELECT count(*) FROM turns WHERE id > :after"
_PREFIX: Final = "distillation "
REJECTED: Final = "rejected: "
WRITTEN: Final = "written: "
"""The beginnings of the names of what is counted by reason, and by action."""

TAKEN_BACK: Final = "taken back"


class Cursor:
    """The place in the turns of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def place(self) -> int:
        """Return the id of the last distilled turn, 0 before the first."""
        return int(read_meta(self._database, _KEY) or 0)

    def after(self, place: int, *, limit: int) -> list[Turn]:
        """Return the first turns beyond a place, in the order of their ids."""
        rows = self._database.read(_IDS_SQL, {"after": place, "limit": limit})
        turns = TurnStore(self._database).many(row[0] for row in rows)
        return sorted(turns, key=lambda turn: turn.id)

    def waiting(self, place: int) -> int:
        """Return the number of turns beyond a place."""
        return int(self._database.read(_WAITING_SQL, {"after": place})[0][0])

    def move(self, place: int, counts: Mapping[str, int]) -> None:
        """Keep a place with what was counted on the way to it, in one transaction."""
        with self._database.transaction() as tx:
            write_meta(tx, _KEY, min(place, LAST_ID))
            for name, number in counts.items():
                if number:
                    add_count(tx, f"{_PREFIX}{name}", number)


def totals(database: Database) -> dict[str, int]:
    """Return all counts of distillation since the database began, by name."""
    counts = read_counts(database)
    return {
        name.removeprefix(_PREFIX): count.number
        for name, count in sorted(counts.items())
        if name.startswith(_PREFIX)
    }


def distillation_status(database: Database) -> DistillationStatus:
    """Return what distillation has read, written and rejected, and what waits."""
    counts, cursor = totals(database), Cursor(database)
    return DistillationStatus(
        turns=counts.get("turns", 0),
        skipped=counts.get("skipped", 0),
        waiting=cursor.waiting(cursor.place()),
        written=_counted(counts, WRITTEN),
        rejected=_counted(counts, REJECTED),
        taken_back=counts.get(TAKEN_BACK, 0),
    )


def _counted(counts: Mapping[str, int], prefix: str) -> dict[str, int]:
    found = counts.items()
    return {name.removeprefix(prefix): n for name, n in found if name.startswith(prefix)}
