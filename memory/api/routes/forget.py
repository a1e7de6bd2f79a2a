"""POST /memory/forget, DELETE /turns/{turn_id}: permanent removal, with proof."""

from typing import Annotated

from fastapi import APIRouter, Query, Request

from memory.api.app_state import state_of
from memory.api.responses import Json
from memory.api.schemas.conversations import ForgetBody
from memory.operations.forget.removal import forget
from memory.operations.forget.selection import cited
from memory.operations.forget.values import ForgetReport, ForgetRequest

router = APIRouter(tags=["conversations"])


@router.post("/memory/forget", response_model=ForgetReport)
def post_forget(request: Request, body: ForgetBody) -> Json:
    """Remove turns, memories, records and texts with everything derived from them alone."""
    workspace = state_of(request).workspace
    wanted = ForgetRequest(
        records=cited(workspace.kinds, body.citations),
        memory_ids=tuple(body.memory_ids),
        turn_ids=tuple(body.turn_ids),
        text_ids=tuple(body.text_ids),
        text=body.text,
        query=body.query,
        max_results=body.max_results,
        session_id=body.session_id,
        since=body.since,
        until=body.until,
        pii=body.pii,
        with_sources=body.with_sources,
    )
    return Json(forget(workspace, wanted, dry_run=body.dry_run, proven=body.verify))


@router.delete("/turns/{turn_id}", response_model=ForgetReport)
def delete_turn(
    request: Request,
    turn_id: int,
    verify: Annotated[bool, Query(description="Prove that nothing of it is left.")] = False,
) -> Json:
    """Forget a turn, and the memories derived from it alone."""
    wanted = ForgetRequest(turn_ids=(turn_id,))
    return Json(forget(state_of(request).workspace, wanted, proven=verify))
