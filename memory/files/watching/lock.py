"""The lock of a database's one watcher, over the loss of a connection to its server."""

import time
from contextlib import ExitStack
from math import inf
from threading import Event
from typing import Final

from contracts import BusyError
from memory.storage.database import DatabaseUnavailableError
from memory.storage.process_locks import watch_lock
from memory.storage.process_names import named, this_process
from memory.values.backoff import Backoff
from memory.workspace import Workspace

OWN_LOCK_S: Final = 60.0
"""The time that a server may take to end a lost connection of this process, with its lock."""

RETRY_S: Final = 1.0
"""Pause between two attempts meanwhile."""


class WatchLock:
    """The lock, held for a block. `stopping` ends the wait for it."""

    def __init__(self, workspace: Workspace, stopping: Event, backoff: Backoff) -> None:
        self._workspace = workspace
        self._stopping = stopping
        self._backoff = backoff
        self._held = ExitStack()

    def __enter__(self) -> None:
        """Take it. Raises BusyError when another process watches."""
        workspace = self._workspace
        self._held.enter_context(watch_lock(workspace.storage.database, workspace.path))

    def __exit__(self, *_: object) -> None:
        self._held.close()

    def take_again(self) -> None:
        """Take it after it was lost. Raises BusyError when another process watches by now."""
        self._held.close()
        until_s = inf
        while not self._stopping.is_set():
            try:
                self.__enter__()
            except DatabaseUnavailableError:
                until_s = inf
                self._stopping.wait(self._backoff.failed())
            except BusyError as error:
                until_s = min(until_s, time.monotonic() + OWN_LOCK_S)
                is_own = named(this_process()) in error.message
                if not is_own or time.monotonic() > until_s:
                    raise
                self._stopping.wait(RETRY_S)
            else:
                return
