"""Work of a test's own, and a clock moved by hand."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from contracts import MemError
from memory.operations.jobs.job import Job, JobOutcome, Work
from memory.operations.jobs.scheduler import Scheduler
from memory.workspace import Workspace


def job_of(name: str = "probe", **settings: Any) -> Job:
    """A job with a lock of its own."""
    return Job(**{"name": name, "does": "Count.", "when": "now", "work": "", **settings})


class Probe(Work):
    """Counts its runs; each fails with the next of `errors`, and waits for `go_on` to be set."""

    def __init__(self, workspace: Workspace, job: Job) -> None:
        super().__init__(workspace)
        self.job = job
        self.runs = 0
        self.is_wanted = True
        self.errors: list[Exception] = []
        self.go_on = threading.Event()
        self.go_on.set()
        self.is_running = threading.Event()
        self.was_abandoned = False

    def is_due(self) -> bool:
        return self.is_wanted

    def run(self, stopping: threading.Event) -> JobOutcome:
        self.runs += 1
        self.is_running.set()
        while not stopping.is_set() and not self.go_on.wait(0.01):
            pass
        self.is_running.clear()
        if self.errors:
            raise self.errors.pop(0)
        return JobOutcome(f"run {self.runs}")

    def abandon(self) -> None:
        self.was_abandoned = True


class Clock:
    """A clock that moves only when it is told to."""

    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


class Bench:
    """A scheduler with a clock of a test's, and what it told of."""

    def __init__(self, workspace: Workspace) -> None:
        self.clock = Clock()
        self.told: list[tuple[str, str, float]] = []
        self.scheduler = Scheduler(workspace, tell=self._take, now_s=self.clock)

    def _take(self, job: Job, outcome: JobOutcome, pause_s: float) -> None:
        self.told.append((job.name, outcome.message, pause_s))

    def advance(self, seconds: float) -> None:
        self.clock.now_s += seconds
        self.scheduler.wake()

    def settled(self, *names: str) -> bool:
        return not any(self.scheduler.is_busy(name) for name in names or ("probe",))


@contextmanager
def bench_of(workspace: Workspace) -> Iterator[Bench]:
    bench = Bench(workspace)
    try:
        yield bench
    finally:
        bench.scheduler.stop()


class OutOfReachError(MemError):
    """A failure with a message."""

    code = "unavailable"

    def __init__(self, message: str = "out of reach") -> None:
        super().__init__(message, hint="plug it in")
