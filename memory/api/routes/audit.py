"""GET /memory/audit: memories and texts that need review."""

from typing import Annotated

from fastapi import APIRouter, Query, Request

from memory.api.app_state import state_of
from memory.api.responses import Json
from memory.operations.audit import MOST_FINDINGS, AuditReport, audit

router = APIRouter(tags=["memories"])


@router.get("/memory/audit", response_model=AuditReport)
def get_audit(
    request: Request,
    kind: Annotated[
        list[str] | None, Query(description="Look for this kind only; repeatable.")
    ] = None,
    files: Annotated[bool, Query(description="Also look for secrets in files and texts.")] = False,
    limit: Annotated[
        int, Query(description="Most findings of each kind to list; all are counted.")
    ] = MOST_FINDINGS,
) -> Json:
    """Find secrets, contradictions, duplicates, echoes and stale memories, with their fixes."""
    workspace = state_of(request).workspace
    return Json(audit(workspace, kinds=kind or (), files=files, limit=limit))
