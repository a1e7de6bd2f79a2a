"""Retention in a server: in the background, soon after it begins and every hour."""

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from contracts import MemError
from memory.conversations.pipeline import extract_unprocessed
from memory.conversations.retention import retain
from memory.conversations.retention_due import note_retention
from memory.workspace import Workspace

EVERY_S: Final = 3600.0
"""How often it looks; the shortest retention is an hour."""

END_S: Final = 0.9
"""How long the end of a transaction is waited for when the server ends."""


class RetentionJob:
    """The retention of a process. `report` is told what keeps it from its work."""

    def __init__(self, workspace: Workspace, *, report: Callable[[MemError], None]) -> None:
        self._workspace = workspace
        self._report = report
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin in the background."""
        self._thread = threading.Thread(target=self._run, name="retention", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End between two transactions."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(END_S)

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                extract_unprocessed(
                    self._workspace
                )  # while what they are about to look at is still there
                retain(self._workspace, is_ended=self._stopping.is_set)
            except MemError as error:
                self._report(error)
                with suppress(MemError):  # the first one has been reported
                    note_retention(self._workspace.storage.database, error=str(error))
            self._stopping.wait(EVERY_S)
