"""The state of the database, and what helps where something failed."""

from collections.abc import Sequence

from anyio import to_thread
from fastapi import Request
from starlette.responses import Response

from contracts import UnavailableError
from memory.api.app_state import AppState, state_of
from memory.api.feed.stream import EventStream
from memory.api.limits.streams import too_many_streams
from memory.api.pages.forms import read_form
from memory.api.pages.health.events import changes_of
from memory.api.pages.health.troubles import troubles_of
from memory.api.pages.page_route import page_router
from memory.api.pages.rendering import redirect, render
from memory.api.routes.ingest import inside_roots
from memory.files import ingestion
from memory.operations.jobs.registry import job_named
from memory.operations.status import read_latencies, read_status
from memory.workspace import Workspace

router = page_router()

HEALTH = "/page/health"


@router.get("/page/health")
def show_health(request: Request) -> Response:
    """Show freshness, folders, failures, jobs, models and sizes."""
    return render(request, "health.html", _values(state_of(request).workspace))


@router.get("/page/health/events")
async def follow(request: Request) -> Response:
    """Send the same as events, whenever something in it has changed."""
    state = state_of(request)
    await request.body()  # within the limits of bodies, before the answer begins
    if not state.limits.streams.open():
        return too_many_streams().response()

    def part() -> str:
        return bytes(render(request, "_health.html", _values(state.workspace)).body).decode()

    shown = changes_of(part, request.state.is_still_admitted, state.stopping)
    return EventStream(shown, state.limits.streams)


@router.post("/page/health/sync")
async def sync(request: Request) -> Response:
    """Bring every known folder up to date; with `all`, read each file again."""
    form = await read_form(request)
    await _synced(state_of(request), None, force=form.get("all") == "yes")
    return redirect(request, HEALTH)


@router.post("/page/health/retry")
async def retry(request: Request) -> Response:
    """Read one file again."""
    form = await read_form(request)
    await _synced(state_of(request), [form.get("path", "")], force=True)
    return redirect(request, HEALTH)


@router.post("/page/health/job")
async def run_job(request: Request) -> Response:
    """Run a job now, if it is this server that runs it."""
    form, scheduler = await read_form(request), state_of(request).scheduler
    name = job_named(form.get("name", "")).name
    if not scheduler.has(name):
        raise UnavailableError(
            f"this server does not run the job {name}", hint="see which does: mem status"
        )
    scheduler.trigger(name)
    return redirect(request, HEALTH)


def _values(workspace: Workspace) -> dict[str, object]:
    status = read_status(workspace)
    troubles, latencies = troubles_of(status), read_latencies(workspace)
    return {"status": status, "troubles": troubles, "latencies": latencies}


async def _synced(state: AppState, paths: Sequence[str] | None, *, force: bool) -> None:
    def run() -> None:
        ingestion.sync_files(
            state.workspace,
            None if paths is None else inside_roots(state.workspace, paths),
            force=force,
            remember=False,
            progress=state.raise_if_stopping,
        )

    await to_thread.run_sync(run, limiter=state.limits.scans)
