"""PDF: the text of its pages by pypdfium2, each a place, with its bookmarks as headings.

Its title is the heading above them, if it stands on the first page: what programs note as a title
is often the name of a file.
"""

import logging
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from contracts.named_tuple import NamedTuple
from ingest.loaders.base import TEXT_LIMIT, LoadedText
from ingest.loaders.draft import DocumentError, Draft
from ingest.loaders.failure_containment import damage_of
from ingest.loaders.pdf.page_text import Heading, Hyphens, Lines, clean_page
from ingest.loaders.reading import refuse
from ingest.values import SkippedFile

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument, PdfTextPage

_PASSWORD: Final = 4
"""The error code of a document that needs a password (`FPDF_ERR_PASSWORD`)."""

_MOST_BOOKMARKS: Final = 20_000
_XYZ: Final = 1
"""The view of a bookmark that leads to a height on its page (`PDFDEST_VIEW_XYZ`)."""

PDFIUM: Final = threading.Lock()
"""PDFium may be used by one thread at a time."""


class _Bookmark(NamedTuple):
    title: str
    level: int
    top: float | None
    """The height on its page that it leads to, in points from below; None if not given."""


class _Page(NamedTuple):
    number: int
    lines: Sequence[str]
    headings: Sequence[Heading]


def read(data: bytes, name: str) -> LoadedText | SkippedFile:
    """The pages one after the other; a page without text is skipped.

    A damaged page is too, unless all are.
    """
    draft = Draft()
    try:
        with damage_of("PDF"), PDFIUM, opened(data) as document:
            number = len(document)
            pages = list(_pages(document))
        _write(pages, draft)
    except DocumentError as error:
        return refuse(name, error.reason, error.detail)
    if not draft.has_text:
        which = f"its {number} pages" if number > 1 else "its one page"
        return refuse(name, "empty", f"no text in {which}; it may be scanned")
    return draft.finish(name)


@contextmanager
def opened(data: bytes) -> "Iterator[PdfDocument]":
    """Open a document for a block. Raises DocumentError for one that wants a password."""
    from pypdfium2 import PdfDocument, PdfiumError

    logging.getLogger("pypdfium2").addHandler(logging.NullHandler())  # it would warn on stderr
    try:
        document = PdfDocument(data)
    except PdfiumError as error:
        if error.err_code == _PASSWORD:
            raise DocumentError("encrypted", "wants a password") from error
        raise
    try:
        yield document
    finally:
        document.close()


def _pages(document: "PdfDocument") -> Iterator[_Page]:
    from pypdfium2 import PdfiumError

    bookmarks = _bookmarks(document)
    title = _one_line(document.get_metadata_value("Title"))
    left = TEXT_LIMIT.get()
    damaged = depth = 0
    for index in range(len(document)):
        try:
            page = document[index]
        except PdfiumError:
            damaged += 1
            continue
        try:
            textpage = page.get_textpage()
            lines = clean_page(textpage.get_text_bounded()).split("\n")
            marks = bookmarks.get(index, [])
            if not index and _is_titled(title, lines, marks):
                marks, depth = [_Bookmark(title, 0, None), *marks], 1
            headings = _headings(textpage, lines, marks, depth=depth)
        finally:
            page.close()
        left -= sum(map(len, lines))
        if left < 0:
            raise DocumentError("over-limit", f"more than {TEXT_LIMIT.get()} characters of text")
        yield _Page(index + 1, lines, headings)
    if damaged == len(document):
        raise DocumentError("broken", "a PDF without a readable page")


def _bookmarks(document: "PdfDocument") -> dict[int, list[_Bookmark]]:
    """The bookmarks by the page that they lead to, in their order."""
    found: dict[int, list[_Bookmark]] = {}
    for bookmark in islice(document.get_toc(), _MOST_BOOKMARKS):
        target: Any = bookmark.get_dest()
        index = None if target is None else target.get_index()
        title = _one_line(bookmark.get_title())
        if index is None or not title:
            continue
        view, place = target.get_view()
        top = place[1] if view == _XYZ and len(place) > 1 and place[1] > 0 else None
        found.setdefault(index, []).append(_Bookmark(title, bookmark.level + 1, top))
    return found


def _one_line(title: str) -> str:
    return " ".join(clean_page(title).split())


def _is_titled(title: str, lines: Sequence[str], bookmarks: Sequence[_Bookmark]) -> bool:
    """Return whether a title has lines of its own on the first page, and no bookmark there."""
    places = Lines(lines).titled(title, after=0)
    return bool(places) and title.casefold() not in (mark.title.casefold() for mark in bookmarks)


def _headings(
    textpage: "PdfTextPage",
    lines: Sequence[str],
    bookmarks: Sequence[_Bookmark],
    *,
    depth: int,
) -> list[Heading]:
    """The lines of a page's bookmarks, from top to bottom, `depth` levels deeper."""
    if not bookmarks:
        return []
    page = Lines(lines)
    headings: list[Heading] = []
    after = 0
    for title, level, top in bookmarks:
        places = page.titled(title, after=after)
        floor = after
        if len(places) != 1 and top is not None:
            below = clean_page(textpage.get_text_bounded(top=top))
            floor = page.first_of(below.split("\n"), after=after)
        place = next((found for found in places if found[0] >= floor), None)
        if place is None:
            place = places[-1] if places else (floor, floor)
        headings.append(Heading(place[0], place[1], title, level + depth))
        after = place[1]
    return headings


def _write(pages: Sequence[_Page], draft: Draft) -> None:
    hyphens = Hyphens("\n".join(page.lines) for page in pages)
    for number, lines, headings in pages:
        draft.place(f"page {number}")
        at = 0
        for first, end, title, level in headings:
            draft.paragraph(hyphens.resolved("\n".join(lines[at:first])))
            draft.heading(level, hyphens.resolved(" ".join(lines[first:end])) or title)
            at = end
        draft.paragraph(hyphens.resolved("\n".join(lines[at:])))
