"""The store of documents: their rows with their chunks, and their reassembled text.

A document is stored in one transaction: its row, its chunks, their keyword entries and vectors.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ingest import NoteProperties, note_in
from memory.index.documents import Document, stored_fields
from memory.index.notes.links import remove_note, rename_note, renew_linked, write_note
from memory.index.notes.merging import merged_metadata, merged_tags
from memory.storage import (
    ChunkChanges,
    NewChunk,
    Space,
    Storage,
    StoredVector,
    Transaction,
    utc_now,
)
from memory.storage.values import Parameters, Row, read_list, read_object
from memory.workspace import Workspace

if TYPE_CHECKING:
    from ingest import LoadedText

_COLUMNS = (
    *("id", "source", "path", "hash", "size", "mtime_ns", "state", "reason"),
    *("generation", "tail", "tags", "metadata", "created_at", "updated_at", "loader"),
)
SELECT_SQL = f"SELECT {', '.join(_COLUMNS)} FROM files"
_AT_PATHS_SQL = f"{SELECT_SQL} WHERE source = 'file' AND path IN (:paths)"
_BELOW_SQL = f"""{SELECT_SQL}
WHERE source = 'file' AND (path = :place OR path > :after AND path < :end)"""
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
# One statement, so that the chunks and the tail are of one moment.
_PARTS_SQL = """
SELECT c.text, c.gap, c.start_char, c.end_char, c.ordinal AS part
FROM files AS f JOIN chunks AS c
    ON c.owner_id = f.id AND c.source = f.source AND c.generation = f.generation
