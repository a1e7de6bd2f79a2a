"""A turn as it is shown: between those of its session, with what of it is over."""

from dataclasses import dataclass
from typing import Any, Final

from memory.conversations.turns.kind import cite_turn
from memory.conversations.turns.values import Turn
from memory.values.results import Superseded

AROUND: Final = 3
"""Turns shown before and after the requested one."""


@dataclass(frozen=True, slots=True)
class DisplayTurn:
    """A turn for display: `id` is `turn:42`, `speaker` a name where the turn has one."""

    id: str
    citation: str
    role: str
    speaker: str | None
    occurred_at: str
    text: str


@dataclass(frozen=True, slots=True)
class TurnContent:
    """A turn between those of its session, in the order of the session.

    `superseded` are the statements of it that are over.
    """

    turn: DisplayTurn
    session_id: str | int
    tags: list[str]
    metadata: dict[str, Any]
    image_paths: list[str]
    before: list[DisplayTurn]
    after: list[DisplayTurn]
    superseded: list[Superseded]


def display_turn(turn: Turn) -> DisplayTurn:
    """Return a turn for display."""
    return DisplayTurn(
        id=f"turn:{turn.id}",
        citation=cite_turn(turn.session_id, turn.id, turn.ts),
        role=turn.role,
        speaker=turn.speaker,
        occurred_at=turn.ts,
        text=turn.text,
    )
