"""One run of a job under its lock, by a scheduler or by hand."""

from contextlib import nullcontext
from threading import Event

from contracts import MemError
from memory.operations.jobs.job import JobOutcome, Work
from memory.operations.jobs.last_runs import LastRun, write_last_run
from memory.storage import utc_now
from memory.storage.process_locks import work_lock
from memory.workspace import Workspace


def run_work(work: Work, stopping: Event) -> JobOutcome:
    """Run a job's work once, under the job's lock; a MemError becomes the outcome's."""
    job, workspace = work.job, work.workspace
    lock = work_lock(job.lock, workspace.storage.database, workspace.path)
    try:
        with nullcontext() if job.locks_itself else lock:
            return work.run(stopping)
    except MemError as error:
        return JobOutcome(error=error)


def note_run(
    workspace: Workspace, name: str, outcome: JobOutcome, *, seconds: float, next_at: str | None
) -> None:
    """Keep what a run came to, unless another process kept it from beginning."""
    if outcome.kind == "skipped":
        return
    run = LastRun(
        at=utc_now(),
        seconds=round(seconds, 3),
        outcome=outcome.kind,
        message=outcome.message,
        hint=outcome.hint,
        next_at=next_at,
    )
    write_last_run(workspace.storage.database, name, run)
