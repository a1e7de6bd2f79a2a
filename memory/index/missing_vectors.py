"""Embedding in the background, so that a slow or absent model delays no keyword search."""

import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Final

from contracts import MemError
from memory.index.indexing import IndexingCounts
from memory.index.recipe import embed_missing
from memory.storage import utc_now
from memory.storage.meta import VECTORS_MISSING, read_meta
from memory.values.backoff import Backoff
from memory.values.reports import SyncStats, WatchBatch, WatchTrouble
from memory.workspace import Workspace

FIRST_PAUSE_S: Final = 1.0
LAST_PAUSE_S: Final = 300.0
"""The first and the longest pause after the model could not be reached, in addition to the time
of its own retries.
"""


class MissingVectors:
    """One thread that embeds while chunks lack vectors; `wake` is called when it has news."""

    def __init__(self, workspace: Workspace, wake: Callable[[], None]) -> None:
        self._workspace = workspace
        self._wake = wake
        self._due = threading.Event()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._backoff = Backoff(FIRST_PAUSE_S, LAST_PAUSE_S)
        self._news: SimpleQueue[WatchBatch | WatchTrouble] = SimpleQueue()
        self.error: str | None = None

    def look(self) -> None:
        """Start, if chunks lack vectors."""
        if not read_meta(self._workspace.storage.database, VECTORS_MISSING):
            return
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="vectors", daemon=True)
            self._thread.start()
        self._due.set()

    def stop(self) -> None:
        """Start nothing more. A call that the model has not answered yet is not waited for."""
        self._stopping.set()
        self._due.set()

    def news(self) -> list[WatchBatch | WatchTrouble]:
        """Return the events since the last call."""
        found = []
        while True:
            try:
                found.append(self._news.get_nowait())
            except Empty:
                return found

    def _run(self) -> None:
        while True:
            self._due.wait()
            self._due.clear()
            while not self._stopping.is_set() and (pause_s := self._embed()):
                self._stopping.wait(pause_s)
            if self._stopping.is_set():
                return

    def _embed(self) -> float:
        """Embed what is missing; return the pause before the next attempt, 0 when nothing is
        missing.
        """
        try:
            counts = embed_missing(self._workspace)
        except MemError as error:
            return self._failed(error.code, error.message, error.hint)
        if counts.warnings:
            hint = "they get their vectors when it is back; mem status says how many lack one"
            return self._failed("unavailable", counts.warnings[0], hint)
        self._backoff.succeeded()
        self.error = None
        if counts.embedded or counts.cached:
            self._tell(WatchBatch(utc_now(), "vectors", 0, _stats(counts)))
        return 0.0

    def _failed(self, code: str, message: str, hint: str) -> float:
        if self._stopping.is_set():  # the database is being closed
            return 0.0
        pause_s = self._backoff.failed()
        is_new, self.error = self.error != message, message
        if is_new:
            self._tell(WatchTrouble(utc_now(), code, message, hint, pause_s))
        return pause_s

    def _tell(self, noted: WatchBatch | WatchTrouble) -> None:
        self._news.put(noted)
        self._wake()


def _stats(counts: IndexingCounts) -> SyncStats:
    return SyncStats(
        embedded=counts.embedded,
        cached=counts.cached,
        refused=counts.refused,
        warnings=counts.all_warnings(),
    )
