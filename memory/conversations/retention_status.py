"""The retention status: turns and actions that are due, and the result of the last removal."""

from datetime import UTC, datetime, timedelta
from typing import Final

from memory.storage import Database, utc_now, utc_text
from memory.storage.meta import read_meta, write_meta
from memory.values.status_reports import RetentionStatus
from memory.workspace import Workspace

LAST_RETENTION: Final = "last_retention"
"""Fact in `meta`: `{"at", "turns", "actions", "error"}` of the last run that was not a dry run."""

DUE_TURNS: Final = """FROM turns WHERE recorded_at < :before AND session_id IN (
    SELECT session_id FROM sessions WHERE long_term_opt_in = 0
)"""
"""Turns past the retention time, of sessions without long-term storage."""

OLD_ACTIONS: Final = "FROM actions WHERE at < :before"
OLD_CHANGES: Final = "FROM record_changes WHERE at < :before"


def note_retention(
    database: Database, *, turns: int = 0, actions: int = 0, error: str | None = None
) -> None:
    """Store the result or the error of the last run for the status."""
    fact = {"at": utc_now(), "turns": turns, "actions": actions, "error": error}
    with database.transaction() as tx:
        write_meta(tx, LAST_RETENTION, fact)


def read_retention(workspace: Workspace) -> RetentionStatus:
    """Return what is due for removal, and what was removed last."""
    database = workspace.storage.database
    fact = read_meta(database, LAST_RETENTION) or {}
    closed = "SELECT count(*) FROM sessions WHERE long_term_opt_in = 0"
    return RetentionStatus(
        session_hours=workspace.config.session_retention_hours,
        log_days=workspace.loaded.config.privacy.log_retention_days,
        sessions=database.read(closed)[0][0],
        due=count_due(database, DUE_TURNS, turns_before(workspace, datetime.now(UTC))),
        last_at=fact.get("at"),
        last_turns=fact.get("turns", 0),
        last_actions=fact.get("actions", 0),
        last_error=fact.get("error"),
    )


def turns_before(workspace: Workspace, now: datetime) -> str:
    """Return the time before which stored turns may be due."""
    return utc_text(now - timedelta(hours=workspace.config.session_retention_hours))


def actions_before(workspace: Workspace, now: datetime) -> str:
    """Return the time before which actions are due."""
    return utc_text(now - timedelta(days=workspace.loaded.config.privacy.log_retention_days))


def count_due(database: Database, which: str, before: str) -> int:
    """Return the number of these rows that are due."""
    return int(database.read(f"SELECT count(*) {which}", {"before": before})[0][0])
