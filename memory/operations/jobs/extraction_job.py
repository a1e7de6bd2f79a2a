"""A server's language model at work: in the background, so that nothing waits for it."""

import threading
from collections.abc import Callable
from typing import Final

from contracts import BusyError, MemError
from memory.conversations.llm_extraction.passes import ModelExtractionReport, ModelExtractor
from memory.values.backoff import Backoff
from memory.workspace import Workspace

STAND_BY_S: Final = 2.0
"""How often it looks whether other processes have left turns to look at."""

END_S: Final = 0.9
"""How long the end of what is being written down is waited for; no answer of a model is."""

Teller = Callable[[str, str, float], None]
"""Is told of trouble: what it is, what to do, and in how many seconds it is tried again."""


class EnrichmentJob:
    """One thread that asks the model about the turns that wait. Any thread may wake or stop it."""

    def __init__(self, workspace: Workspace, *, tell: Teller | None = None) -> None:
        self._enricher = ModelExtractor(workspace)
        self._tell = tell or (lambda error, hint, pause_s: None)
        self._stopping = threading.Event()
        self._due = threading.Event()
        self._thread: threading.Thread | None = None
        self._trouble: str | None = None
        self._backoff = Backoff()

    def start(self) -> None:
        """Begin in the background."""
        self._thread = threading.Thread(target=self._run, name="enriching", daemon=True)
        self._thread.start()

    def look(self) -> None:
        """There may be something to do."""
        self._due.set()

    def stop(self) -> None:
        """Begin nothing more. An answer that has not come yet is not waited for."""
        self._stopping.set()
        self._due.set()
        if self._thread is not None:
            self._thread.join(END_S)

    def _run(self) -> None:
        """Work until stopped. A failure of the program itself ends this thread, and begins one."""
        try:
            while not self._stopping.is_set():
                pause_s = self._pass()
                if pause_s:
                    self._stopping.wait(pause_s)
                else:
                    self._due.wait(STAND_BY_S)
                    self._due.clear()
        finally:
            if not self._stopping.is_set():
                again = threading.Timer(self._backoff.failed(), self.start)
                again.daemon = True
                again.start()

    def _pass(self) -> float:
        """One pass; how long to wait before the next, 0 for as long as nothing is to do."""
        try:
            report = self._enricher.run(should_stop=self._stopping.is_set)
        except BusyError:  # another process is at it, or writes
            return STAND_BY_S
        except MemError as error:
            pause_s = self._backoff.failed()
            self._say(error.message, error.hint, pause_s)
            return pause_s
        self._backoff.succeeded()
        return self._after(report)

    def _after(self, report: ModelExtractionReport) -> float:
        if report.error is None:
            self._trouble = None
            return 0.0
        pause_s = report.retry_in_s or STAND_BY_S
        self._say(report.error, report.hint or "", pause_s)
        return pause_s

    def _say(self, error: str, hint: str, pause_s: float) -> None:
        """Tell of trouble once, and again when it is another."""
        if self._stopping.is_set():  # the database is being closed
            return
        if error != self._trouble:
            self._tell(error, hint, pause_s)
        self._trouble = error
