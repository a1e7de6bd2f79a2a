"""Conversion of a stored turn into the extractor's input."""

from datetime import datetime
from typing import Final

from ingest.extractor import Utterance
from memory.conversations.turns.store import TurnStore
from memory.conversations.turns.values import Turn
from memory.storage.action_log import AGENT, IMPORTED

_OTHERS: Final = (IMPORTED, AGENT)
"""Keys in the metadata of a turn that its person did not say here: no instruction is taken."""

REACH: Final = 4
"""Turns among which the same person's previous one is looked for, to be corrected."""

FURTHEST: Final = 40
"""Turns among which a part to play or a text to work on may begin."""


def utterance_of(turn: Turn, before: str = "", earlier: tuple[str, ...] = ()) -> Utterance:
    """Return a turn as an utterance for the extractor, with what was said before it, if known."""
    return Utterance(
        text=turn.text,
        said_at=datetime.fromisoformat(turn.ts),
        role=turn.role,
        speaker=turn.speaker,
        before=before,
        own=not any(key in turn.metadata for key in _OTHERS),
        earlier=earlier,
    )


def in_session(store: TurnStore, turn: Turn) -> Utterance:
    """Return a turn as an utterance, with what the same person said before it in its session."""
    if turn.role != "user":
        return utterance_of(turn)
    reach = REACH if turn.speaker else FURTHEST
    turns = store.before(turn.session_id, turn.ts, turn.id, limit=reach)
    said = [(number, one.body) for number, one in enumerate(turns) if said_by(one) == said_by(turn)]
    before = said.pop()[1] if said and said[-1][0] >= len(turns) - REACH else ""
    return utterance_of(turn, before, tuple(text for _, text in said))


def said_by(turn: Turn) -> tuple[object, ...]:
    """Return whose words a turn is: what an agent sends as the person's is the agent's."""
    return turn.role, turn.speaker, turn.metadata.get(AGENT)
