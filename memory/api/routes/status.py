"""GET /memory/status and /memory/health: the state of the memory, in full and in one word."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request

from memory.api.app_state import state_of
from memory.api.respond import Json
from memory.api.schemas.base import Health
from memory.index.document_store import documents_of
from memory.operations.status import read_status
from memory.records.topics import fact_categories, record_counts
from memory.values.status_reports import MemoryStatus

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
def get_health(request: Request) -> Json:
    """Return whether the database answers. Needs no token; with one it includes counts."""
    workspace = state_of(request).workspace
    workspace.storage.sequence()
    answer: dict[str, Any] = {"status": "ok"}
    if request.state.principal is not None:
        database = workspace.storage.database
        answer |= {
            "files": documents_of(workspace).counts(),
            "chunks": workspace.storage.count_chunks(),
            "records": record_counts(database),
            "fact_categories": fact_categories(database),
        }
    return Json(answer)
