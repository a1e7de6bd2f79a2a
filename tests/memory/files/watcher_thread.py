"""A watcher in a thread of a test's, with what it reports and finds."""

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from contracts import MemError
from memory.files.watching.watcher import Watcher
from memory.operations.jobs.watching import vectors_beside
from memory.operations.status import read_status
from memory.retrieval.searching import search
from memory.values.reports import WatchBatch, WatchTrouble
from memory.values.status_reports import WatcherStatus
from memory.workspace import Workspace
from tests.waiting import DEADLINE_S


class Watching:
    """A watcher at work, and what it has reported."""

    def __init__(self, workspace: Workspace, **options: Any) -> None:
        """`options` are a Watcher's."""
        self.batches: list[WatchBatch] = []
        self.troubles: list[WatchTrouble] = []
        self.error: BaseException | None = None
        self._arrival = threading.Condition()
        self._beside = ExitStack()
        report = self._beside.enter_context(vectors_beside(workspace, self._take))
        self.watcher = Watcher(workspace, report=report, **options)
        self.thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        try:
            with self._beside:
                self.watcher.run()
        except MemError as error:
            self.error = error

    def _take(self, noted: WatchBatch | WatchTrouble) -> None:
        with self._arrival:
            if isinstance(noted, WatchBatch):
                self.batches.append(noted)
            else:
                self.troubles.append(noted)
            self._arrival.notify_all()

    def wait_for(self, condition: Callable[[], object]) -> None:
        """Wait until a report makes this true."""
        with self._arrival:
            assert self._arrival.wait_for(condition, DEADLINE_S), (self.batches, self.troubles)

    def scans(self) -> int:
        return sum(batch.kind == "scan" for batch in self.batches)


@contextmanager
def watching(workspace: Workspace, **options: Any) -> Iterator[Watching]:
    """Watch once everything has been looked at; `options` are a Watcher's."""
    found = Watching(workspace, **options)
    found.thread.start()
    try:
        found.wait_for(lambda: found.batches or found.error)
        yield found
    finally:
        found.watcher.stop()
        found.thread.join(DEADLINE_S)
        assert not found.thread.is_alive()


def finds(memory: Workspace, words: str) -> set[str]:
    """The names of the files that hold all of these words."""
    hits = search(memory, words).results
    return {Path(str(hit.file_path)).name for hit in hits if words in hit.text}


def watcher_of(memory: Workspace) -> WatcherStatus:
    found = read_status(memory).watcher
    assert found is not None
    return found
