"""Checks of files, texts and their chunks: complete, owned, and equal to their source text.

A damaged file is indexed again by the next sync; a text without a file, from its stored text.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import groupby
from typing import Any

from memory.index.document_store import documents_of
from memory.index.documents import Document, embedded_text
from memory.index.indexing import Indexer
from memory.index.indexing_settings import current_indexing_settings
from memory.index.preparation import bytes_hash
from memory.operations.doctor.values import DoctorContext, DoctorProblem, noted, tally
from memory.storage import Transaction, chunk_uid, content_hash, utc_text

PENDING_SINCE = timedelta(hours=1)
"""The time a file may wait for the rest of its sync before it is noted."""

_NO_TEXT = "with a chunk that is not text"

_OWNERLESS = """FROM chunks AS c WHERE source IN ('file', 'text')
    AND NOT EXISTS (SELECT 1 FROM files AS f WHERE f.id = c.owner_id AND f.source = c.source)"""
_STRAY = """FROM chunks AS c WHERE source IN ('file', 'text')
    AND EXISTS (SELECT 1 FROM files AS f WHERE f.id = c.owner_id AND f.generation <> c.generation)
    AND NOT EXISTS (
        SELECT 1 FROM cuts AS k WHERE k.owner_id = c.owner_id AND k.generation = c.generation)"""
_EMPTY_CUTS = """FROM cuts WHERE NOT EXISTS (SELECT 1 FROM chunks AS c
    WHERE c.owner_id = cuts.owner_id AND c.generation = cuts.generation)"""
_CHUNKLESS_SQL = """
SELECT id FROM files AS f WHERE hash <> '' AND NOT EXISTS (
    SELECT 1 FROM chunks AS c
    WHERE c.owner_id = f.id AND c.source = f.source AND c.generation = f.generation)
"""
_OTHERWISE_CUT_SQL = """
SELECT id FROM files AS f WHERE hash <> '' AND EXISTS (
    SELECT 1 FROM spaces WHERE state = 'active' AND generation <> f.generation)
"""
_REWRITE_SQL = "UPDATE chunks SET text = :text, heading = :heading, gap = :gap WHERE id = :id"
_MARK_SQL = "UPDATE files SET state = 'pending', hash = '' WHERE id = :id"


def owners(context: DoctorContext) -> Iterator[DoctorProblem]:
    """Every chunk belongs to a file or a text, and to a way of cutting that is in use."""
    for part, what in (
        (_OWNERLESS, "without a file or text"),
        (_STRAY, "cut by another chunker than their file's"),
    ):
        ((number,),) = context.storage.database.read(f"SELECT count(*) {part}")
        if number:
            yield DoctorProblem(
                tally(f"chunks {what}", number),
                "removes them",
                partial(_remove_chunks, context, part),
                count=number,
            )
    ((number,),) = context.storage.database.read(f"SELECT count(*) {_EMPTY_CUTS}")
    if number:
        yield DoctorProblem(
            tally("documents without their chunks for another space", number),
            "clears the record; a reindex cuts them again",
            partial(context.write, lambda tx: tx.run(f"DELETE {_EMPTY_CUTS}")),
            count=number,
        )


def _remove_chunks(context: DoctorContext, part: str) -> None:
    with context.storage.database.transaction() as tx:
        removed = tx.run(f"DELETE FROM chunks WHERE id IN (SELECT c.id {part}) RETURNING hash")
        context.storage.cache.forget(tx, [row[0] for row in removed])


def documents(context: DoctorContext) -> Iterator[DoctorProblem]:
    """Every file that is indexed has chunks, and of the kind that answers."""
    for sql, what in (
        (_CHUNKLESS_SQL, "without a chunk though they are indexed"),
        (_OTHERWISE_CUT_SQL, "cut in another way than those that answer"),
    ):
        ids = [row[0] for row in context.storage.database.read(sql)]
        if ids:
            yield DoctorProblem(
                tally(f"documents {what}", len(ids), _paths(context, ids)),
                "indexes them again",
                partial(index_again, context, ids),
                count=len(ids),
            )
    yield from _waiting(context)


def _waiting(context: DoctorContext) -> Iterator[DoctorProblem]:
    """Note files that could not be read, or that no sync has processed."""
    sql = "SELECT path FROM files WHERE state = 'failed' ORDER BY path"
    failed = [row[0] for row in context.storage.database.read(sql)]
    if failed:
        repair = "mem files --failed says why; they are tried again by each sync"
        yield noted("files that the last sync could not read", failed, repair)
    before = utc_text(datetime.now(UTC) - PENDING_SINCE)
    sql = "SELECT path FROM files WHERE state = 'pending' AND updated_at < :before ORDER BY path"
    waiting = [row[0] for row in context.storage.database.read(sql, {"before": before})]
    if waiting:
        yield noted("files that wait for a sync to end", waiting, "mem sync continues with them")


def texts(context: DoctorContext) -> Iterator[DoctorProblem]:
    """Every chunk has the hash of its text, and the chunks of a document make its text whole."""
    damaged: dict[str, list[str]] = {}
    rows = context.storage.health.document_chunks()
    for (owner, source, _), chunks in groupby(rows, key=lambda row: row[:3]):
        fault = _fault(source, owner, list(chunks))
        if fault:
            damaged.setdefault(fault, []).append(owner)
    for fault, ids in damaged.items():
        unique = list(dict.fromkeys(ids))
        yield DoctorProblem(
            tally(f"documents {fault}", len(unique), _paths(context, unique)),
            "indexes them again",
            partial(index_again, context, unique),
            count=len(unique),
            blocks=fault == _NO_TEXT,
        )


def _fault(source: str, owner: str, chunks: Sequence[tuple[Any, ...]]) -> str | None:
    """Return the fault of a document's chunks in one generation, in their order, or None."""
    seen: dict[bytes, int] = {}
    end = 0
    for place, row in enumerate(chunks):
        ordinal, uid, hashed, *stored, start, stop, first, last = row[3:]
        try:
            text, heading, offset, gap = _decoded(*stored)
        except UnicodeDecodeError:
            return _NO_TEXT
        if hashed != content_hash(embedded_text(heading, text[offset:])):
            return "with a chunk whose text does not match its hash"
        occurrence = seen[hashed] = seen.get(hashed, -1) + 1
        if uid != chunk_uid(source, owner, hashed, occurrence):
            return "with a chunk whose id does not match its text"
        if ordinal != place:
            return "with a missing chunk"
        if not _fits(len(text), gap, start=start, stop=stop, end=end) or first > last:
            return "with chunks that do not follow each other"
        end = max(end, stop)
    return None


