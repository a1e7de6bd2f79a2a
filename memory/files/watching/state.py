"""The state that a watcher publishes in the database, and its reader."""

from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from contracts import MemError
from memory.storage import Database, utc_now
from memory.storage.meta import WATCHER, read_meta, write_meta
from memory.storage.process_locks import running_watch
from memory.storage.process_names import named, this_process
from memory.storage.values import utc_text
from memory.values.status_reports import WatcherStatus
from memory.workspace import Workspace

HEARTBEAT_S: Final = 15.0
"""Interval of heartbeats in seconds. Each is a write, so they are rare: the end of a watcher
shows at once, by its lock.
"""

SILENT_AFTER: Final = 3
"""Missing heartbeats after which a watcher counts as not answering."""


@dataclass(slots=True)
class WatchState:
    """The state of one watcher; `publish` writes it.

    `clear` removes it when the watcher ends normally; a state that is left shows that its watcher
    did not.
    """

    database: Database
    doing: str = "syncing"
    method: str | None = None
    reason: str | None = None
    folders: int = 0
    queue: int = 0
    last_event: str | None = None
    last_scan: str | None = None
    next_scan: str | None = None
    last_error: str | None = None
    last_error_at: str | None = None
    since: str = field(default_factory=utc_now)

    def failed(self, error: str) -> None:
        """Store an error, until the next success."""
        self.last_error, self.last_error_at = error, utc_now()

    def went_well(self) -> None:
        self.last_error = self.last_error_at = None

    def plan_scan(self, in_s: float) -> None:
        """Set the time of the next complete scan."""
        self.next_scan = utc_text(datetime.now(UTC) + timedelta(seconds=in_s))

    def publish(self) -> None:
        """Write the state with a new heartbeat. Raises what writing to the database does."""
        values = {name: getattr(self, name) for name in _PUBLISHED}
        with self.database.transaction() as tx:
            write_meta(tx, WATCHER, {**values, "process": this_process(), "heartbeat": utc_now()})

    def clear(self) -> None:
        """Publish that the watcher has ended; if the database cannot be written to, the old
        state stays.
        """
        with suppress(MemError), self.database.transaction() as tx:
            write_meta(tx, WATCHER, None)


_PUBLISHED: Final = tuple(name for name in WatchState.__slots__ if name != "database")


def read_watcher(workspace: Workspace) -> WatcherStatus | None:
    """Return the watcher that runs or that failed; None without one."""
    database = workspace.storage.database
    is_there = running_watch(database, workspace.path) is not None
    written: dict[str, Any] | None = read_meta(database, WATCHER)
    if written is None:
        return None
    process, doing = written.pop("process"), written.pop("doing")
    silent_s = (datetime.now(UTC) - datetime.fromisoformat(written["heartbeat"])).total_seconds()
    state = doing
    if not is_there:
        state = "ended"
    elif silent_s > SILENT_AFTER * HEARTBEAT_S:
        state = "not answering"
    return WatcherStatus(state=state, holder=named(process), **written)
