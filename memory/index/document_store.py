"""The store of documents: their rows with their chunks.

A document is stored in one transaction: its row, its chunks, their keyword entries and vectors.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ingest import NoteProperties, note_in
from memory.index.document_queries import COLUMNS, DocumentQueries
from memory.index.documents import Document, stored_fields
from memory.index.notes.links import remove_note, rename_note, renew_linked, write_note
from memory.index.notes.merging import merged_metadata, merged_tags
from memory.storage import ChunkChanges, NewChunk, Space, StoredVector, Transaction, utc_now
from memory.storage.values import Row
from memory.workspace import Workspace

_UPSERT_SQL = """
INSERT INTO files (id, source, path, hash, size, mtime, mtime_ns, state, reason, generation, tail,
    tags, metadata, created_at, updated_at, loader)
VALUES (:id, :source, :path, :hash, :size, :mtime, :mtime_ns, :state, :reason, :generation, :tail,
    :tags, :metadata, :now, :now, :loader)
ON CONFLICT (id) DO UPDATE SET path = :path, hash = :hash, size = :size, mtime = :mtime,
    mtime_ns = :mtime_ns, state = :state, reason = :reason, loader = :loader,
    tags = CASE WHEN files.source = 'text' THEN :tags ELSE files.tags END,
    metadata = CASE WHEN files.source = 'text' THEN :metadata ELSE files.metadata END,
    updated_at = :now
"""
_DESCRIBE_SQL = """
UPDATE files SET tags = coalesce(:tags, tags), metadata = coalesce(:metadata, metadata),
    updated_at = :now
WHERE id = :id RETURNING tags
"""
_CUT_SQL = """
UPDATE files SET generation = :generation, tail = :tail, layout = :layout WHERE id = :id
"""
_CUT_NOTE_SQL = """
UPDATE files SET generation = :generation, tail = :tail, layout = :layout, tags = :tags,
    metadata = :metadata
