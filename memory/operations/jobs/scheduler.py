"""The one scheduler of a process: runs every kind of background work.

A thread keeps the time, and each job that is looked at or runs has its own thread, so that
none waits for another and nobody who answers waits for any. Jobs run alone, one run at a time,
across processes by their locks. docs/decisions/0016-scheduler.md says why no library does it.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import inf
from threading import BoundedSemaphore, Condition, Event, Thread
from typing import Literal

from contracts import BusyError, MemError
from memory.operations.jobs.job import LOOK_S, Job, JobOutcome, Work
from memory.operations.jobs.running import note_run, run_work
from memory.storage import utc_text
from memory.values.backoff import Backoff
from memory.workspace import Workspace

Teller = Callable[[Job, JobOutcome, float], None]
"""Is told of a failure, once until it is another: the job, what it came to, seconds to the next."""


@dataclass(slots=True)
class _Entry:
    """A job that a scheduler runs, and how far it is; times are of the scheduler's clock."""

    work: Work
    backoff: Backoff
    due_s: float = -inf
    not_before_s: float = -inf
    is_triggered: bool = False
    phase: Literal["waiting", "looking", "running"] = "waiting"
    thread: Thread | None = None
    told: str = ""
    last: JobOutcome | None = None

    def next_s(self) -> float:
        """When to look at it next; never while it is looked at or runs."""
        if self.phase != "waiting":
            return inf
        return max(self.not_before_s, -inf if self.is_triggered else self.due_s)


