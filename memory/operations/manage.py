"""Reading and managing of single records of any kind: text, metadata, tags, removal.

Each is read as of one moment: others may change it, and what it rests on, meanwhile.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Unpack

from contracts import InputError, MemError, NotFoundError
from memory.files.documents.reading import (
    DocumentChoice,
    content,
    documents_page,
    existing,
    show_document,
)
from memory.index.document_store import documents_of
from memory.index.record_hooks import RecordHooks, hooks_of
from memory.operations.forget.removal import forget
from memory.operations.forget.values import ForgetRequest
from memory.values.citations import cite_lines, cite_text
from memory.values.record_fields import check_limit
from memory.values.record_kinds import RecordName
from memory.values.reports import FileContent, Record, RecordPage
from memory.values.user_folders import working_folder
from memory.workspace import Workspace
from search import SOURCE_NAMES

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
    with workspace.storage.database.snapshot():
        return content(workspace, existing(workspace, file_id), lines)


def show(workspace: Workspace, citation: str, *, around: int = 0) -> object:
    """Return the record of a citation: text of a document (for a bare id or path the whole) as a
    FileContent; for another kind its content, such as a turn with those around it.

    Lines of a document come with `around` more before and after them. Raises NotFoundError when it
    does not exist.
    """
    with workspace.storage.database.snapshot():
        document = show_document(workspace, citation)
        if document is not None:
            if around:
                first = max(1, document.start_line - around)
                return get_file(workspace, document.id, lines=(first, document.end_line + around))
            return document
        name = workspace.kinds.named(citation)
        if name is None or workspace.kinds[name.source].is_document:
            raise NotFoundError(
                f"nothing indexed is called {citation!r}",
                hint="copy the citation from `mem search`, or list files: mem files",
            )
        hooks = hooks_of(workspace, name.source)
        return hooks.show(hooks.id_of(name.record_id))


def is_record(workspace: Workspace, citation: str) -> bool:
    """Return whether a citation names a record that can be read."""
    try:
        show(workspace, citation)
    except MemError:
        return False
    return True


def citation_of(content: FileContent) -> str:
    """Return the citation of these lines, or of an ingested text."""
    if content.path is None:
        return cite_text(content.id)
    first, last = content.start_line, content.end_line
    return cite_lines(content.path, first, last, cwd=working_folder(), place=content.place)


def list_records(
    workspace: Workspace,
    *,
    limit: int = 100,
    cursor: str | None = None,
    **chosen: Unpack[DocumentChoice],
) -> RecordPage:
    """Files and texts in the order of their paths, optionally of one source or below one path; of
    another source its records, the newest first.

    `only_problems` returns only those that failed or were skipped, `tags` only files and texts
    that have all of them. `cursor` is a previous page's `next_cursor`. Raises InputError for an
    unknown source, a limit outside 1 to 1000, and values of another type.
    """
    source = chosen.get("source")
    if source is not None and source not in (*SOURCE_NAMES, *workspace.kinds.names):
        raise InputError(
            f"there is no source {source!r}", hint=f"sources are {', '.join(SOURCE_NAMES)}"
        )
    check_limit(limit, MOST_RECORDS)
    if not isinstance(cursor, str | None):
        raise InputError(f"the cursor is {cursor!r}", hint="give a page's next_cursor")
    is_whole = chosen.get("path") is None and not (
        chosen.get("only_problems") or chosen.get("tags")
    )
    with workspace.storage.database.snapshot():
        if source is not None and source in workspace.kinds and is_whole:
            return hooks_of(workspace, source).page(limit=limit, cursor=cursor)
        return documents_page(workspace, limit=limit, cursor=cursor, **chosen)


def paths_beginning_with(workspace: Workspace, prefix: str, *, limit: int) -> list[str]:
    """Return the first indexed files whose absolute paths begin with these characters."""
    return documents_of(workspace).paths_beginning_with(prefix, limit=limit)


def get_record(workspace: Workspace, record_id: str) -> Record:
    """Return one record by its id, `turn:42` and `memory:12` included.

    Raises NotFoundError for an unknown id.
    """
    with workspace.storage.database.snapshot():
        hooks, own_id = _found(workspace, record_id)
        return hooks.get(own_id)


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
    hooks, own_id = _found(workspace, record_id)
    hooks.update(own_id, metadata=metadata, tags=tags)
    return get_record(workspace, record_id)


def delete_record(workspace: Workspace, record_id: str) -> Record:
    """Remove a record with everything derived from it, and return its former state.

    A file itself stays on the disk, and the next sync of its folder indexes it again. Raises
    NotFoundError for an unknown record.
    """
    hooks, own_id = _found(workspace, record_id)
    record = get_record(workspace, record_id)
    if hooks.kind.is_document:
        with workspace.storage.database.transaction() as tx:
            hooks.remove(tx, [own_id])
    else:
        forget(workspace, ForgetRequest(records=(RecordName(hooks.kind.name, own_id),)))
    return record


def _found(workspace: Workspace, record_id: str) -> tuple[RecordHooks, str]:
    """Return the hooks of a record and its id there; ids of files and texts have no colon.

    Raises NotFoundError for an unknown document.
    """
    if isinstance(record_id, str) and ":" in record_id:
        name = workspace.kinds.named(record_id)
        if name is not None and not workspace.kinds[name.source].is_document:
            hooks = hooks_of(workspace, name.source)
            return hooks, hooks.id_of(name.record_id)
    return hooks_of(workspace, existing(workspace, record_id).source), record_id
