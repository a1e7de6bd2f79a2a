"""The common part of all actors of the stress test."""

import contextlib
import sys
import time
from collections.abc import Iterator
from random import Random

from benchmarks.stress.values import Base, Event
from contracts import MemError
from memory.config.loading import load_config
from memory.workspace import Workspace

WAIT_S = 60.0
"""Seconds that a sync waits for others here, of which there may be several."""


class Actor:
    """The common part of all roles: the database's folder, a random generator, and output."""

    def __init__(self, role: str, base: Base, seed: int) -> None:
        self.role = role
        self.base = base
        self.random = Random(f"{role} {seed}")

    def opened(self, config: int = 0) -> Workspace:
        workspace = Workspace(load_config(self.base.config(config)))
        workspace.wait_s = WAIT_S
        return workspace

    @contextlib.contextmanager
    def telling(self, op: str, text: str | None = None) -> Iterator[None]:
        """Report an operation before and after, with its error."""
        _say(Event("begin", op, text=text))
        started = time.monotonic()
        error = None
        try:
            yield
        except (MemError, OSError, RuntimeError, AssertionError) as raised:
            error = f"{type(raised).__name__}: {raised}"
        _say(Event("end", op, time.monotonic() - started, text, error))

    def rest(self, least_s: float, most_s: float) -> None:
        """Wait a random time."""
        time.sleep(self.random.uniform(least_s, most_s))


def _say(event: Event) -> None:
    sys.stdout.write(f"{event.line()}\n")
    sys.stdout.flush()
