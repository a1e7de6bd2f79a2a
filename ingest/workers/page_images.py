"""A picture of a page, drawn in a worker: within limits of time and memory."""

from typing import TYPE_CHECKING

from ingest.loaders.reading import read_bytes, refuse
from ingest.values import LoadLimits, SkippedFile
from ingest.workers.limits import held

if TYPE_CHECKING:
    from ingest.workers.pool import WorkerPool

WIDTH = 900
"""The width of a picture in pixels."""


def page_image(
    pool: "WorkerPool", path: str, *, number: int, most_bytes: int, limits: LoadLimits
) -> bytes | SkippedFile:
    """Return page `number` (from 1) of a PDF as PNG, drawn by one of these workers, or the reason
    why it cannot be had. The file is read in the worker, and no link is followed.
    """
    drawn = pool.submit(_draw, path, number, most_bytes, limits).get()
    if isinstance(drawn, bytes | SkippedFile):
        return drawn
    raise TypeError(f"a worker drew {type(drawn).__name__}")


def _draw(path: str, number: int, most_bytes: int, limits: LoadLimits) -> bytes | SkippedFile:
    """Draw a page; runs in a worker, within its limits."""
    from ingest.loaders.pdf.page_image import draw_page

    data = read_bytes(path, max_size_bytes=most_bytes, follow_links=False)
    if isinstance(data, SkippedFile):
        return data
    try:
        with held(limits):
            return draw_page(data, path, number=number, width=WIDTH)
    except MemoryError:
        return refuse(path, "over-limit", "took too much memory to draw")
    except Exception as error:  # noqa: BLE001 - whatever a library raises costs this picture only
        return refuse(path, "broken", f"its reader failed ({type(error).__name__})")
