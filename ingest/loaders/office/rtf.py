"""Rich text (RTF) by striprtf: its words without formatting, so without headings too."""

from ingest.loaders.base import LoadedText
from ingest.loaders.draft import DocumentError, Draft
from ingest.loaders.failure_containment import drafted
from ingest.values import SkippedFile


def read(data: bytes, name: str) -> LoadedText | SkippedFile:
    """The text of the document."""
    return drafted(_fill, data, name, what="RTF document")


def _fill(draft: Draft, data: bytes) -> None:
    from striprtf.striprtf import rtf_to_text

    if not data.lstrip().startswith(b"{\\rtf"):
        raise DocumentError("broken", "not an RTF document")
    text = rtf_to_text(data.decode("latin-1"), errors="replace")  # type: ignore[no-untyped-call]  # untyped
    for paragraph in text.split("\n"):
        draft.paragraph(paragraph.strip(" "))
