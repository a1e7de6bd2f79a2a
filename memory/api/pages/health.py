"""The state of the database, with what helps where something failed."""

from anyio import to_thread
from fastapi import Request
from starlette.responses import Response

from memory.api.app_state import state_of
from memory.api.pages.forms import read_form
from memory.api.pages.page_route import page_router
from memory.api.pages.rendering import is_part, redirect, render
from memory.files import ingestion
from memory.operations.status import read_status

router = page_router()


@router.get("/page/health")
def show_health(request: Request) -> Response:
    """Show freshness, folders, failures, jobs, models, sizes and latencies."""
    status = read_status(state_of(request).workspace, statistics=True)
    template = "_health.html" if is_part(request) else "health.html"
    return render(request, template, {"status": status})


@router.post("/page/health/sync")
async def sync(request: Request) -> Response:
    """Bring every known folder up to date, and try files that failed again."""
    form = await read_form(request)
    state = state_of(request)

    def run() -> None:
        ingestion.sync_files(
            state.workspace,
            None,
            force=form.get("all") == "yes",
            remember=False,
            progress=state.raise_if_stopping,
        )

    await to_thread.run_sync(run, limiter=state.scans)
    return redirect(request, "/page/health")