WHERE f.id = :id
UNION ALL SELECT '', f.tail, 0, 0, 4611686018427387904 FROM files AS f WHERE f.id = :id
ORDER BY part
"""

_LOADERS_SQL = "SELECT min(path) FROM files WHERE loader <> '' GROUP BY loader"

READ_AT_ONCE = 500
"""Rows that are read together by readers of all rows."""


class DocumentStore:
    """The documents of a database; with `staged_chunks` the only code that knows their tables."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._database = storage.database

    def get(self, document_id: str) -> Document | None:
        return self._first("WHERE id = :key", {"key": document_id})

    def at_path(self, path: str) -> Document | None:
        return self._first("WHERE path = :key", {"key": path})

    def _first(self, condition: str, parameters: Mapping[str, Any]) -> Document | None:
        return next(iter(self._read(f"{SELECT_SQL} {condition}", parameters)), None)

    def _read(self, sql: str, parameters: Parameters | None = None) -> list[Document]:
        return [document_of(row) for row in self._database.read(sql, parameters)]

    def below(self, paths: Iterable[str]) -> dict[str, Document]:
        """Return the files at or below these paths, by path."""
        found: dict[str, Document] = {}
        with self._database.snapshot():
            for place in (path.rstrip("/") for path in paths):
                after, end = _within(place)
                values = {"place": place, "after": after, "end": end}
                found |= _by_path(self._read(_BELOW_SQL, values))
        return found

    def at_paths(self, paths: Iterable[str]) -> dict[str, Document]:
        """Return the files at exactly these paths, by path."""
        return _by_path(self._read(_AT_PATHS_SQL, {"paths": list(paths)}))

    def paths_beginning_with(self, prefix: str, *, limit: int) -> list[str]:
        """Return the first paths of files that begin with these characters, in order."""
        sql = """SELECT path FROM files WHERE path >= :prefix AND path < :end AND source = 'file'
            ORDER BY path LIMIT :limit"""
        values = {"prefix": prefix, "end": f"{prefix}\U0010ffff", "limit": limit}
        return [row[0] for row in self._database.read(sql, values)]

    def with_content(self, content: str) -> list[Document]:
        """Return the files with this hash."""
        sql = f"{SELECT_SQL} WHERE hash = :hash AND source = 'file' ORDER BY path"
        return self._read(sql, {"hash": content})

    def all_below(self, paths: Iterable[str]) -> Iterator[Document]:
        """Yield the files as `below` does, in the order of their paths and never all in memory.

        The yielded ones may be removed before the next is asked for.
        """
        sql = f"{SELECT_SQL} WHERE path > :after AND path < :end ORDER BY path LIMIT :limit"
        for place in paths:
            yield from self.at_paths([place]).values()
            after, end = _within(place)
            while True:
                values = {"after": after, "end": end, "limit": READ_AT_ONCE}
                page = self._read(sql, values)
                yield from page
                if len(page) < READ_AT_ONCE:
                    break
                after = page[-1].path

    def count_below(self, paths: Iterable[str]) -> int:
        """Count the files at or below these paths, none of which is inside another."""
        sql = """SELECT count(*) FROM files
            WHERE path = :place OR path > :after AND path < :end"""
        number = 0
        for place in paths:
            after, end = _within(place)
            values = {"place": place, "after": after, "end": end}
            number += int(self._database.read(sql, values)[0][0])
        return number

    def page(
        self,
        *,
        source: str | None,
        path: str | None,
        after: str,
        limit: int,
        only_problems: bool = False,
        tags: Sequence[str] = (),
    ) -> list[Document]:
        """Return up to `limit` documents in the order of their paths, from the first path past
        `after`; only those that have all of `tags`.
        """
        tagged = " AND ".join(f"list_holds(tags, :tag{number})" for number in range(len(tags)))
        sql = f"""{SELECT_SQL} WHERE path > :after
            AND (:source IS NULL OR source = :source)
            AND (NOT :only_problems OR state IN ('failed', 'skipped'))
            AND (:path IS NULL OR path = :path
                OR substr(path, 1, length(rtrim(:path, '/')) + 1) = rtrim(:path, '/') || '/')
            AND {tagged or "1 = 1"}
            ORDER BY path LIMIT :limit"""
        values = {"after": after, "source": source, "path": path, "limit": limit}
        values |= {f"tag{number}": tag for number, tag in enumerate(tags)}
        return self._read(sql, {**values, "only_problems": only_problems})

    def all_of(self, source: str | None = None) -> Iterator[Document]:
        """Yield every document of a source, or of all, by path and never all in memory."""
        after = ""
        while page := self.page(source=source, path=None, after=after, limit=READ_AT_ONCE):
            yield from page
            after = page[-1].path

    def extent(self, *, after: str) -> tuple[int, int]:
        """Return the number of documents with a path past `after`, and their bytes."""
        sql = "SELECT count(*), coalesce(sum(size), 0) FROM files WHERE path > :after"
        ((number, n_bytes),) = self._database.read(sql, {"after": after})
        return int(number), int(n_bytes)

    def problems(self, *, limit: int) -> list[Document]:
        """Return documents that failed or were skipped, in the order of their paths."""
        sql = f"{SELECT_SQL} WHERE state IN ('failed', 'skipped') ORDER BY path LIMIT :limit"
        return self._read(sql, {"limit": limit})

    def path_by_loader(self) -> list[str]:
        """Return one file for each loader that has read any."""
        return [row[0] for row in self._database.read(_LOADERS_SQL)]

    def unserved_texts(self) -> list[Document]:
        """Return ingested texts chunked by settings for which there is no space."""
        sql = f"""{SELECT_SQL} WHERE source = 'text'
            AND generation NOT IN (SELECT generation FROM spaces) ORDER BY path"""
        return self._read(sql)

    def counts(self) -> dict[str, int]:
        """Count the files in each state, without ingested texts."""
        sql = "SELECT state, count(*) FROM files WHERE source = 'file' GROUP BY state"
        return dict(self._database.read(sql))

    def chunk_uids(self, documents: Iterable[Document]) -> dict[str, set[str]]:
        """Return the uids of the chunks that these documents have in their generations, by the id
        of the document.
        """
        sql = """SELECT owner_id, generation, uid FROM chunks
            WHERE owner_id IN (:ids) AND source IN ('file', 'text')"""
        wanted = {document.id: document.generation for document in documents}
        found: dict[str, set[str]] = {}
        for owner_id, generation, uid in self._database.read(sql, {"ids": list(wanted)}):
            if generation == wanted[owner_id]:
                found.setdefault(owner_id, set()).add(uid)
        return found

    def chunk_counts(self, document_ids: Iterable[str]) -> dict[str, int]:
        """Count the chunks of each of these documents that can answer."""
        sql = """SELECT f.id, count(*) FROM files AS f JOIN chunks AS c
            ON c.owner_id = f.id AND c.source = f.source AND c.generation = f.generation
            WHERE f.id IN (:ids) GROUP BY f.id"""
        return dict(self._database.read(sql, {"ids": list(document_ids)}))

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

    def text(self, document: Document) -> str:
        """Return the indexed text, character by character as it was read."""
        whole: list[str] = []
        end = 0
        for text, gap, start, stop, _ in self._database.read(_PARTS_SQL, {"id": document.id}):
            whole += (gap, text[max(0, end - start) :])
            end = max(end, stop)
        return "".join(whole)

    def layout(self, document: Document) -> str:
        """Return the layout of the indexed text, as `ingest.layout_of` wrote it."""
        sql = "SELECT layout FROM files WHERE id = :id"
        return "".join(row[0] for row in self._database.read(sql, {"id": document.id}))

    def loaded(self, document: Document) -> "LoadedText":
        """Return the indexed text as its loader gave it."""
        from ingest import reloaded

        return reloaded(self.text(document), document.path, self.layout(document))


def _by_path(documents: Iterable[Document]) -> dict[str, Document]:
    return {document.path: document for document in documents}


def _within(place: str) -> tuple[str, str]:
    """Return bounds around all paths below a place, both excluded: "0" follows "/"."""
    folder = place.rstrip("/")
    return f"{folder}/", f"{folder}0"


def _row_values(document: Document) -> dict[str, Any]:
    return {
        **{name: getattr(document, name) for name in _COLUMNS},
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


def document_of(row: Sequence[Any]) -> Document:
    """Return the document of a row that `SELECT_SQL` gives."""
    values = dict(zip(_COLUMNS, row, strict=True))
    # Most rows have neither, and a sync reads the rows of all files.
    values["tags"] = () if values["tags"] == "[]" else read_list(values["tags"])
    values["metadata"] = {} if values["metadata"] == "{}" else read_object(values["metadata"])
    return Document(**values)


def documents_of(workspace: Workspace) -> DocumentStore:
    """Return the document store of a workspace."""
    return workspace.component(DocumentStore, lambda: DocumentStore(workspace.storage))
