"""GET /memory/audit: what should not be remembered, or not so."""

from typing import Annotated

from fastapi import APIRouter, Query, Request

from memory.api.respond import Json
from memory.api.served import served
from memory.operations.audit import MOST_FINDINGS, AuditReport, audit

router = APIRouter(tags=["memories"])


@router.get("/memory/audit", response_model=AuditReport)
def get_audit(
    request: Request,
    kind: Annotated[
        list[str] | None, Query(description="Look for this kind only; repeatable.")
    ] = None,
    files: Annotated[bool, Query(description="Look for secrets in files and texts, too.")] = False,
    limit: Annotated[
        int, Query(description="Most findings of each kind to list; all are counted.")
    ] = MOST_FINDINGS,
) -> Json:
    """Secrets, contradictions, duplicates, echoes, and what is stale, with what mends each."""
    workspace = served(request).workspace
    return Json(audit(workspace, kinds=kind or (), files=files, limit=limit))
