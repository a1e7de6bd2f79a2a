"""Removal of data after its retention time: turns of sessions without opt-in, and old actions.

In a session without long-term storage (`long_term_opt_in` false) each turn is removed
`memory.session_retention_hours` after it was stored, with everything derived from it except the
memories: those stay, without a link to their source. The session row stays, so that later turns are
treated alike. Actions, and changes in the log for followers, are removed after
`privacy.log_retention_days`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from memory.conversations.retention_status import (
    DUE_TURNS,
    OLD_ACTIONS,
    OLD_CHANGES,
    actions_before,
    count_due,
    note_retention,
    turns_before,
)
from memory.conversations.turns.removing import remove_turns
from memory.conversations.turns.store import TurnStore
from memory.storage import Database
from memory.storage.action_log import ActionLog
from memory.storage.pending_purge import mark_purge_pending, run_pending_purge
from memory.workspace import Workspace

AT_ONCE: Final = 200
"""Turns removed in one transaction, between which others write."""


@dataclass(frozen=True, slots=True)
class RetentionReport:
    """The numbers of turns and actions that were or would be removed."""

    turns: int
    actions: int


def remove_expired(
    workspace: Workspace,
    *,
    now: datetime | None = None,
    dry_run: bool = False,
    is_ended: Callable[[], bool] = lambda: False,
) -> RetentionReport:
    """Remove what is past its retention time; repeating it removes nothing more.

    `is_ended` stops it between two transactions; the next run does the rest.
    """
    database, moment = workspace.storage.database, now or datetime.now(UTC)
    turns = count_due(database, DUE_TURNS, turns_before(workspace, moment))
    actions = count_due(database, OLD_ACTIONS, actions_before(workspace, moment))
    if not dry_run:
        turns = _remove_turns(workspace, moment, is_ended) if turns else 0
        if not is_ended():
            run_pending_purge(workspace.storage)
        _remove_log_entries(database, actions_before(workspace, moment))
        note_retention(database, turns=turns, actions=actions)
    return RetentionReport(turns, actions)


def _remove_turns(workspace: Workspace, now: datetime, is_ended: Callable[[], bool]) -> int:
    """Remove the turns that are due, overwrite them on the disk, and return their number."""
    database, store = workspace.storage.database, TurnStore(workspace.storage.database)
    sql = f"SELECT id {DUE_TURNS} ORDER BY id LIMIT {AT_ONCE}"
    values = {"before": turns_before(workspace, now)}
    removed = 0
    while not is_ended():
        with database.erasing(), database.transaction() as tx:
            turns = store.many(row[0] for row in tx.run(sql, values))
            remove_turns(workspace, tx, turns, keep_sessions=True)
            log = ActionLog(tx, "retention", source="turn")
            if turns:
                mark_purge_pending(tx)
            for turn in turns:
                log.note(turn.id, "deleted", "age", hours=workspace.config.session_retention_hours)
        if not turns:
            break
        removed += len(turns)
    return removed


def _remove_log_entries(database: Database, before: str) -> None:
    with database.transaction() as tx:
        for old in (OLD_ACTIONS, OLD_CHANGES):
            tx.run(f"DELETE {old}", {"before": before})
