"""A stored turn as those read it who look for facts in it."""

from datetime import datetime

from ingest.extractor import Utterance
from memory.conversations.turns.values import Turn


def utterance_of(turn: Turn) -> Utterance:
    """A turn as the extractor reads it."""
    return Utterance(
        text=turn.text,
        said_at=datetime.fromisoformat(turn.ts),
        role=turn.role,
        speaker=turn.speaker,
    )