class Scheduler:
    """Runs jobs until it is stopped. Any thread may use it."""

    def __init__(
        self,
        workspace: Workspace,
        *,
        tell: Teller | None = None,
        now_s: Callable[[], float] = time.monotonic,
        slots: BoundedSemaphore | None = None,
    ) -> None:
        """`now_s` is the clock; after it was moved by hand, `wake` lets the scheduler see it.

        `slots` bounds how many jobs run together with those of other schedulers.
        """
        self._slots = slots
        self._workspace = workspace
        self._tell = tell
        self._now_s = now_s
        self._changed = Condition()
        self._stopping = Event()
        self._entries: dict[str, _Entry] = {}
        self._timer: Thread | None = None

    def start(self, *works: Work) -> None:
        """Run these from now on, with those of earlier calls."""
        with self._changed:
            for work in works:
                job = work.job
                backoff = Backoff(job.first_retry_s, job.last_retry_s)
                first_s = self._now_s() + work.first_after_s if work.first_after_s else -inf
                self._entries[job.name] = _Entry(work, backoff, due_s=first_s)
            if self._timer is None:
                self._timer = Thread(target=self._keep_time, name="scheduler", daemon=True)
                self._timer.start()
            self._changed.notify_all()

    def trigger(self, name: str) -> None:
        """Run a job now, if its work is due; soon after, where it runs or failed just now.

        Triggers that come meanwhile are one. A job that was not started is left alone.
        """
        with self._changed:
            if name in self._entries:
                self._entries[name].is_triggered = True
                self._changed.notify_all()

    def wake(self) -> None:
        """Look at the clock again."""
        with self._changed:
            self._changed.notify_all()

    def has(self, name: str) -> bool:
        """Return whether the job was started in this process."""
        with self._changed:
            return name in self._entries

    def is_running(self, name: str) -> bool:
        """Return whether a job is running in this process."""
        with self._changed:
            entry = self._entries.get(name)
            return entry is not None and entry.phase == "running"

    def is_busy(self, name: str) -> bool:
        """Return whether a job runs here, is being checked, or is about to be."""
        with self._changed:
            entry = self._entries.get(name)
            if entry is None:
                return False
            is_awaited = entry.is_triggered and not self._stopping.is_set()
            return is_awaited or entry.phase != "waiting"

    def last(self, name: str) -> JobOutcome | None:
        """The result of the last try of a job in this process, also of a skipped one."""
        with self._changed:
            entry = self._entries.get(name)
            return entry.last if entry is not None else None

    def stop(self) -> None:
        """Begin nothing more and end what runs; waits as long as each job allows."""
        self._stopping.set()
        with self._changed:
            self._changed.notify_all()
            entries = list(self._entries.values())
            at_work = [(each.work, each.thread) for each in entries if each.thread is not None]
        for work, _ in at_work:
            work.stop()
        started_s = time.monotonic()
        for work, thread in at_work:
            end_s = work.job.end_s
            left_s = None if end_s is None else max(0.0, started_s + end_s - time.monotonic())
            thread.join(left_s)
            if thread.is_alive():
                work.abandon()

    def _keep_time(self) -> None:
        with self._changed:
            while not self._stopping.is_set():
                now_s = self._now_s()
                for entry in self._entries.values():
                    if entry.next_s() <= now_s:
                        self._begin(entry)
                next_s = min((each.next_s() for each in self._entries.values()), default=inf)
                pause_s = next_s - now_s
                self._changed.wait(None if pause_s == inf else max(pause_s, 0.0))

    def _begin(self, entry: _Entry) -> None:
        """Look at a job in its own thread."""
        entry.phase, entry.is_triggered = "looking", False
        entry.thread = Thread(
            target=self._look, args=(entry,), name=entry.work.job.name, daemon=True
        )
        entry.thread.start()

    def _look(self, entry: _Entry) -> None:
        """Run a job if its work is due. A failure of the program itself ends this thread alone."""
        started_s, outcome = self._now_s(), None
        try:
            outcome = self._run_if_due(entry)
        except BaseException as error:
            outcome = JobOutcome(error=error)
            raise
        finally:
            self._finish(entry, outcome, self._now_s() - started_s)

    def _run_if_due(self, entry: _Entry) -> JobOutcome | None:
        try:
            if not entry.work.is_due():
                return None
        except MemError as error:
            return JobOutcome(error=error)
        with self._changed:
            entry.phase = "running"
        if self._stopping.is_set():
            return None
        if self._slots is None:
            return run_work(entry.work, self._stopping)
        if not self._slots.acquire(blocking=False):
            return JobOutcome(error=BusyError("other jobs run", hint="it waits for one to end"))
        try:
            return run_work(entry.work, self._stopping)
        finally:
            self._slots.release()

    def _finish(self, entry: _Entry, outcome: JobOutcome | None, took_s: float) -> None:
        """Plan the next look; while stopping, the database may be closed and nothing is written."""
        pause_s = self._pause_s(entry, outcome, took_s)
        is_told = True
        if outcome is not None and not self._stopping.is_set():
            is_told = self._note(entry, outcome, took_s=took_s, pause_s=pause_s)
        with self._changed:
            entry.last = outcome or entry.last
            entry.due_s = self._now_s() + pause_s
            is_ok = outcome is None or outcome.error is None
            entry.not_before_s = -inf if is_ok else entry.due_s
            entry.phase, entry.thread = "waiting", None
            self._changed.notify_all()
        if not is_told and outcome is not None and self._tell is not None:
            self._tell(entry.work.job, outcome, pause_s)

    def _note(self, entry: _Entry, outcome: JobOutcome, *, took_s: float, pause_s: float) -> bool:
        """Write a run down; whether there is nothing to tell of it that was not told."""
        job = entry.work.job
        is_planned = outcome.error is not None or entry.work.every_s is not None
        next_at = utc_text(datetime.now(UTC) + timedelta(seconds=pause_s)) if is_planned else None
        note_run(self._workspace, job.name, outcome, seconds=took_s, next_at=next_at)
        if outcome.kind == "skipped":
            return True
        before, entry.told = entry.told, outcome.message if outcome.error else ""
        return entry.told in ("", before)

    def _pause_s(self, entry: _Entry, outcome: JobOutcome | None, took_s: float) -> float:
        """Seconds until the job is looked at again; infinite when only a trigger does it."""
        job = entry.work.job
        if outcome is not None and outcome.kind == "skipped":
            return LOOK_S
        if took_s > job.last_retry_s:  # it went well for long before it failed
            entry.backoff.succeeded()
        if outcome is not None and outcome.kind == "failed":
            return outcome.retry_in_s or entry.backoff.failed()
        if outcome is not None:
            entry.backoff.succeeded()
        every_s = entry.work.every_s
        if every_s is not None:
            return every_s
        return inf if job.look_s is None else job.look_s
