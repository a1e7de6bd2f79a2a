"""What a watcher lets others know of itself, by way of the database, and how they read it."""

from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from contracts import MemError
from memory.storage import Database, utc_now
from memory.storage.meta import WATCHER, read_meta, write_meta
from memory.storage.process_names import named, this_process
from memory.storage.sync_lock import running_watch
from memory.storage.values import utc_text
from memory.values.status_reports import WatcherStatus
from memory.workspace import Workspace

HEARTBEAT_S: Final = 15.0
"""Seconds between two signs of life. Each is a write, so there are few: that a watcher has ended is
known at once, by its lock."""

SILENT_AFTER: Final = 3
"""Heartbeats that may be missing before a watcher counts as not answering."""


@dataclass(slots=True)
class WatchState:
    """What one watcher says of itself; `publish` writes it.

    It ends with `clear` when the watcher ends as it was told; what is left of others tells that
    they did not.
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
        """Remember what went wrong, until it goes well again."""
        self.last_error, self.last_error_at = error, utc_now()

    def went_well(self) -> None:
        self.last_error = self.last_error_at = None

    def plan_scan(self, in_s: float) -> None:
        """Say when everything is scanned next."""
        self.next_scan = utc_text(datetime.now(UTC) + timedelta(seconds=in_s))

    def publish(self) -> None:
        """Write it, with a new sign of life. Raises what writing to the database does."""
        values = {name: getattr(self, name) for name in _PUBLISHED}
        with self.database.transaction() as tx:
            write_meta(tx, WATCHER, {**values, "process": this_process(), "heartbeat": utc_now()})

    def clear(self) -> None:
        """Say that it has ended; a database that cannot be written to just keeps the last word."""
        with suppress(MemError), self.database.transaction() as tx:
            write_meta(tx, WATCHER, None)


_PUBLISHED: Final = tuple(name for name in WatchState.__slots__ if name != "database")


def read_watcher(workspace: Workspace) -> WatcherStatus | None:
    """Who follows changes of files, or did until something went wrong; None for nobody."""
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
