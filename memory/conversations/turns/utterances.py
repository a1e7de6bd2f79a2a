"""Conversion of a stored turn into the extractor's input."""

from datetime import datetime, timedelta
from typing import Final

from ingest.extractor import Utterance
from memory.conversations.turns.store import TurnStore
from memory.conversations.turns.values import Turn
from memory.storage.action_log import AGENT, IMPORTED

_OTHERS: Final = (IMPORTED, AGENT)
"""Keys in the metadata of a turn that its person did not say here: no instruction is taken."""

REACH: Final = 4
"""Turns among which the same person's previous one is looked for, to be corrected."""

FURTHEST: Final = 400
"""Messages among which a part to play or a text to work on may begin."""

_SITTING: Final = timedelta(days=7)
"""The longest silence in which neither a part nor what may be corrected is forgotten."""


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
    last = previous(store, turn)
    earlier = _said_alone(store, turn)
    if last is None or last.extraction == "off":  # nothing is to be made of it, nor a correction
        return utterance_of(turn, earlier=earlier)
    return utterance_of(turn, last.body, earlier if turn.speaker else earlier[:-1])


def previous(store: TurnStore, turn: Turn) -> Turn | None:
    """Return the same person's turn before this one, if neither many turns nor days are between."""
    near = store.before(turn.session_id, turn.ts, turn.id, limit=REACH)
    found = next((one for one in reversed(near) if said_by(one) == said_by(turn)), None)
    return found if found and _moment(turn.ts) - _moment(found.ts) <= _SITTING else None


def _said_alone(store: TurnStore, turn: Turn) -> tuple[str, ...]:
    """Return what the same person has said since the last long silence, the oldest first.

    Of a named person nothing, where others are named: in a group nobody plays to an assistant.
    """
    said: list[str] = []
    later = _moment(turn.ts)
    for one in store.messages_before(turn, limit=FURTHEST):
        if later - (later := _moment(one.ts)) > _SITTING:
            break
        if (one.speaker, one.agent) == said_by(turn)[1:]:
            said.append(one.body)
        elif turn.speaker and one.speaker:
            return ()
    return tuple(reversed(said))


def _moment(ts: str) -> datetime:
    return datetime.fromisoformat(ts)


def said_by(turn: Turn) -> tuple[object, ...]:
    """Return whose words a turn is: what an agent sends as the person's is the agent's."""
    return turn.role, turn.speaker, turn.metadata.get(AGENT)
