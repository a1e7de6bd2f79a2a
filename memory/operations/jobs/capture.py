"""The job that captures conversations with agents while they go on."""

from collections.abc import Callable
from threading import Event

from memory.conversations.capture.sources import all_sources
from memory.conversations.capture.watching import ChatWatcher
from memory.operations.jobs.job import JobOutcome, Work
from memory.operations.jobs.registry import CAPTURE
from memory.values.reports import WatchTrouble
from memory.workspace import Workspace


class CaptureWork(Work):
    """Watches the sources of `mem chats`; stands by while another process does.

    `report` is told what could not be read.
    """

    job = CAPTURE

    def __init__(
        self, workspace: Workspace, *, report: Callable[[WatchTrouble], object] = lambda _: None
    ) -> None:
        super().__init__(workspace)
        self._report = report
        self._watcher: ChatWatcher | None = None

    def is_due(self) -> bool:
        return bool(all_sources(self.workspace.storage.database))

    def run(self, stopping: Event) -> JobOutcome:
        self._watcher = watcher = ChatWatcher(self.workspace, report=self._report)
        try:
            if not stopping.is_set():
                watcher.run()
        finally:
            self._watcher = None
        return JobOutcome(f"turns captured: {watcher.turns:,}")

    def stop(self) -> None:
        watcher = self._watcher
        if watcher is not None:
            watcher.stop()
