"""Conversations for the tests of episodes, about a boat and about a cake."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from memory.conversations.turns.adding import add_turns
from memory.conversations.turns.values import NewTurn
from memory.workspace import Workspace

BOAT = (
    "The mainsail tore on Sunday near the harbour.",
    "A sailmaker can sew a new seam into the sail.",
    "Should we also replace the rope of the jib?",
    "Yes, the jib rope is worn, and the mast needs varnish.",
    "The harbour crane lifts the boat on Friday.",
    "Then we paint the hull and check the rudder.",
    "The rudder has a crack below the waterline.",
    "Let us order a new rudder with the sail.",
)
CAKE = (
    "My sister wants a chocolate cake for her birthday.",
    "Melt the butter and the chocolate in a bowl.",
    "How many eggs does the dough need?",
    "Four eggs, and bake it in the oven for forty minutes.",
    "The last cake was dry, so I take it out earlier.",
    "Cover it with cream and strawberries.",
    "We need candles and sugar for the icing.",
    "The oven must be hot before the dough goes in.",
)
BEGUN = datetime(2026, 3, 4, 10, tzinfo=UTC)
LATER = BEGUN + timedelta(days=1)
"""A time after a pause."""


def say(
    workspace: Workspace,
    texts: Sequence[str],
    *,
    session: str = "s1",
    begin: datetime = BEGUN,
    every_s: float = 60.0,
) -> list[int]:
    """Store turns of two speakers, one after the other; return their ids."""
    turns = [
        NewTurn(
            session,
            text,
            ts=(begin + timedelta(seconds=number * every_s)).isoformat(),
            speaker=("Ana", "Bo")[number % 2],
        )
        for number, text in enumerate(texts)
    ]
    return [added.turn.id for added in add_turns(workspace, turns)]


def division(workspace: Workspace) -> list[tuple[int | None, list[int]]]:
    """Each episode with its turns, in the order of the turns' ids; None for those without one."""
    rows = workspace.storage.database.read("SELECT episode_id, id FROM turns ORDER BY id")
    found: dict[int | None, list[int]] = {}
    for episode_id, turn_id in rows:
        found.setdefault(episode_id, []).append(turn_id)
    return list(found.items())
