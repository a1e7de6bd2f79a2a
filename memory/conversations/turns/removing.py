"""Removal of turns with everything the index has of them."""

from collections.abc import Sequence

from memory.conversations.turns.adding import rewrite_neighbours
from memory.conversations.turns.captured import captured
from memory.conversations.turns.store import TurnStore
from memory.conversations.turns.values import Turn
from memory.index.neighbours import PREVIOUS
from memory.index.record_chunks import remove_record
from memory.index.record_hooks import withdraw_derived
from memory.storage import Transaction
from memory.workspace import Workspace


def remove_turns(
    workspace: Workspace, tx: Transaction, turns: Sequence[Turn], *, keep_sessions: bool = False
) -> None:
    """Remove turns with their chunks, vectors and links, and sessions that are then empty.

    With `keep_sessions` those stay, with their opt-in.

    Keyword entries of the turns after them are rebuilt, so that none of their words remain there,
    and so are records of other kinds that rest on them. The caller handles memories derived from
    them. A message of an agent is not captured again.
    """
    store = TurnStore(workspace.storage.database)
    gone = {turn.id for turn in turns}
    store.note_removed(tx, (turn.client_id for turn in turns if turn.client_id and captured(turn)))
    behind: dict[int, Turn] = {}
    withdraw_derived(workspace, tx, "turn", gone)
    for turn in turns:
        remove_record(workspace, tx, "turn", str(turn.id))
    store.delete(tx, gone, keep_sessions=keep_sessions)
    for turn in turns:
        for later in store.after(turn.session_id, turn.ts, turn.id, limit=PREVIOUS):
            behind[later.id] = later
    rewrite_neighbours(workspace, tx, behind)
