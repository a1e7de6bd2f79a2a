"""Reading of files and ingested texts: lists of them, their text, lines, pages and headings."""

from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict, Unpack

from contracts import InputError, NotFoundError
from ingest import (
    SkippedFile,
    is_extracted,
    place_between,
    places_of,
    printable,
    read_bytes,
    span_of_place,
)
from memory.files.roots import real_path
from memory.index.document_store import documents_of
from memory.index.documents import Document, storable_ns
from memory.index.preparation import bytes_hash
from memory.values.citations import readings
from memory.values.record_fields import checked_tags
from memory.values.reports import FileContent, Record, RecordPage
from memory.values.user_folders import working_folder
from memory.workspace import Workspace


class DocumentChoice(TypedDict, total=False):
    """The files and texts to list: of a source, at or below a path, failed or skipped ones, those
    that have all of `tags`.
    """

    source: str | None
    path: str | None
    only_problems: bool
    tags: Sequence[str]


def documents_page(
    workspace: Workspace, *, limit: int, cursor: str | None, **chosen: Unpack[DocumentChoice]
) -> RecordPage:
    """List files and texts in the order of their paths; `cursor` is a path."""
    path = chosen.get("path")
    documents = documents_of(workspace).page(
        source=chosen.get("source"),
        path=None if path is None else printable(str(real_path(path))),
        after=cursor or "",
        limit=limit + 1,
        only_problems=chosen.get("only_problems", False),
        tags=checked_tags(chosen.get("tags", ())),
    )
    page = documents[:limit]
    more = len(documents) > limit
    return RecordPage(document_records(workspace, page), page[-1].path if more else None)


def show_document(workspace: Workspace, citation: str) -> FileContent | None:
    """Return the text that a citation names, for a bare id or path the whole; None for none.

    Raises NotFoundError for an unknown part of a document, and for one that is not indexed.
    """
    without: Document | None = None
    for named in readings(citation, cwd=working_folder()):
        document = (
            documents_of(workspace).at_path(named.path)
            if named.path is not None
            else documents_of(workspace).get(named.record_id or "")
        )
        if document is None:
            continue
        if named.place is None:
            return content(workspace, document, named.lines)
        lines = _lines_of_place(workspace, document, named.place)
        if lines is not None:
            return content(workspace, document, lines)
        without = document
    if without is not None:
        raise _no_such_place(workspace, without, citation)
    return None


def existing(workspace: Workspace, record_id: str) -> Document:
    """Return the document of that id. Raises NotFoundError for an unknown one."""
    document = documents_of(workspace).get(record_id) if isinstance(record_id, str) else None
    if document is None:
        raise NotFoundError(
            f"there is no file or text with the id {record_id!r}",
            hint="list records: mem files, or GET /memory/manage",
        )
    return document


def _lines_of_place(workspace: Workspace, document: Document, place: str) -> tuple[int, int] | None:
    """Return the first and last line of a part of a document, without blank lines around."""
    loaded = documents_of(workspace).loaded(document)
    span, text = span_of_place(loaded, place), loaded.text
    if span is None:
        return None
    start, end = span
    first = text.count("\n", 0, start) + 1
    return first, first + text[start:end].rstrip().count("\n")


def _no_such_place(workspace: Workspace, document: Document, citation: str) -> NotFoundError:
    loaded = documents_of(workspace).loaded(document)
    places, lines = loaded.places, [each.last for each in loaded.lines]
    known = "it has no such parts"
    if places:
        known = f"it has {places[0].label} to {places[-1].label}"
    elif lines:
        known = f"its text is from source lines up to {max(lines)}"
    return NotFoundError(
        f"{citation!r} names no part of {document.path}: {known}",
        hint="name lines, such as PATH:12-30, or omit the part for the whole text",
    )


def content(workspace: Workspace, document: Document, lines: tuple[int, int] | None) -> FileContent:
    """Return the indexed text of a document, whole or some lines.

    Raises NotFoundError for a document that is not indexed, InputError for invalid lines.
    """
    if not document.hash:
        raise NotFoundError(
            f"{document.path} is not indexed: {document.reason or document.state}",
            hint="list files that are not indexed: mem files --failed",
        )
    loaded = documents_of(workspace).loaded(document)
    text = loaded.text
    parts = text.split("\n")
    total = len(parts) - 1 if parts[-1] == "" and len(parts) > 1 else len(parts)
    first, last = lines or (1, total)
    if first < 1 or last < first:
        raise InputError(
            f"lines {first}-{last} are not a valid range", hint="lines count from 1, such as 10-20"
        )
    if first > total:
        raise InputError(
            f"line {first} is past the end: the text has {total} lines",
            hint=f"ask for lines from 1 to {total}",
        )
    last = min(last, total)
    chosen = text if lines is None else "\n".join(parts[first - 1 : last])
    place = None
    if lines is not None and (loaded.places or loaded.lines):
        start = sum(len(part) + 1 for part in parts[: first - 1])
        place = place_between(loaded, start, start + len(chosen.rstrip()))
    return FileContent(
        id=document.id,
        path=document.file_path,
        text=chosen,
        start_line=first,
        end_line=last,
        total_lines=total,
        stale=_is_stale(document),
        metadata=dict(document.metadata or {}),
        place=place,
        extracted=document.file_path is not None and is_extracted(document.loader),
    )


def _is_stale(document: Document) -> bool:
    """Return whether the file on disk has changed since its text was indexed."""
    if document.file_path is None:
        return False
    try:
        now = Path(document.path).stat()
    except OSError:
        return True
    if document.state == "indexed" and now.st_size == document.size:
        if storable_ns(now.st_mtime_ns) == document.mtime_ns:
            return False
        data = read_bytes(document.path, max_size_bytes=document.size, follow_links=False)
        return isinstance(data, SkippedFile) or bytes_hash(data) != document.hash
    return True


def document_records(workspace: Workspace, documents: Sequence[Document]) -> list[Record]:
    """Return documents as lists of records show them."""
    chunks = documents_of(workspace).chunk_counts(document.id for document in documents)
    return [
        Record(
            id=document.id,
            source=document.source,
            path=document.file_path,
            state=document.state,
            reason=document.reason,
            size_bytes=document.size,
            chunks=chunks.get(document.id, 0),
            tags=list(document.tags),
            metadata=dict(document.metadata or {}),
            created_at=document.created_at,
            updated_at=document.updated_at,
            modified_at=document.modified_at,
        )
        for document in documents
    ]


_OUTLINE_SQL = """
SELECT heading, min(start_line) FROM chunks
WHERE owner_id = :id AND source IN ('file', 'text') AND heading <> '' AND start_line IS NOT NULL
GROUP BY heading ORDER BY min(start_line) LIMIT :most
"""
MOST_HEADINGS = 500


def document_pages(workspace: Workspace, document_id: str) -> list[str]:
    """Return the labels of a document's pages, slides or sheets; none for one without."""
    document = existing(workspace, document_id)
    return [place.label for place in places_of(documents_of(workspace).layout(document))]


def outline(workspace: Workspace, document_id: str) -> list[tuple[str, int]]:
    """Return the headings of a document, at most MOST_HEADINGS, each with its first line."""
    values = {"id": document_id, "most": MOST_HEADINGS}
    return [(row[0], row[1]) for row in workspace.storage.database.read(_OUTLINE_SQL, values)]