WHERE id = :id
"""
_NOTHING = {"generation": "", "tail": "", "layout": ""}
_OUTDATED_SQL = """
DELETE FROM chunks WHERE owner_id = :id AND source = :source AND generation <> :generation
"""


class DocumentStore(DocumentQueries):
    """The documents of a database; with `staged_chunks` the only code that writes their tables."""

    def write(
        self,
        tx: Transaction,
        document: Document,
        chunks: Sequence[NewChunk],
    ) -> ChunkChanges:
        """Store a document with its chunks; `put_vectors` gives the new ones their vectors.

        Its chunks of other generations are removed: they were cut from its former text. Tags and
        metadata that a note has of itself replace those that it had before.
        """
        ((tags, metadata, layout, generation),) = self.save(tx, document)
        values = {**_key(document), "tail": document.tail, "layout": document.layout}
        if document.source == "file" and (document.note is not None or layout):
            own = _with_own(document, tags=tags, metadata=metadata, layout=layout)
            tags = own["tags"]
            tx.run(_CUT_NOTE_SQL, {**values, **own})
        else:
            tx.run(_CUT_SQL, values)
        if tags != json.dumps(document.tags):  # changed since the document was read
            chunks = [chunk._replace(tags=tuple(json.loads(tags))) for chunk in chunks]
        changes = self._storage.replace_chunks(
            tx,
            document.source,
            document.id,
            generation=document.generation,
            chunks=chunks,
        )
        tx.run(_OUTDATED_SQL, _key(document))
        tx.run("DELETE FROM cuts WHERE owner_id = :id", {"id": document.id})
        if document.is_note:
            is_new = not generation
            write_note(tx, document.id, document.path, document.note, is_new=is_new)
        return changes

    def put_vectors(
        self,
        tx: Transaction,
        space: Space,
        added: Mapping[int, bytes],
        *,
        vectors: Mapping[bytes, StoredVector | None],
    ) -> None:
        """Store the known vectors of new chunks, which are given with their contents.

        Those of many documents at once lie beside each other in the file: a search that reads all
        codes in a new process takes a fifth less.
        """
        known = {chunk_id: vectors.get(content) for chunk_id, content in added.items()}
        rows = {chunk_id: row for chunk_id, row in known.items() if row is not None}
        self._storage.put_vectors(tx, space, rows)

    def save(self, tx: Transaction, document: Document) -> list[Row]:
        """Store the row alone, without chunks; return its tags, metadata, layout and generation.

        Tags and metadata of a known file stay: they come from people, not from the file, and may
        have changed since `document` was read. `describe` changes them.
        """
        sql = f"{_UPSERT_SQL} RETURNING tags, metadata, layout, generation"
        return tx.run(sql, _row_values(document))

    def describe(
        self,
        tx: Transaction,
        document: Document,
        *,
        metadata: Mapping[str, Any] | None = None,
        tags: Sequence[str] | None = None,
    ) -> bool:
        """Replace a document's metadata or tags, also in its chunks; return whether it exists.

        A note keeps those that it has of itself.
        """
        own = note_in(self.layout(document)) if document.is_note else NoteProperties()
        if metadata is not None:
            metadata = {**own.metadata, **metadata}
        if tags is not None:
            tags = tuple(dict.fromkeys((*own.tags, *tags)))
        values = {
            "id": document.id,
            "metadata": None if metadata is None else json.dumps(dict(metadata)),
            "tags": None if tags is None else json.dumps(list(tags)),
            "now": utc_now(),
        }
        rows = tx.run(_DESCRIBE_SQL, values)
        if rows and tags is not None:
            # Where a search looks for them.
            sql = "UPDATE chunks SET tags = :tags WHERE owner_id = :id AND source = :source"
            tx.run(sql, {**_key(document), "tags": values["tags"] if tags else None})
        if rows and document.generation:
            tx.note_change(document.source, document.id, "changed")
        return bool(rows)

    def keep_dates(self, tx: Transaction, document: Document) -> None:
        """Set the dates of a row as `document` has them: it was first stored elsewhere."""
        sql = "UPDATE files SET created_at = :created, updated_at = :updated WHERE id = :id"
        dates = {"created": document.created_at, "updated": document.updated_at}
        tx.run(sql, {"id": document.id, **dates})

    def touch(self, tx: Transaction, document: Document) -> None:
        """Store the row of a document of which only the time has changed."""
        self.save(tx, document)
        sql = """UPDATE chunks SET occurred_at = :modified
            WHERE owner_id = :id AND source = :source AND occurred_at <> :modified"""
        tx.run(sql, {**_key(document), "modified": document.occurred_at})

    def mark_pending(self, tx: Transaction, documents: Iterable[Document]) -> None:
        """Store new rows, and mark known ones as behind their files."""
        for document in documents:
            if document.hash:
                sql = "UPDATE files SET state = 'pending' WHERE id = :id"
                tx.run(sql, {"id": document.id})
            else:
                tx.run(_UPSERT_SQL, _row_values(document))

    def rename(self, tx: Transaction, document: Document) -> None:
        """Store the row under its new path, and the new file name in the keyword entries."""
        self.touch(tx, document)
        if document.is_note:
            rename_note(tx, document.id, document.path)
        if self.rewrite_keywords(tx, document):
            tx.note_change(document.source, document.id, "changed")

    def rewrite_keywords(self, tx: Transaction, document: Document) -> int:
        """Rewrite the keyword entries of a document's chunks; return their number."""
        sql = "SELECT id FROM chunks WHERE owner_id = :id AND source = :source"
        ids = [row[0] for row in tx.run(sql, _key(document))]
        fields = stored_fields(self._storage, ids)
        self._storage.rewrite_keywords(tx, fields)
        return len(fields)

    def renew_linked_notes(self) -> int:
        """Write the words of links that were changed into the entries of their notes.

        Returns the number of notes. It can be interrupted anywhere.
        """

        def rewrite(tx: Transaction, file_ids: Sequence[str]) -> None:
            sql = """SELECT id FROM chunks
                WHERE owner_id IN (:ids) AND source = 'file' AND ordinal = 0"""
            chunks = [row[0] for row in tx.run(sql, {"ids": list(file_ids)})]
            self._storage.rewrite_keywords(tx, stored_fields(self._storage, chunks))

        return renew_linked(self._database, rewrite)

    def remove(self, tx: Transaction, document: Document, *, keep_cached: bool = False) -> int:
        """Remove a document with its chunks; return their number. See `Storage.remove_owner`."""
        removed = self._storage.remove_owner(
            tx, document.source, document.id, keep_cached=keep_cached
        )
        remove_note(tx, document.id)
        tx.run("DELETE FROM files WHERE id = :id", {"id": document.id})
        return removed

    def drop_chunks(self, tx: Transaction, document: Document) -> None:
        """Remove the chunks of a document that no longer holds anything to index."""
        self._storage.remove_owner(tx, document.source, document.id, keep_cached=True)
        rows = tx.run("SELECT tags, metadata, layout FROM files WHERE id = :id", _key(document))
        for tags, metadata, layout in rows:
            bare = replace(document, note=None)
            own = _with_own(bare, tags=tags, metadata=metadata, layout=layout)
            tx.run(_CUT_NOTE_SQL, {"id": document.id, **_NOTHING, **own})
        tx.run("DELETE FROM cuts WHERE owner_id = :id", {"id": document.id})
        remove_note(tx, document.id)


def _row_values(document: Document) -> dict[str, Any]:
    return {
        **{name: getattr(document, name) for name in COLUMNS},
        "tags": json.dumps(document.tags),
        "metadata": json.dumps(dict(document.metadata or {})),
        "mtime": document.modified_at,
        "now": utc_now(),
    }


def _key(document: Document) -> dict[str, str]:
    return {
        "id": document.id,
        "source": document.source,
        "generation": document.generation,
    }


def _with_own(document: Document, *, tags: str, metadata: str, layout: str) -> dict[str, str]:
    """Return the tags and metadata of a note with those that others gave it, each as JSON.

    `tags`, `metadata` and `layout` are the row's, with what the note said before.
    """
    before, now = note_in(layout), document.note or NoteProperties()
    return {
        "tags": json.dumps(merged_tags(json.loads(tags), before=before, now=now)),
        "metadata": json.dumps(merged_metadata(json.loads(metadata), before=before, now=now)),
    }


def documents_of(workspace: Workspace) -> DocumentStore:
    """Return the document store of a workspace."""
    return workspace.component(DocumentStore, lambda: DocumentStore(workspace.storage))
