"""The context of a session: its last turns, and the most relevant or strongest memories.

Reading a context strengthens no memory: otherwise memories would survive because they are shown.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Final

from contracts import InputError, Scope
from memory.conversations.memories.gc_policy import Policy, weights_of
from memory.conversations.memories.ranking import present_score, strongest
from memory.conversations.memories.store import MemoryStore
from memory.conversations.memories.values import Layer, Memory
from memory.conversations.turns.adding import session_name
from memory.conversations.turns.store import TurnStore
from memory.conversations.turns.values import Turn
from memory.retrieval.searching import default_options, search
from memory.storage import utc_text
from memory.workspace import Workspace

USUAL_K: Final = 20
MOST_K: Final = 300
HINTS: Final = 5
"""The most long-term memories in a context."""

_MORE: Final = 3
"""The factor for more hits when one layer has filled the places of the other."""


@dataclass(frozen=True, slots=True)
class Context:
    """The last turns of a session, oldest first, and memories, most important first.

    `warnings` name the parts of the memory search that were unavailable.
    """

    short_term: list[Turn]
    mid_term: list[Memory]
    long_term_hint: list[Memory]
    warnings: list[str] = field(default_factory=list)


def read_context(
    workspace: Workspace,
    session_id: str | int,
    *,
    k: int = USUAL_K,
    query: str | None = None,
    without_tags: Sequence[str] = (),
) -> Context:
    """Return the context of a session, which may not exist yet.

    With a meaningful query the memories are those relevant to it, else those with the highest
    score. Their `score` is current. Turns and memories with one of `without_tags` are left out,
    such as those with a `secret`. Raises InputError when `k` is not from 1 to MOST_K.
    """
    if type(k) is not int or not 1 <= k <= MOST_K:
        raise InputError(f"k is {k!r}", hint=f"give a whole number from 1 to {MOST_K}")
    now = datetime.now(UTC)
    turns = short_term(workspace, session_name(session_id), now=now)
    turns = [turn for turn in turns if not set(turn.tags) & set(without_tags)]
    policy = Policy(workspace.config.mid, weights_of(workspace.config.scoring), now)
    if query is not None and query.strip():
        scope = Scope(sources=("memory",), without_tags=tuple(without_tags))
        wanted = k + HINTS
        found, warnings = _relevant(workspace, query, scope, wanted=wanted)
        mid = _of_layer(found, "mid", k, policy)
        if len(found) == wanted and len(mid) < k:  # both layers share a ranking
            found, warnings = _relevant(workspace, query, scope, wanted=_MORE * wanted)
            mid = _of_layer(found, "mid", k, policy)
        return Context(turns, mid, _of_layer(found, "long", HINTS, policy), warnings)
    mid = strongest(workspace, "mid", k, policy=policy, without_tags=without_tags)
    long = strongest(workspace, "long", HINTS, policy=policy, without_tags=without_tags)
    return Context(turns, mid, long)


def short_term(workspace: Workspace, session_id: str, *, now: datetime) -> list[Turn]:
    """Return the last turns of a session, except those stored before the retention time.

    The time of storing counts, not the time they were said, or an imported history would have none.
    """
    config = workspace.config
    since = utc_text(now - timedelta(hours=config.session_retention_hours))
    window = TurnStore(workspace.storage.database).window(session_id, size=config.short_term.size)
    return [turn for turn in window if turn.recorded_at >= since]


def _relevant(
    workspace: Workspace, query: str, scope: Scope, *, wanted: int
) -> tuple[list[Memory], list[str]]:
    """Return the memories of a scope that are relevant to a query, and the search's warnings."""
    usual = default_options(workspace.config.search)
    options = replace(usual, max_results=wanted, scope=scope)
    answer = search(workspace, query, options)
    ids = [hit.metadata["memory_id"] for hit in answer.results]
    found = MemoryStore(workspace.storage).get_many(ids)
    return [found[memory_id] for memory_id in ids if memory_id in found], answer.warnings


def _of_layer(memories: list[Memory], layer: Layer, limit: int, policy: Policy) -> list[Memory]:
    """Return the first active memories of a layer, with their current scores."""
    there = (one for one in memories if one.layer == layer and one.status == "active")
    return [replace(one, score=present_score(one, policy)) for one in islice(there, limit)]
