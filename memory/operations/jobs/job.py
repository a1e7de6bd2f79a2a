"""The declaration of a background job, its work in one process, and the outcome of a run."""

from dataclasses import dataclass
from threading import Event
from typing import Final, Literal

from contracts import BusyError, MemError
from memory.storage.database import WorkLockLostError
from memory.workspace import Workspace

LOOK_S: Final = 2.0
"""Seconds between two looks whether work without a period is due, and whether a lock is free."""

END_S: Final = 0.9
"""The time that a stopping scheduler waits for a run to end."""


@dataclass(frozen=True, slots=True)
class Job:
    """A kind of background work: when it runs, and the process lock that a run of it holds.

    A job with a period `every_s` runs at the start and then that often. One without runs when its
    work is due; the scheduler asks for that every `look_s` seconds (None: only at the start) and
    whenever it is triggered. A continuous job runs until it is stopped. After a failure the pauses
    double, from `first_retry_s` to `last_retry_s`.

    `does` and `when` say so in words. `work` names the class of the work, `module:class`, which is
    imported when it is needed. `own_lock` is a name of `memory.storage.process_locks` other than
    the job's; with `locks_itself` the work takes it, which also runs without a scheduler. `end_s`
    is how long the end of a run is waited for; None: until it has come. A long job takes minutes;
    by hand it runs only when it is named.
    """

    name: str
    does: str
    when: str
    work: str
    own_lock: str | None = None
    locks_itself: bool = False
    every_s: float | None = None
    look_s: float | None = LOOK_S
    is_continuous: bool = False
    is_long: bool = False
    first_retry_s: float = 1.0
    last_retry_s: float = 60.0
    end_s: float | None = END_S

    @property
    def lock(self) -> str:
        """The name of the lock of its runs."""
        return self.own_lock or self.name


@dataclass(frozen=True, slots=True)
class JobOutcome:
    """The result of a run: `done` says what it did, `error` why it failed or did not begin.

    `retry_in_s` replaces the pause after a failure.
    """

    done: str = ""
    error: BaseException | None = None
    retry_in_s: float | None = None

    @property
    def kind(self) -> Literal["ok", "failed", "skipped"]:
        """`skipped`: another process holds what the run needs, or may hold it since it was lost."""
        if self.error is None:
            return "ok"
        is_elsewhere = isinstance(self.error, BusyError | WorkLockLostError)
        return "skipped" if is_elsewhere else "failed"

    @property
    def message(self) -> str:
        if self.error is None:
            return self.done
        if isinstance(self.error, MemError):
            return self.error.message
        return f"{type(self.error).__name__}: {self.error}"

    @property
    def hint(self) -> str:
        if self.error is None:
            return ""
        if isinstance(self.error, MemError):
            return self.error.hint
        return "the log of the process has the traceback"


class Work:
    """The work of a job in one process. Every run is idempotent and may be stopped at any time."""

    job: Job

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace

    @property
    def every_s(self) -> float | None:
        """The job's period, which the configuration may set."""
        return self.job.every_s

    @property
    def first_after_s(self) -> float:
        """The seconds from the start of a scheduler to the first run."""
        return 0.0

    def is_due(self) -> bool:
        """Return whether there is something to do; cheap. Raises what reading the database does."""
        return True

    def run(self, stopping: Event) -> JobOutcome:
        """Do what is due, once, and end soon after `stopping` is set.

        Raises BusyError when another process holds what is needed, another MemError for a failure.
        """
        raise NotImplementedError

    def stop(self) -> None:
        """Wake a run that waits; `stopping` is set already."""

    def abandon(self) -> None:
        """Leave a run to itself whose end could not be waited for."""
