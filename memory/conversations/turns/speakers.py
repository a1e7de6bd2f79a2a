"""The speaker of a turn, named at the start of its text: `Ann: we have two cats`."""

import re
from typing import Final

from memory.conversations.turns.store import LAST_ID, TurnStore
from memory.conversations.turns.values import Turn

LOOKED_AT: Final = 20
"""The number of preceding turns in which a name is looked for."""

_NAMED: Final = re.compile(r"(?P<name>[^\W\d_a-z][\w'’.-]*(?: [^\W\d_a-z][\w'’.-]*){0,2}):\s+\S")
"""One to three words that do not begin with a lower-case letter, and a colon."""


def name_before(text: str) -> str | None:
    """Return the possible name of the speaker at the start of a text."""
    found = _NAMED.match(text)
    return found["name"] if found else None


def speaker_of(turn: Turn, store: TurnStore) -> str | None:
    """Return the speaker of a turn: its own field, or a name before its text known in the session.

    A word and a colon are not yet a name (`Note: ...`), unless an earlier turn begins in the same
    way, or has a speaker of that name.
    """
    name = name_before(turn.text)
    if turn.speaker is not None or name is None:
        return turn.speaker
    before = store.before(turn.session_id, turn.ts, turn.id or LAST_ID, limit=LOOKED_AT)
    is_known = any(
        earlier.speaker == name or earlier.text.startswith(f"{name}:") for earlier in before
    )
    return name if is_known else None
