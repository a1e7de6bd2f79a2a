"""The jobs that watch files and conversations, and what runs beside a watcher of a terminal."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event, Lock

from contracts import MemError, StorageError
from memory.conversations.capture.sources import all_sources
from memory.conversations.capture.watching import ChatWatcher
from memory.files.roots import known_roots
from memory.files.watching.watcher import Reporter, Watcher
from memory.operations.jobs.job import Job, JobOutcome, Work
from memory.operations.jobs.registry import CAPTURE, VECTORS, WATCH
from memory.operations.jobs.scheduler import Scheduler
from memory.operations.jobs.vectors import BEGINS_AFTER_S, UpgradeWork, VectorsWork
from memory.storage import utc_now
from memory.values.reports import WatchBatch, WatchTrouble
from memory.workspace import Workspace


class WatchWork(Work):
    """Watches while the configuration wants it; stands by while another process does.

    `report` is told what the watcher did and what kept it from it.
    """

    job = WATCH

    def __init__(self, workspace: Workspace, *, report: Reporter = lambda _: None) -> None:
        super().__init__(workspace)
        self._report = report
        self._watcher: Watcher | None = None

    def is_due(self) -> bool:
        return self.workspace.config.files.auto_sync and bool(known_roots(self.workspace))

    def run(self, stopping: Event) -> JobOutcome:
        self._watcher = watcher = Watcher(self.workspace, report=self._report)
        try:
            if not stopping.is_set() and self.is_due():
                watcher.run()
        finally:
            self._watcher = None
        return JobOutcome("watched until it was ended")

    def follow_configuration(self) -> None:
        """End a watcher that the configuration no longer wants."""
        if not self.workspace.config.files.auto_sync:
            self.stop()

    def stop(self) -> None:
        watcher = self._watcher
        if watcher is not None:
            watcher.stop()

    def abandon(self) -> None:
        watcher = self._watcher
        if watcher is not None:
            watcher.publish_stopped()


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


def telling_of_vectors(scheduler: Scheduler, report: Reporter) -> Reporter:
    """`report` for a watcher, which also has what it left without vectors embedded."""

    def tell(noted: WatchBatch | WatchTrouble) -> None:
        report(noted)
        if isinstance(noted, WatchBatch):
            scheduler.trigger(VECTORS.name)

    return tell


@contextmanager
def vectors_beside(workspace: Workspace, report: Reporter) -> Iterator[Reporter]:
    """Embed missing vectors, and upgrade, while the block watches; yields its watcher's reporter.

    `report` is called by one thread at a time.
    """
    lock = Lock()

    def alone(noted: WatchBatch | WatchTrouble) -> None:
        with lock:
            report(noted)

    def quietly(noted: WatchBatch | WatchTrouble) -> None:
        with suppress(BrokenPipeError):  # the watcher meets it, too, and ends
            alone(noted)

    def tell(_job: Job, outcome: JobOutcome, pause_s: float) -> None:
        if not isinstance(outcome.error, StorageError):  # the watcher reports an unusable database
            quietly(_trouble_of(outcome, pause_s))

    scheduler = Scheduler(workspace, tell=tell)
    upgrade = UpgradeWork(workspace, after_s=BEGINS_AFTER_S)
    capture = CaptureWork(workspace, report=quietly)
    scheduler.start(VectorsWork(workspace, report=quietly), capture, upgrade)
    try:
        yield telling_of_vectors(scheduler, alone)
    finally:
        scheduler.stop()


def _trouble_of(outcome: JobOutcome, pause_s: float) -> WatchTrouble:
    """A job's failure as a watcher reports its own."""
    error = outcome.error
    if not isinstance(error, MemError):
        error = StorageError(outcome.message, hint=outcome.hint)
    return WatchTrouble(utc_now(), error.code, error.message, error.hint, pause_s)
