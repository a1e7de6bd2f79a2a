"""/memory/manage: records of every kind to list, read, label and remove."""

from typing import Annotated

from fastapi import APIRouter, Query, Request

from memory.api.app_state import state_of
from memory.api.responses import Json
from memory.api.schemas.indexing import DeletedRecord, RecordChange
from memory.operations import manage
from memory.values.reports import Record, RecordPage

router = APIRouter(tags=["manage"])


@router.get("/memory/manage", response_model=RecordPage)
def list_records(
    request: Request,
    source: Annotated[
        str | None, Query(description="`file` or `text`, both unless given; `turn`, `fact` ...")
    ] = None,
    path: Annotated[str | None, Query(description="Only at or below this path.")] = None,
    tags: Annotated[
        list[str], Query(description="Only files and texts with this tag; repeatable.")
    ] = [],  # noqa: B006  # FastAPI copies it
    limit: Annotated[int, Query(description="The most records, 1 to 1000.")] = 100,
    cursor: Annotated[str | None, Query(description="A page's `next_cursor`.")] = None,
) -> Json:
    """List files and texts in the order of their paths, or records of one kind, newest first."""
    workspace = state_of(request).workspace
    return Json(
        manage.list_records(
            workspace, source=source, path=path, limit=limit, cursor=cursor, tags=tags
        )
    )


@router.get("/memory/manage/{record_id}", response_model=Record)
def get_record(request: Request, record_id: str) -> Json:
    """Return one record by its id; `turn:42` and `memory:12` are ids too."""
    return Json(manage.get_record(state_of(request).workspace, record_id))


@router.patch("/memory/manage/{record_id}", response_model=Record)
def update_record(request: Request, record_id: str, body: RecordChange) -> Json:
    """Replace a record's metadata, its tags, or both, and return the new record."""
    workspace = state_of(request).workspace
    return Json(manage.update_record(workspace, record_id, metadata=body.metadata, tags=body.tags))


@router.delete("/memory/manage/{record_id}", response_model=DeletedRecord)
def delete_record(request: Request, record_id: str) -> Json:
    """Remove a record from the index with everything derived from it."""
    workspace = state_of(request).workspace
    record = manage.delete_record(workspace, record_id)
    return Json(DeletedRecord(record, workspace.kinds[record.source].deleted))
