"""Analysis of a stored conversation: whether it is worth remembering."""

from typing import Final

from contracts import NotFoundError
from ingest.threads.signals import ThreadAnalysis, analyze_thread
from memory.conversations.turns.adding import session_name
from memory.conversations.turns.store import TurnStore
from memory.conversations.turns.values import Turn
from memory.workspace import Workspace

MOST_TURNS: Final = 10_000
"""The number of newest turns of a session that are analysed."""


def analyze_session(workspace: Workspace, session_id: str | int) -> ThreadAnalysis:
    """Return the analysis of a session's turns.

    Raises NotFoundError for a session without turns, InputError for an invalid session id.
    """
    turns = turns_of_session(workspace, session_id, limit=MOST_TURNS)
    return analyze_thread([{"role": turn.role, "content": turn.text} for turn in turns])


def turns_of_session(workspace: Workspace, session_id: str | int, *, limit: int) -> list[Turn]:
    """Return the newest turns of a session, in its order; raises what `analyze_session` does."""
    name = session_name(session_id)
    turns = TurnStore(workspace.storage.database).window(name, size=limit)
    if not turns:
        raise NotFoundError(
            f"there is no session {name!r}", hint="search for what was said: mem search WORDS"
        )
    return turns
