"""GET /memory/status and /memory/health: the state of the memory, in full and in one word."""

from functools import partial
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Request

from memory.api.app_state import state_of
from memory.api.responses import Json
from memory.api.schemas.status import Health
from memory.index.document_store import documents_of
from memory.operations.status import read_status
from memory.records.topics import fact_categories, record_counts
from memory.values.status_reports import MemoryStatus
from memory.workspace import Workspace

HEALTH_WAIT_S: Final = 2.0
"""The longest that the answer about health waits for the database."""

router = APIRouter(tags=["status"])


@router.get("/memory/status", response_model=MemoryStatus)
def get_status(
    request: Request,
    stats: Annotated[
        bool, Query(description="Add latencies by leg and growth by day; reads every chunk.")
    ] = False,
) -> Json:
    """Return counts, sizes, the model in use, and every file that is not indexed as it is."""
    return Json(read_status(state_of(request).workspace, statistics=stats))


@router.get("/memory/health", response_model=Health, response_model_exclude_none=True)
async def get_health(request: Request) -> Json:
    """Return whether the database answers. Needs no token; with one it includes counts."""
    state = state_of(request)
    is_known = request.state.principal is not None
    ask = partial(_counts if is_known else _look, state.workspace)
    try:
        return Json(
            {"status": "ok"} | await state.limits.health_calls.call(ask, wait_s=HEALTH_WAIT_S)
        )
    except TimeoutError:
        return Json({"status": "slow"})


def _look(workspace: Workspace) -> dict[str, Any]:
    workspace.storage.sequence()
    return {}


def _counts(workspace: Workspace) -> dict[str, Any]:
    database = workspace.storage.database
    return {
        "files": documents_of(workspace).counts(),
        "chunks": workspace.storage.count_chunks(),
        "records": record_counts(database),
        "fact_categories": fact_categories(database),
    }
