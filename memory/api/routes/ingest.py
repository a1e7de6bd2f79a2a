"""POST /memory/ingest, its /file and /text, and /memory/sync: indexing of files and texts.

Over HTTP nothing outside the known roots is read, whatever a path or a link names.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from anyio import to_thread
from fastapi import APIRouter, Request

from contracts import ForbiddenError, NotFoundError
from memory.api.app_state import AppState, state_of
from memory.api.responses import Json
from memory.api.schemas.indexing import (
    FileIngestRequest,
    IngestRequest,
    SyncRequest,
    TextIngestRequest,
)
from memory.files import ingestion
from memory.files.roots import known_roots, real_path
from memory.values.reports import FileIngest, IngestResult, SyncStats
from memory.workspace import Workspace

router = APIRouter(tags=["ingest"])

Result = TypeVar("Result")


async def _scanning(state: AppState, work: Callable[[], Result]) -> Result:
    """Run work that scans folders, in a thread that answers nothing else."""
    return await to_thread.run_sync(work, limiter=state.limits.scans)


@router.post("/memory/ingest/file", response_model=FileIngest)
async def ingest_file(request: Request, body: FileIngestRequest) -> Json:
    """Index one file, or a folder with everything in it, from inside the known roots."""
    state = state_of(request)

    def ingest() -> Json:
        done = ingestion.ingest_path(
            state.workspace,
            inside_roots(state.workspace, [body.path])[0],
            metadata=body.metadata,
            recursive=body.recursive,
            progress=state.raise_if_stopping,
        )
        return Json(done)

    return await _scanning(state, ingest)


@router.post("/memory/ingest/text", response_model=IngestResult)
@router.post("/ingest_text", response_model=IngestResult)
def ingest_text(request: Request, body: TextIngestRequest) -> Json:
    """Index a text; the same text again has the same id."""
    workspace = state_of(request).workspace
    return Json(ingestion.ingest_text(workspace, body.text, metadata=body.metadata, tags=body.tags))


@router.post("/memory/ingest", response_model=FileIngest | IngestResult)
async def ingest(request: Request, body: IngestRequest) -> Json:
    """Index a text, or a file or folder from inside the known roots."""
    if isinstance(body, FileIngestRequest):
        return await ingest_file(request, body)
    return await to_thread.run_sync(ingest_text, request, body)


@router.post("/memory/sync", response_model=SyncStats)
async def sync(request: Request, body: SyncRequest | None = None) -> Json:
    """Update the index from the files, in every known root or in some paths inside them."""
    state = state_of(request)
    wanted = body or SyncRequest()

    def run() -> Json:
        paths = None if wanted.paths is None else inside_roots(state.workspace, wanted.paths)
        done = ingestion.sync_files(
            state.workspace,
            paths,
            force=wanted.force,
            dry_run=wanted.dry_run,
            remember=False,
            progress=state.raise_if_stopping,
        )
        return Json(done)

    return await _scanning(state, run)


def inside_roots(workspace: Workspace, paths: Sequence[str]) -> list[Path]:
    """Return the real paths of these, all of which must lie inside the known roots.

    Only for paths inside does the answer reveal whether they exist. Raises ForbiddenError for one
    outside, NotFoundError for one that does not exist, InputError for an invalid path.
    """
    known = known_roots(workspace)
    real = [real_path(path) for path in paths]
    for given, path in zip(paths, real, strict=True):
        if not any(path.is_relative_to(root) for root in known):
            raise ForbiddenError(
                f"{given!r} lies outside the known folders",
                hint="add its folder on the server's machine: mem sync FOLDER",
            )
    for path in real:
        _require_existing(path)
    return real


def _require_existing(path: Path) -> None:
    try:
        path.stat()
    except OSError as error:
        raise NotFoundError(f"{path}: {error.strerror}", hint="check its spelling") from error
