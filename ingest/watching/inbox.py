"""The inbox for all ways of watching, until the watcher takes its content.

A file that is written ten times before it is taken is one path; more paths than a watcher would
check one by one are an overflow.
"""

import threading
from collections.abc import Iterable
from typing import Final

from contracts import UnavailableError
from ingest.watching.base import Hints, topmost

MOST_PATHS: Final = 50_000


class Inbox:
    """Paths from any thread to the one that waits."""

    def __init__(self, most_paths: int = MOST_PATHS) -> None:
        self._most_paths = most_paths
        self._paths: set[str] = set()
        self._overflow = False
        self._woken = False
        self._failure: Exception | None = None
        self._arrival = threading.Condition()

    def put(self, paths: Iterable[str]) -> None:
        """Add paths that may have changed."""
        with self._arrival:
            self._paths.update(paths)
            if len(self._paths) > self._most_paths:
                self._paths.clear()
                self._overflow = True
            if self._paths or self._overflow:
                self._arrival.notify()

    def overflow(self) -> None:
        """Report that changes were missed."""
        with self._arrival:
            self._overflow = True
            self._arrival.notify()

    def fail(self, error: Exception) -> None:
        """Report that a part has ended: every later wait raises."""
        with self._arrival:
            self._failure = error
            self._arrival.notify()

    def wake(self) -> None:
        """End the current wait, or else the next one."""
        with self._arrival:
            self._woken = True
            self._arrival.notify()

    def take(self, timeout_s: float) -> tuple[Hints, bool]:
        """The hints so far, waiting at most `timeout_s`, and whether the wait was ended by `wake`.

        Raises UnavailableError when a part has ended.
        """
        with self._arrival:
            self._arrival.wait_for(self._is_due, timeout_s)
            if self._failure is not None:
                raise UnavailableError(
                    f"watching has ended: {self._failure}",
                    hint="start it again; 'mem sync' works without it",
                ) from self._failure
            taken, overflow, woken = self._paths, self._overflow, self._woken
            self._paths, self._overflow, self._woken = set(), False, False
        return Hints(frozenset(topmost(taken)), overflow), woken

    def _is_due(self) -> bool:
        return bool(self._paths or self._overflow or self._woken or self._failure)
