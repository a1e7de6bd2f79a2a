"""POST /gc: garbage collection of memories; GET /gc: their statistics."""

from fastapi import APIRouter, Request

from memory.api.app_state import state_of
from memory.api.respond import Json
from memory.api.schemas.base import GcRequest
from memory.conversations import lifecycle

router = APIRouter(tags=["memories"])


@router.post("/gc", response_model=lifecycle.GcReport)
def collect_garbage(request: Request, body: GcRequest | None = None) -> Json:
    """Rescore memories, promote strong ones and remove faded ones."""
    body = body or GcRequest()
    workspace = state_of(request).workspace
    return Json(lifecycle.collect_garbage(workspace, dry_run=body.dry_run))


@router.get("/gc", response_model=lifecycle.MemoryStats)
def get_stats(request: Request) -> Json:
    """Return the numbers of memories and of actions on them."""
    return Json(lifecycle.read_stats(state_of(request).workspace))
