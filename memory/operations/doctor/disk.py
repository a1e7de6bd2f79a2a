"""A byte-by-byte comparison of the index with the files on disk; as slow as reading them all."""

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from ingest import SkippedFile, is_heavy, is_within, load_bytes, loader_id, read_bytes
from memory.files.ingestion import sync_settings
from memory.files.mounts import Mounts
from memory.index.document_store import documents_of
from memory.index.documents import Document
from memory.index.preparation import bytes_hash
from memory.operations.doctor.documents import leave_to_sync
from memory.operations.doctor.values import DoctorContext, DoctorProblem, noted, tally
from memory.storage.meta import remembered_roots

_GONE = "that are missing from the disk"
_AWAY = "whose folder or disk is unavailable"
_OTHER_TEXT = "whose text differs from the index"

READ_AT_ONCE = 500
"""Files whose rows are read together."""


def files(context: DoctorContext) -> Iterator[DoctorProblem]:
    """Every indexed file is on disk as it was indexed, and its text is what the index has."""
    found: dict[str, list[Document]] = {}
    database = context.storage.database
    disks = Mounts(database, map(Path, remembered_roots(database)))
    away = {*disks.lost, *disks.doubtful}
    after = ""
    while page := documents_of(context.workspace).page(
        source="file", path=None, after=after, limit=READ_AT_ONCE
    ):
        after = page[-1].path
        for document in page:
            if document.state == "indexed" and (what := _difference(context, document)):
                if what == _GONE and is_within(document.path, away):
                    what = _AWAY
                found.setdefault(what, []).append(document)
    kept = found.pop(_AWAY, [])
    if kept:
        repair = "they stay until it is back; mem sync --prune removes them"
        yield noted(f"indexed files {_AWAY}", [document.path for document in kept], repair)
    for what, documents in found.items():
        yield DoctorProblem(
            tally(
                f"indexed files {what}", len(documents), [document.path for document in documents]
            ),
            "has the next sync check them",
            partial(_mark, context, documents, is_index_wrong=what == _OTHER_TEXT),
            count=len(documents),
        )


def _difference(context: DoctorContext, document: Document) -> str | None:
    """Return how a file differs from its indexed text, or None."""
    limits = sync_settings(context.workspace).rules
    data = read_bytes(document.path, max_size_bytes=limits.max_size_bytes, follow_links=False)
    if isinstance(data, SkippedFile):
        is_gone = not os.path.lexists(document.path)
        return _GONE if is_gone else f"that cannot be read any more, {data.reason}"
    if bytes_hash(data) != document.hash:
        return "that have changed since they were indexed"
    if document.loader != loader_id(document.path) or is_heavy(document.path):
        return None  # the next sync reads it again, or reading needs a worker with limits
    loaded = load_bytes(data, document.path)
    if isinstance(loaded, SkippedFile):
        return f"that hold nothing to index for this program, {loaded.reason}"
    if loaded.text != documents_of(context.workspace).text(document):
        return _OTHER_TEXT
    return None


def _mark(context: DoctorContext, documents: list[Document], *, is_index_wrong: bool) -> None:
    """Mark files for the next sync; their indexed text stays unless it never was the file's."""
    for document in documents:
        if is_index_wrong:
            leave_to_sync(context, document)
            continue
        with context.storage.database.transaction() as tx:
            documents_of(context.workspace).mark_pending(tx, [document])
        context.marked.add(document.path)
