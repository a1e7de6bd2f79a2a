"""The strongest memories of a layer, by what they are worth at this moment."""

import json
from collections.abc import Sequence
from dataclasses import replace
from heapq import nlargest
from typing import Final, NamedTuple

from memory.memories.fates import COLUMNS, Policy, Standing, worth
from memory.memories.store import MemoryStore
from memory.memories.values import Layer, Memory
from memory.workspace import Workspace

_FIRST_SQL: Final = f"""SELECT {COLUMNS} FROM (
        SELECT {COLUMNS}, row_number() OVER (
            PARTITION BY hits, importance
            ORDER BY coalesce(last_seen_at, created_at) DESC, id DESC
        ) AS place
        FROM memories WHERE layer = :layer AND status = 'active'
            AND (:without_tags = '[]' OR NOT EXISTS (
                SELECT 1 FROM json_each(tags_json) AS tag
                WHERE tag.value IN (SELECT value FROM json_each(:without_tags))
            ))
    ) AS placed WHERE place <= :limit"""
"""Of memories with the same hits and importance those that were seen last are worth most, whatever
the weights are; so none behind the first of each kind can be among the strongest."""


class _Placed(NamedTuple):
    """A memory among others: the stronger is the greater, of equals the one seen last."""

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
    """The active memories of a layer with the highest scores, which are those of this moment.

    Those with one of `without_tags` are left out.
    """
    values = {"layer": layer, "limit": limit, "without_tags": json.dumps(list(without_tags))}
    rows = workspace.storage.database.read(_FIRST_SQL, values)
    best = nlargest(limit, (_placed(Standing._make(row), policy) for row in rows))
    found = MemoryStore(workspace.storage).get_many(place.id for place in best)
    return [replace(found[place.id], score=place.score) for place in best if place.id in found]


def present_score(memory: Memory, policy: Policy) -> float:
    """What a memory is worth at the policy's moment."""
    return worth(memory, policy).total


def _placed(standing: Standing, policy: Policy) -> _Placed:
    present = worth(standing, policy)
    return _Placed(present.total, -present.age_days, standing.id)