def _decoded(text: bytes, heading: bytes, offset: int, gap: bytes) -> tuple[str, str, int, str]:
    return text.decode(), heading.decode(), offset, gap.decode()


def _fits(length: int, gap: str, *, start: int, stop: int, end: int) -> bool:
    """Return whether a chunk begins where the one before it and the gap between them end."""
    return stop - start == length and len(gap) == max(0, start - end)


def _paths(context: DoctorContext, ids: Sequence[str]) -> list[str]:
    sql = "SELECT path FROM files WHERE id IN (:ids) ORDER BY path LIMIT 4"
    return [row[0] for row in context.storage.database.read(sql, {"ids": list(ids)})]


def index_again(context: DoctorContext, ids: Sequence[str]) -> None:
    """Index documents again: readable files by the next sync, others from their stored text."""
    for document_id in ids:
        document = documents_of(context.workspace).get(document_id)
        if document is None:
            continue
        if document.file_path is not None and os.access(document.path, os.R_OK):
            leave_to_sync(context, document)
        else:
            _index_stored(context, document)


def leave_to_sync(context: DoctorContext, document: Document) -> None:
    """Have the next sync read a file again, even if it seems unchanged.

    Its chunks are removed, since an apparently unchanged chunk would be kept.
    """

    def mark(tx: Transaction) -> None:
        context.storage.remove_owner(tx, document.source, document.id, keep_cached=True)
        tx.run("DELETE FROM cuts WHERE owner_id = :id", {"id": document.id})
        tx.run(_MARK_SQL, {"id": document.id})

    context.write(mark)
    context.marked.add(document.path)


def _index_stored(context: DoctorContext, document: Document) -> None:
    """Chunk a document's stored text again; new chunks are written before the old ones go."""
    workspace = context.workspace
    context.write(lambda tx: _make_readable(context, tx, document))
    loaded = documents_of(workspace).loaded(document)
    if not loaded.text.strip():
        context.write(lambda tx: _give_up(context, tx, document))
        return
    fresh = replace(document, state="indexed", reason=None)
    if document.file_path is None:
        fresh = replace(fresh, hash=bytes_hash(loaded.text.encode("utf-8", "surrogatepass")))
    context.write(lambda tx: _disown(context, tx, document))
    cache_bytes = workspace.config.embeddings.cache_bytes
    indexer = Indexer(
        workspace.storage, partial(current_indexing_settings, workspace), cache_bytes=cache_bytes
    )
    indexer.add(fresh, loaded, is_known=True)
    indexer.flush()


def _make_readable(context: DoctorContext, tx: Transaction, document: Document) -> None:
    """Replace invalid UTF-8 bytes in a text by the replacement character."""
    texts = context.storage.health.chunk_texts(tx, document.source, document.id)
    for key, *stored in texts:
        readable = [part.decode("utf-8", "replace") for part in stored]
        if [part.encode() for part in readable] != stored:
            values = dict(zip(("text", "heading", "gap"), readable, strict=True))
            tx.run(_REWRITE_SQL, {**values, "id": key})


def _disown(context: DoctorContext, tx: Transaction, document: Document) -> None:
    """Rename a document's chunks so that none is taken for one of its replacements."""
    sql = """UPDATE chunks SET uid = 'replaced ' || id
        WHERE owner_id = :id AND source = :source RETURNING id"""
    ids = [row[0] for row in tx.run(sql, {"id": document.id, "source": document.source})]
    for space in context.storage.spaces().all():
        context.storage.health.vectors.remove(tx, space, ids)


def _give_up(context: DoctorContext, tx: Transaction, document: Document) -> None:
    """Remove a text without content; a file may come back."""
    if document.file_path is not None:
        tx.run(_MARK_SQL, {"id": document.id})
    else:
        documents_of(context.workspace).remove(tx, document)
