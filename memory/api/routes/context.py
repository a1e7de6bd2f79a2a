"""GET /context: the context of a session for an agent."""

from typing import Annotated

from fastapi import APIRouter, Query, Request

from memory.api.app_state import state_of
from memory.api.respond import Json
from memory.context.session_context import MOST_K, USUAL_K, Context, read_context

router = APIRouter(tags=["memories"])


@router.get("/context", response_model=Context)
def get_context(
    request: Request,
    session_id: Annotated[str, Query(description="The session; it may not exist yet.")],
    k: Annotated[int, Query(description=f"Mid-term memories, 1 to {MOST_K}.")] = USUAL_K,
    query: Annotated[
        str | None, Query(description="Memories relevant to these words, not the strongest.")
    ] = None,
    without_tags: Annotated[
        list[str] | None,
        Query(description="Leave out turns and memories with one of these tags, such as `secret`."),
    ] = None,
) -> Json:
    """Return the last turns of a session, and the memories that matter for what comes next."""
    workspace, unwanted = state_of(request).workspace, without_tags or ()
    return Json(read_context(workspace, session_id, k=k, query=query, without_tags=unwanted))
