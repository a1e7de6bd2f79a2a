"""`mem maintain`: run the background jobs of a server once, by hand."""

from collections.abc import Iterable
from datetime import UTC, datetime

import click

from cli.invocation import CliContext, pass_context
from cli.output import ago, print_json, shown
from contracts import InputError
from memory.values.status_reports import JobStatus


@click.command()
@click.argument("job", required=False, metavar="[JOB]")
@click.option("--list", "only_list", is_flag=True, help="Only list the jobs and their state.")
@pass_context
def maintain(context: CliContext, *, job: str | None, only_list: bool) -> None:
    """Run a background job once, now.

    A server runs them by itself. JOB is one of completion, vectors, upgrade, reindex, extraction,
    segmentation, semantic, distillation, retention, gc, fsrs, decay and tenants; without JOB, all
    but upgrade and tenants run, which take minutes. While another process runs a job, that process
    is named. The exit code is that of the first failure.
    """
    if only_list and job is not None:
        raise InputError("--list and a job exclude each other", hint="give one of them")
    if only_list:
        _list(context)
        return
    from memory.operations.jobs.manual_runs import maintain_all, maintain_one

    with context.open_workspace() as workspace:
        if job is not None:
            runs, failure = [maintain_one(workspace, job)], None
        else:
            runs, failure = maintain_all(workspace)
    if context.json:
        print_json(runs)
    else:
        for run in runs:
            word = "" if run.outcome == "ok" else f"{run.outcome}, "
            click.echo(shown(f"{run.job}: {word}{run.message}"))
    if failure is not None:
        raise failure


def _list(context: CliContext) -> None:
    from memory.operations.jobs.job_status import read_jobs

    with context.open_workspace() as workspace:
        jobs = read_jobs(workspace)
    if context.json:
        print_json(jobs)
        return
    for job, line in zip(jobs, job_lines(jobs), strict=True):
        click.echo(f"{line}\n  {job.does} Runs {job.when}.")


def job_lines(jobs: Iterable[JobStatus]) -> list[str]:
    """`retention: ok 5 min ago, next at ...`, a line for each."""
    return [shown(f"{job.name}: {_described(job)}") for job in jobs]


def _described(job: JobStatus) -> str:
    if job.holder is not None:
        return f"running, {job.holder}"
    if job.last_at is None:
        return "has not run yet"
    hint = f" ({job.hint})" if job.hint else ""
    last = f"{job.outcome} {ago(job.last_at)}: {job.message}{hint}"
    is_ahead = job.next_at is not None and datetime.fromisoformat(job.next_at) > datetime.now(UTC)
    return f"{last}; next at {job.next_at}" if is_ahead else last
