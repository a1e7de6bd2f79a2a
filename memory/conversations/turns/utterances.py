"""Conversion of a stored turn into the extractor's input."""

from datetime import datetime
from typing import Final

from ingest.extractor import Utterance
from memory.conversations.turns.store import TurnStore
from memory.conversations.turns.values import Turn
from memory.storage.action_log import AGENT, IMPORTED

_OTHERS: Final = (IMPORTED, AGENT)
"""Keys in the metadata of a turn that its person did not say here: no instruction is taken."""

_REACH: Final = 4
"""Turns among which the same person's previous one is looked for."""


def utterance_of(turn: Turn, before: str = "") -> Utterance:
    """Return a turn as an utterance for the extractor; `before` as from `said_before`."""
    return Utterance(
        text=turn.text,
        said_at=datetime.fromisoformat(turn.ts),
        role=turn.role,
        speaker=turn.speaker,
        before=before,
        own=not any(key in turn.metadata for key in _OTHERS),
    )


def said_before(store: TurnStore, turn: Turn) -> str:
    """Return the text of the same person's previous turn in the session, empty if there is none."""
    for one in reversed(store.before(turn.session_id, turn.ts, turn.id, limit=_REACH)):
        if _who(one) == _who(turn):
            return one.body
    return ""


def _who(turn: Turn) -> tuple[object, ...]:
    """Return who said a turn: what an agent sends as the person's is the agent's."""
    return turn.role, turn.speaker, turn.metadata.get(AGENT)
