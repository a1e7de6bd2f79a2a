"""The window of a session, and the memories that are strongest or relevant to a question."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from memory.conversations.memories.gc_policy import Policy
from memory.conversations.memories.ranking import present_score, strongest
from memory.conversations.memories.values import Layer, Memory
from memory.conversations.turns.store import TurnStore
from memory.conversations.turns.values import Turn
from memory.storage import utc_text
from memory.workspace import Workspace

HINTS: Final = 5
"""The most long-term memories in a context."""

UNCONFIRMED: Final = "unconfirmed"
"""The tag of a memory that may be true, and is never shown as a fact."""


def short_term(workspace: Workspace, session_id: str, *, now: datetime) -> list[Turn]:
    """Return the last turns of a session, except those stored before the retention time.

    The time of storing counts, not the time they were said, or an imported history would have none.
    """
    config = workspace.config
    since = utc_text(now - timedelta(hours=config.session_retention_hours))
    window = TurnStore(workspace.storage.database).window(session_id, size=config.short_term.size)
    return [turn for turn in window if turn.recorded_at >= since]


class LayeredMemories:
    """The memories of a layer in the order in which a context shows them."""

    def __init__(self, workspace: Workspace, policy: Policy, without_tags: Sequence[str]) -> None:
        self._workspace = workspace
        self._policy = policy
        self._without_tags = without_tags

    def first(self, layer: Layer, limit: int, relevant: Sequence[Memory]) -> list[Memory]:
        """Return memories with their present scores: those relevant first, then the strongest."""
        there = [one for one in relevant if one.layer == layer and one.status == "active"]
        found = {
            one.id: replace(one, score=present_score(one, self._policy)) for one in there[:limit]
        }
        if len(found) < limit:
            strong = strongest(
                self._workspace,
                layer,
                limit,
                policy=self._policy,
                without_tags=self._without_tags,
            )
            for one in strong:
                found.setdefault(one.id, one)
        return list(found.values())[:limit]
