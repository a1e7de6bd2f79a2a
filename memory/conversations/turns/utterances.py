"""Conversion of a stored turn into the extractor's input."""

from datetime import datetime

from ingest.extractor import Utterance
from memory.conversations.turns.values import Turn


def utterance_of(turn: Turn) -> Utterance:
    """Return a turn as an utterance for the extractor."""
    return Utterance(
        text=turn.text,
        said_at=datetime.fromisoformat(turn.ts),
        role=turn.role,
        speaker=turn.speaker,
    )
