"""Who has said a turn, where that stands before it: `Ann: we have two cats`."""

import re
from typing import Final

from memory.conversations.turns.store import LAST_ID, TurnStore
from memory.conversations.turns.values import Turn

LOOKED_AT: Final = 20
"""Turns before a turn in which its name is looked for."""

_NAMED: Final = re.compile(r"(?P<name>[^\W\d_a-z][\w'’.-]*(?: [^\W\d_a-z][\w'’.-]*){0,2}):\s+\S")
"""One to three words that begin with no small letter, and a colon."""


def name_before(text: str) -> str | None:
    """What could be the name of who says the text."""
    found = _NAMED.match(text)
    return found["name"] if found else None


def speaker_of(turn: Turn, store: TurnStore) -> str | None:
    """Who has said a turn: whom it names itself, or a name before it that the session knows.

    A word and a colon are no name yet (`Note: ...`), unless a turn before begins in the same way,
    or its speaker is called so.
    """
    name = name_before(turn.text)
    if turn.speaker is not None or name is None:
        return turn.speaker
    before = store.before(turn.session_id, turn.ts, turn.id or LAST_ID, limit=LOOKED_AT)
    is_known = any(
        earlier.speaker == name or earlier.text.startswith(f"{name}:") for earlier in before
    )
    return name if is_known else None
