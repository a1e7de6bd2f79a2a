"""The turns of one session, page by page: what an agent's framework calls a chat history."""

from dataclasses import dataclass
from typing import Final

from contracts import InputError
from memory.conversations.turns.adding import moment_of, session_name
from memory.conversations.turns.store import TurnStore
from memory.conversations.turns.values import Turn
from memory.values.record_fields import check_limit
from memory.workspace import Workspace

USUAL_TURNS: Final = 100
MOST_LISTED: Final = 1000


@dataclass(frozen=True, slots=True)
class TurnPage:
    """Turns in the order of their session; `next_cursor` leads to those before them, if any."""

    turns: list[Turn]
    next_cursor: str | None = None


def session_turns(
    workspace: Workspace,
    session_id: str | int,
    *,
    limit: int,
    cursor: str | None,
) -> TurnPage:
    """Return the newest turns of a session, or those before a page; a new session has none.

    Raises InputError for an invalid session, limit or cursor.
    """
    check_limit(limit, MOST_LISTED)
    store, session = TurnStore(workspace.storage.database), session_name(session_id)
    if cursor is None:
        found = store.window(session, size=limit + 1)
    else:
        ts, turn_id = _place(cursor)
        found = store.before(session, ts, turn_id, limit=limit + 1)
    page = found[-limit:]
    is_more = len(found) > limit
    return TurnPage(page, f"{page[0].ts}_{page[0].id}" if is_more else None)


def _place(cursor: str) -> tuple[str, int]:
    moment, _, turn_id = cursor.rpartition("_")
    hint = "give a page's next_cursor"
    if not (turn_id.isascii() and turn_id.isdecimal() and len(turn_id) < 19):
        raise InputError(f"the cursor is {cursor!r}", hint=hint)
    try:
        return moment_of(moment), int(turn_id)
    except InputError as error:
        raise InputError(f"the cursor is {cursor!r}", hint=hint) from error
