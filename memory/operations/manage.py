"""Reading and managing of single records: a file's indexed text, its metadata, its removal."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from contracts import InputError, NotFoundError
from ingest import SkippedFile, label_between, places_of, printable, read_bytes, span_of
from memory.conversations.memories.why import Why
from memory.files.ingestion import index_text, written_at_ns
from memory.files.roots import real_path
from memory.index.document_store import documents_of
from memory.index.documents import Document, storable_ns
from memory.index.preparation import bytes_hash
from memory.operations.said_records import (
    TurnContent,
    delete_said,
    get_said,
    said_page,
    show_said,
    update_said,
)
from memory.values.citations import RecordName, cite_lines, cite_text, readings, record_name
from memory.values.record_fields import checked_metadata, checked_tags
from memory.values.reports import FileContent, Record, RecordPage
from memory.workspace import Workspace
from search import SOURCE_NAMES

_SAID = ("turn", "memory")

MOST_RECORDS = 1000
"""The most records on one page."""


def get_file(
    workspace: Workspace, file_id: str, *, lines: tuple[int, int] | None = None
) -> FileContent:
    """Return the indexed text of a file or text, whole or some lines (from 1, both ends included).

    Lines past the end are left out. Raises NotFoundError for an unknown id, InputError for lines
    that begin before 1 or past the end, or end before they begin, and for values that are not two
    numbers.
    """
    is_pair = lines is None or (isinstance(lines, tuple | list) and len(lines) == 2)
    if not is_pair or not all(type(line) is int for line in lines or ()):
        raise InputError(f"the lines are {lines!r}", hint="give the first and the last, as (1, 10)")
    return _content(workspace, _existing(workspace, file_id), lines)


def show(workspace: Workspace, citation: str) -> FileContent | TurnContent | Why:
    """Return the record of a citation: text of a document (for a bare id or path the whole), a turn
    with those around it, or a memory with its sources.

    Raises NotFoundError when it does not exist.
    """
    without: Document | None = None
    for named in readings(citation, cwd=Path.cwd()):
        document = (
            documents_of(workspace).at_path(named.path)
            if named.path is not None
            else documents_of(workspace).get(named.record_id or "")
        )
        if document is None:
            continue
        if named.place is None:
            return _content(workspace, document, named.lines)
        lines = _lines_of_place(workspace, document, named.place)
        if lines is not None:
            return _content(workspace, document, lines)
        without = document
    if without is not None:
        raise _no_such_place(workspace, without, citation)
    if said := record_name(citation):
        return show_said(workspace, said)
    raise NotFoundError(
        f"nothing indexed is called {citation!r}",
        hint="copy the citation from `mem search`, or list files: mem files",
    )


def citation_of(content: FileContent) -> str:
    """Return the citation of these lines, or of an ingested text."""
    if content.path is None:
        return cite_text(content.id)
    first, last = content.start_line, content.end_line
    return cite_lines(content.path, first, last, cwd=Path.cwd(), place=content.place)


def _lines_of_place(workspace: Workspace, document: Document, place: str) -> tuple[int, int] | None:
    """Return the first and last line of a part of a document, without blank lines around."""
    text = documents_of(workspace).text(document)
    span = span_of(places_of(documents_of(workspace).layout(document)), place, len(text))
    if span is None:
        return None
    start, end = span
    first = text.count("\n", 0, start) + 1
    return first, first + text[start:end].rstrip().count("\n")


def _no_such_place(workspace: Workspace, document: Document, citation: str) -> NotFoundError:
    places = places_of(documents_of(workspace).layout(document))
    known = f"it has {places[0].label} to {places[-1].label}" if places else "it has no such parts"
    return NotFoundError(
        f"{citation!r} names no part of {document.path}: {known}",
        hint="name lines, such as PATH:12-30, or omit the part for the whole text",
    )


def _content(
    workspace: Workspace, document: Document, lines: tuple[int, int] | None
) -> FileContent:
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
    if lines is not None and loaded.places:
        start = sum(len(part) + 1 for part in parts[: first - 1])
        place = label_between(loaded.places, start, start + len(chosen.rstrip()))
    return FileContent(
        id=document.id,
        path=document.path if document.source == "file" else None,
        text=chosen,
        start_line=first,
        end_line=last,
        total_lines=total,
        stale=_is_stale(document),
        metadata=dict(document.metadata or {}),
        place=place,
    )


def _is_stale(document: Document) -> bool:
    """Return whether the file on disk has changed since its text was indexed."""
    if document.source != "file":
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


def list_records(
    workspace: Workspace,
    *,
    source: str | None = None,
    path: str | None = None,
    limit: int = 100,
    cursor: str | None = None,
    only_problems: bool = False,
) -> RecordPage:
    """List files and texts in the order of their paths, optionally of one source or below one path;
    for the source `turn` or `memory` those, newest first.

    `only_problems` returns only those that failed or were skipped. `cursor` is a previous page's
    `next_cursor`. Raises InputError for an unknown source, a limit outside 1 to 1000, and values of
    another type.
    """
    if source is not None and source not in SOURCE_NAMES:
        raise InputError(
            f"there is no source {source!r}", hint=f"sources are {', '.join(SOURCE_NAMES)}"
        )
    if type(limit) is not int or not 1 <= limit <= MOST_RECORDS:
        raise InputError(f"the limit is {limit!r}", hint=f"give a number from 1 to {MOST_RECORDS}")
    if not isinstance(cursor, str | None):
        raise InputError(f"the cursor is {cursor!r}", hint="give a page's next_cursor")
    if source in _SAID and path is None:
        return said_page(workspace, source, limit=limit, cursor=cursor)
    below = None if path is None else printable(str(real_path(path)))
    documents = documents_of(workspace).page(
        source=source,
        path=below,
        after=cursor or "",
        limit=limit + 1,
        only_problems=only_problems,
    )
    page = documents[:limit]
    more = len(documents) > limit
    return RecordPage(_records(workspace, page), page[-1].path if more else None)


def get_record(workspace: Workspace, record_id: str) -> Record:
    """Return one record by its id, `turn:42` and `memory:12` included.

    Raises NotFoundError for an unknown id.
    """
    if name := _said(record_id):
        return get_said(workspace, name)
    return _records(workspace, [_existing(workspace, record_id)])[0]


def update_record(
    workspace: Workspace,
    record_id: str,
    *,
    metadata: Mapping[str, Any] | None = None,
    tags: Sequence[str] | None = None,
) -> Record:
    """Replace a record's metadata, its tags, or both; None leaves them unchanged.

    A text's title and timestamp in its metadata count as they do when it is ingested. Raises
    NotFoundError for an unknown record, InputError for metadata that is not JSON.
    """
    if name := _said(record_id):
        return update_said(workspace, name, metadata=metadata, tags=tags)
    document = _existing(workspace, record_id)
    new_metadata = None if metadata is None else checked_metadata(metadata)
    new_tags = None if tags is None else checked_tags(tags)
    dated = document
    if new_metadata is not None and document.source == "text":
        written_ns = written_at_ns(new_metadata, document)
        dated = replace(document, metadata=new_metadata, mtime_ns=written_ns)
    retitled = dated.title != document.title
    if retitled:
        index_text(workspace, dated, documents_of(workspace).text(document))
    with workspace.storage.database.transaction() as tx:
        if not retitled and dated.mtime_ns != document.mtime_ns:
            documents_of(workspace).touch(tx, dated)
        documents_of(workspace).describe(tx, document, metadata=new_metadata, tags=new_tags)
    return get_record(workspace, record_id)


def delete_record(workspace: Workspace, record_id: str) -> Record:
    """Remove a record from the index with everything derived from it, and return its former state.

    A file itself stays on the disk, and the next sync of its folder indexes it again. Raises
    NotFoundError for an unknown record.
    """
    if name := _said(record_id):
        return delete_said(workspace, name)
    document = _existing(workspace, record_id)
    record = get_record(workspace, record_id)
    with workspace.storage.database.transaction() as tx:
        documents_of(workspace).remove(tx, document)
    return record


def _said(record_id: str) -> RecordName | None:
    """Parse `turn:42` and `memory:12`; ids of files and texts have no colon."""
    return record_name(record_id) if isinstance(record_id, str) and ":" in record_id else None


def _existing(workspace: Workspace, record_id: str) -> Document:
    document = documents_of(workspace).get(record_id) if isinstance(record_id, str) else None
    if document is None:
        raise NotFoundError(
            f"there is no file or text with the id {record_id!r}",
            hint="list records: mem files, or GET /memory/manage",
        )
    return document


def _records(workspace: Workspace, documents: Sequence[Document]) -> list[Record]:
    chunks = documents_of(workspace).chunk_counts(document.id for document in documents)
    return [
        Record(
            id=document.id,
            source=document.source,
            path=document.path if document.source == "file" else None,
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
