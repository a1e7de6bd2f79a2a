"""The pages of a PDF as pictures: drawn in a worker, as the readers of documents run."""

from collections.abc import Callable
from typing import Final

from anyio import to_thread
from fastapi import Request
from starlette.responses import Response

from contracts import NotFoundError, UnavailableError, install_hint
from ingest import SkippedFile, missing_extra
from memory.api.app_state import state_of
from memory.api.pages.page_route import page_router
from memory.api.routes.ingest import inside_roots
from memory.files.ingestion import sync_settings
from memory.operations import manage
from memory.values.reports import FileContent
from memory.workspace import Workspace

router = page_router()

_SUFFIX: Final = ".pdf"
_PLACE: Final = "page "


def has_pictures(content: FileContent) -> bool:
    """Return whether the pages of a file can be drawn: a PDF, with the reader installed, that is
    still the file that was indexed.
    """
    path = content.path
    is_pdf = path is not None and path.lower().endswith(_SUFFIX)
    return is_pdf and not content.stale and missing_extra(str(path)) is None


def page_number(content: FileContent) -> int:
    """Return the page that a citation names, from 1; the first page if it names none."""
    number = (content.place or "").partition(_PLACE)[2].partition("-")[0].partition(" ")[0]
    return int(number) if number.isdecimal() else 1


@router.get("/page/pdf")
async def draw(request: Request, file: str, page: int = 1) -> Response:
    """Return a page of an indexed PDF as a picture."""
    state = state_of(request)
    work: Callable[[], bytes] = lambda: _drawn(state.workspace, file, page)  # noqa: E731
    png = await to_thread.run_sync(work, limiter=state.limits.scans)
    headers = {"Cache-Control": "private, max-age=300"}
    return Response(png, media_type="image/png", headers=headers)


def _drawn(workspace: Workspace, file_id: str, number: int) -> bytes:
    """Return a page as PNG. Raises NotFoundError for one that is not there, UnavailableError where
    it cannot be drawn.
    """
    from ingest.workers import WorkerPool
    from ingest.workers.page_images import page_image

    path = manage.get_record(workspace, file_id).path
    if path is None or not path.lower().endswith(_SUFFIX):
        raise NotFoundError(f"{file_id} is not a PDF", hint="open it by its citation")
    (real,) = inside_roots(workspace, [path])
    if extra := missing_extra(path):
        raise UnavailableError("PDF cannot be read here", hint=install_hint(extra))
    settings = sync_settings(workspace)
    with WorkerPool(1, settings.limits) as pool:
        most = settings.rules.max_size_bytes
        drawn = page_image(pool, str(real), number=number, most_bytes=most, limits=settings.limits)
    if isinstance(drawn, SkippedFile):
        raise NotFoundError(
            f"page {number} of {path} cannot be drawn: it {drawn.detail}",
            hint="its text is on the page of the file",
        )
    return drawn
