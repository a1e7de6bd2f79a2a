"""The strongest memories of a layer, by what they are worth at this moment."""

from collections.abc import Iterator
from dataclasses import replace
from heapq import heappush, heappushpop
from typing import Final, NamedTuple

from memory.memories.fates import COLUMNS, Policy, Standing, worth
from memory.memories.store import MemoryStore
from memory.memories.values import Layer, Memory
from memory.storage import Database
from memory.storage.values import Row
from memory.workspace import Workspace

READ_AT_ONCE: Final = 500

_PAGE_SQL = f"""SELECT score, {COLUMNS} FROM memories
    WHERE layer = :layer AND status = 'active'
        AND (score < :score OR (score = :score AND id > :id))
    ORDER BY score DESC, id LIMIT :limit"""


class _Placed(NamedTuple):
    """A memory among others: the stronger is the greater, of equals the one seen last."""

    score: float
    youth_days: float
    id: int


def strongest(workspace: Workspace, layer: Layer, limit: int, *, policy: Policy) -> list[Memory]:
    """The active memories of a layer with the highest scores, which are those of this moment.

    Between two writes a score only falls, so no memory is worth more than its row says, and rows
    that say less than the least of those found need not be looked at.
    """
    best: list[_Placed] = []
    for stored, *standing in _falling(workspace.storage.database, layer):
        if len(best) == limit and stored < best[0].score:
            break
        place = _placed(Standing._make(standing), policy)
        if len(best) < limit:
            heappush(best, place)
        else:
            heappushpop(best, place)
    found = MemoryStore(workspace.storage).get_many(place.id for place in best)
    return [
        replace(found[place.id], score=place.score)
        for place in sorted(best, reverse=True)
        if place.id in found
    ]


def present_score(memory: Memory, policy: Policy) -> float:
    """What a memory is worth at the policy's moment."""
    return worth(memory, policy).total


def _falling(database: Database, layer: Layer) -> Iterator[Row]:
    """Memories by the scores that were stored, highest first."""
    place = {"score": float("inf"), "id": 0}
    while rows := database.read(_PAGE_SQL, {"layer": layer, "limit": READ_AT_ONCE, **place}):
        yield from rows
        place = {"score": rows[-1][0], "id": rows[-1][1]}


def _placed(standing: Standing, policy: Policy) -> _Placed:
    present = worth(standing, policy)
    return _Placed(present.total, -present.age_days, standing.id)
