"""The strongest memories of a layer, by their current score."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from heapq import nlargest
from typing import Final

from contracts.named_tuple import NamedTuple
from memory.conversations.memories.gc_policy import COLUMNS, GcCandidate, Policy, worth
from memory.conversations.memories.scoring import decompose
from memory.conversations.memories.store import MemoryStore
from memory.conversations.memories.values import IMPORTANT, Layer, Memory
from memory.workspace import Workspace

_FIRST_SQL: Final = f"""SELECT {COLUMNS} FROM memories
    WHERE layer = :layer AND status = 'active' AND importance = :importance AND hits < :below {{}}
    ORDER BY hits DESC, coalesce(last_seen_at, created_at) DESC, id DESC LIMIT :limit"""
"""Among memories with the same hits and importance, those seen last have the highest score,
whatever the weights; so only the first ones of each kind can be among the strongest.
"""

_ANY_HITS: Final = 1 << 62


class _Placed(NamedTuple):
    """A memory in an order: the stronger is greater; among equals, the one seen last."""

    score: float
    youth_days: float
    id: int


def strongest(
    workspace: Workspace,
    layer: Layer,
    limit: int,
    *,
    policy: Policy,
    without_tags: Sequence[str] = (),
) -> list[Memory]:
    """Return the active memories of a layer with the highest current scores.

    Those with one of `without_tags` are left out.
    """
    database = workspace.storage.database
    unwanted = {f"tag{number}": tag for number, tag in enumerate(without_tags)}
    sql = first_sql(unwanted)
    values = {"layer": layer, "limit": limit, **unwanted}
    best: list[_Placed] = []
    for importance in (IMPORTANT, 0):
        below = _ANY_HITS
        while below > 0 and _may_change(best, limit, (below - 1, importance), policy):
            found = database.read(sql, {**values, "importance": importance, "below": below})
            rows = [GcCandidate._make(row) for row in found]
            best = nlargest(limit, {*best, *(_placed(one, policy) for one in rows)})
            if len(rows) < limit:
                break
            last = rows[-1].hits  # there may be more of this kind, unless all were read
            below = last if rows[0].hits == last else last + 1
    memories = MemoryStore(workspace.storage).get_many(place.id for place in best)
    return [replace(memories[one.id], score=one.score) for one in best if one.id in memories]


def first_sql(unwanted: Iterable[str] = ()) -> str:
    """The statement for the first memories with fewer hits than `below`.

    They have none of the tags in the parameters `unwanted`.
    """
    return _FIRST_SQL.format(" ".join(f"AND NOT list_holds(tags_json, :{tag})" for tag in unwanted))


def present_score(memory: Memory, policy: Policy) -> float:
    """Return the score of a memory at the policy's moment."""
    return worth(memory, policy).total


def _placed(candidate: GcCandidate, policy: Policy) -> _Placed:
    present = worth(candidate, policy)
    return _Placed(present.total, -present.age_days, candidate.id)


def _may_change(best: Sequence[_Placed], limit: int, kind: tuple[int, int], policy: Policy) -> bool:
    """Return whether memories with at most these hits, seen just now, could be among the best."""
    hits, importance = kind
    newest = decompose(hits=hits, importance=importance, age_days=0, weights=policy.weights)
    return len(best) < limit or newest.total >= best[-1].score
