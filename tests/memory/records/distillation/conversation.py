"""Turns that are distilled: a promise, and the word that it is kept."""

from datetime import UTC, datetime, timedelta
from typing import Any

from memory.conversations.turns.adding import add_turns
from memory.conversations.turns.values import NewTurn
from memory.workspace import Workspace

BEGUN = datetime(2026, 3, 2, 9, tzinfo=UTC)
PROMISE = "I told Marc I'd send him the onboarding slides tomorrow"
DONE = "The onboarding slides are sent"


def say(
    memory: Workspace, *texts: str, session: str = "s1", begin: datetime = BEGUN, **more: Any
) -> None:
    turns = [
        NewTurn(session, text, ts=(begin + timedelta(minutes=number)).isoformat(), **more)
        for number, text in enumerate(texts)
    ]
    add_turns(memory, turns)
