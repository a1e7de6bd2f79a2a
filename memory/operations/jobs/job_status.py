"""Reads the state of every job of a database; runs none and loads no work."""

from typing import Literal

from memory.operations.jobs.job import Job
from memory.operations.jobs.last_runs import read_last_run
from memory.operations.jobs.registry import JOBS
from memory.operations.jobs.scheduler import Scheduler
from memory.storage.process_locks import running_work
from memory.values.status_reports import JobStatus
from memory.workspace import Workspace


def read_jobs(workspace: Workspace) -> list[JobStatus]:
    """Every job, in the order of their declaration."""
    return [read_job(workspace, job) for job in JOBS]


def read_job(workspace: Workspace, job: Job) -> JobStatus:
    """The state of each job: the process that runs it now, and the result of its last run."""
    database = workspace.storage.database
    holder = running_work(job.lock, database, workspace.path)
    scheduler = workspace.find(Scheduler)
    here = scheduler.last(job.name) if scheduler else None
    skipped = here if here is not None and here.kind == "skipped" else None
    run = read_last_run(database, job.name)
    told = skipped or run
    outcome = skipped.kind if skipped else run.outcome if run else None
    return JobStatus(
        name=job.name,
        state=_state(holder, outcome),
        does=job.does,
        when=job.when,
        holder=holder,
        outcome=outcome,
        message=told.message if told else None,
        hint=told.hint if told else None,
        last_at=run.at if run else None,
        last_seconds=run.seconds if run else None,
        next_at=run.next_at if run else None,
    )


def _state(
    holder: str | None, outcome: Literal["ok", "failed", "skipped"] | None
) -> Literal["running", "waiting", "failed"]:
    if holder is not None:
        return "running"
    return "failed" if outcome == "failed" else "waiting"
