"""POST and GET /memory/reindex: a change of model or chunking, in the background."""

from fastapi import APIRouter, Request

from memory.api.app_state import state_of
from memory.api.responses import Json
from memory.api.schemas.indexing import ReindexRequest
from memory.values.reports import EmbeddingCost
from memory.values.space_reports import ReindexStatus

router = APIRouter(tags=["reindex"])


@router.post(
    "/memory/reindex",
    response_model=ReindexStatus,
    status_code=202,
    responses={200: {"model": EmbeddingCost, "description": "The estimated cost (`dry_run`)."}},
)
def start_reindex(request: Request, body: ReindexRequest | None = None) -> Json:
    """Start to change the embedding model or the chunking; the current index answers meanwhile."""
    job = state_of(request).reindex
    body = body or ReindexRequest()
    if body.dry_run:
        return Json(job.cost(provider=body.provider, model=body.model))
    job.start(provider=body.provider, model=body.model)
    return Json(job.status(), status_code=202)


@router.get("/memory/reindex", response_model=ReindexStatus)
def get_reindex(request: Request) -> Json:
    """Return the embedding spaces, and the progress of a reindex."""
    return Json(state_of(request).reindex.status())
