"""PDF: the text of its pages, by pypdfium2."""

from typing import TYPE_CHECKING

from ingest.loaders.base import LoadedText, Place
from ingest.loaders.reading import refuse
from ingest.values import SkippedFile

if TYPE_CHECKING:
    import pypdfium2

_PASSWORD = 4
"""The error code of a document that wants a password, in `fpdfview.h`."""


def read(data: bytes, name: str) -> LoadedText | SkippedFile:
    """The pages one after the other, each a place."""
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if error.err_code == _PASSWORD:
            return refuse(name, "encrypted", "wants a password")
        return refuse(name, "broken", "no PDF that can be opened")
    try:
        return _text(document, name)
    finally:
        document.close()


def _text(document: "pypdfium2.PdfDocument", name: str) -> LoadedText | SkippedFile:
    parts: list[str] = []
    places: list[Place] = []
    at = 0
    for number in range(len(document)):
        page = document[number].get_textpage().get_text_bounded().replace("\r\n", "\n").strip()
        if page:
            places.append(Place(at, f"page {number + 1}"))
            parts.append(f"{page}\n\n")
            at += len(parts[-1])
    if not parts:
        return refuse(name, "empty", f"no text in its {len(document)} pages; it may be scanned")
    return LoadedText("".join(parts), "markdown", "utf-8", places=tuple(places))
