"""Jobs run once on request, without a scheduler and whether or not they are due."""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from threading import Event
from typing import Literal

from contracts import InputError, MemError
from memory.operations.jobs.job import Job, JobOutcome
from memory.operations.jobs.last_runs import read_last_run
from memory.operations.jobs.registry import JOBS, job_named, open_work
from memory.operations.jobs.running import note_run, run_work
from memory.workspace import Workspace


@dataclass(frozen=True, slots=True)
class JobRun:
    """The result of a run by hand; `skipped`: another process runs it, as `message` says."""

    job: str
    outcome: Literal["ok", "failed", "skipped"]
    message: str
    hint: str
    seconds: float


def maintain_one(workspace: Workspace, name: str) -> JobRun:
    """Run a job once.

    Raises InputError for an unknown job and for one that has no end, BusyError, with the name of
    the process, while another one runs it, and what its work raises.
    """
    job = job_named(name)
    if job.is_continuous:
        raise InputError(
            f"the job {name} goes on until it is ended",
            hint=f"to run it here: mem {name}; to look at all files once: mem sync",
        )
    run, error = _run(workspace, job)
    if error is not None:
        raise error
    return run


def maintain_all(workspace: Workspace) -> tuple[list[JobRun], MemError | None]:
    """Run every job that ends soon once; the runs, and the first failure.

    One that fails keeps none of the others from running.
    """
    jobs: Iterable[Job] = (job for job in JOBS if not (job.is_continuous or job.is_long))
    done = [_run(workspace, job) for job in jobs]
    failures = [error for run, error in done if error is not None and run.outcome == "failed"]
    return [run for run, _ in done], failures[0] if failures else None


def _run(workspace: Workspace, job: Job) -> tuple[JobRun, MemError | None]:
    """One run; when a server means to run the job next stays as it is."""
    work = open_work(job, workspace)
    if not work.is_due():
        return JobRun(job.name, "ok", "nothing to do", "", 0.0), None
    started_s = time.monotonic()
    outcome: JobOutcome = run_work(work, Event())
    seconds = round(time.monotonic() - started_s, 3)
    before = read_last_run(workspace.storage.database, job.name)
    next_at = before.next_at if before is not None and work.every_s is not None else None
    note_run(workspace, job.name, outcome, seconds=seconds, next_at=next_at)
    error = outcome.error if isinstance(outcome.error, MemError) else None
    return JobRun(job.name, outcome.kind, outcome.message, outcome.hint, seconds), error
