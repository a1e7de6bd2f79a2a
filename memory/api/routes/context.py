"""GET /context: the context of a session for an agent."""

from typing import Annotated

from fastapi import APIRouter, Query, Request

from memory.api.app_state import state_of
from memory.api.responses import Json
from memory.api.schemas.conversations import ContextQuery
from memory.context.building import build_context
from memory.context.request import ContextRequest
from memory.context.values import Context

router = APIRouter(tags=["memories"])


@router.get("/context", response_model=Context)
def get_context(request: Request, asked: Annotated[ContextQuery, Query()]) -> Json:
    """Return what an agent should know about a session before it answers."""
    wanted = ContextRequest(
        asked.session_id,
        asked.query,
        system=asked.system,
        max_tokens=asked.max_tokens,
        seen_turn_ids=asked.seen_turn_ids,
        k=asked.k,
        without_tags=[tag for tag in asked.without_tags if tag],
        include=[name.strip() for name in asked.include.split(",") if name.strip()],
    )
    return Json(build_context(state_of(request).workspace, wanted))
