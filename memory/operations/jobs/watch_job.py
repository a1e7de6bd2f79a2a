"""The watcher of a server: in the background, begun again when it fails, standing by for others."""

import threading
from typing import Final

from contracts import BusyError, MemError
from memory.files.roots import known_roots
from memory.files.watching.watcher import Reporter, Watcher
from memory.storage import utc_now
from memory.values.backoff import Backoff
from memory.values.reports import WatchBatch, WatchTrouble
from memory.workspace import Workspace

STAND_BY_S: Final = 2.0
"""How often it looks whether there is something to watch that nobody else watches."""

END_S: Final = 0.9
"""How long the end of a sync is waited for; the next one does what it has not done."""


class WatchJob:
    """The watcher of a process. Any thread may ask it."""

    def __init__(self, workspace: Workspace, *, report: Reporter | None = None) -> None:
        self._workspace = workspace
        self._report = report or (lambda _: None)
        self._stopping = threading.Event()
        self._changed = threading.Event()
        self._watcher: Watcher | None = None
        self._thread: threading.Thread | None = None
        self._backoff = Backoff()

    def start(self) -> None:
        """Begin in the background."""
        self._thread = threading.Thread(target=self._run, name="watch", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End, also in the middle of a sync; what is done stays done."""
        self._stopping.set()
        watcher = self._watcher
        self.look_again()
        if self._thread is not None:
            self._thread.join(END_S)
            if self._thread.is_alive() and watcher is not None:
                watcher.say_goodbye()

    def look_again(self) -> None:
        """Follow the configuration, which has changed."""
        self._changed.set()
        watcher = self._watcher
        if watcher is not None and (self._stopping.is_set() or not self._is_wanted()):
            watcher.stop()

    def _is_wanted(self) -> bool:
        return self._workspace.config.files.auto_sync

    def _run(self) -> None:
        """Watch until stopped. A failure of the program itself ends this thread, and begins one."""
        try:
            while not self._stopping.is_set():
                if self._is_wanted():
                    self._watch()
                self._changed.wait(STAND_BY_S)
                self._changed.clear()
        finally:
            if not self._stopping.is_set():
                threading.Timer(self._backoff.failed(), self.start).start()

    def _watch(self) -> None:
        """Watch, unless somebody else does or nothing is known, until that changes."""
        try:
            if known_roots(self._workspace):
                self._watcher = Watcher(self._workspace, report=self._note)
                self._watcher.run()
        except BusyError:  # another process watches; when it ends, this one does
            return
        except MemError as error:
            self._report(WatchTrouble(utc_now(), error.code, error.message, error.hint, STAND_BY_S))
        finally:
            self._watcher = None

    def _note(self, noted: WatchBatch | WatchTrouble) -> None:
        self._backoff.succeeded()
        self._report(noted)
