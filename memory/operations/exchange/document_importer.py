"""Storing of imported documents: unchanged where they fit, else chunked and embedded again."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from ingest import reloaded
from memory.index.document_store import documents_of
from memory.index.documents import Document, new_document_id
from memory.index.indexing import Indexer
from memory.index.indexing_settings import current_indexing_settings
from memory.index.preparation import PreparedDocument
from memory.operations.exchange.lines import new_chunk
from memory.operations.exchange.reports import ImportReport
from memory.storage import NewChunk, Space, Transaction
from memory.storage.vectors import from_float16
from memory.workspace import Workspace


@dataclass(slots=True)
class Incoming:
    """A document and the lines of it read so far."""

    line: int
    document: Document
    chunks_expected: int
    chunks: list[NewChunk] = field(default_factory=list)
    vectors: dict[bytes, bytes] = field(default_factory=dict)
    seen: dict[bytes, int] = field(default_factory=dict)
    replaces: bool = False

    def occurrence(self, content: bytes) -> int:
        """Return the number of earlier chunks with this content."""
        self.seen[content] = self.seen.get(content, -1) + 1
        return self.seen[content]

    @property
    def text(self) -> str:
        """Return the text that the chunks were cut from."""
        whole: list[str] = []
        end = 0
        for chunk in self.chunks:
            start, stop = chunk.start_char or 0, chunk.end_char or 0
            whole += (chunk.gap, chunk.text[max(0, end - start) :])
            end = max(end, stop)
        return "".join((*whole, self.document.tail))


class DocumentImporter:
    """Stores documents in one database, and counts the outcomes in `report`.

    `space` is the database's if the chunks and vectors of the export are of the same, else None.
    """

    def __init__(self, workspace: Workspace, report: ImportReport, space: Space | None) -> None:
        self._workspace = workspace
        self._storage = workspace.storage
        self._documents = documents_of(workspace)
        self._report = report
        self._space = space

    def put(self, documents: Sequence[Incoming]) -> None:
        """Store these documents, unless the database has newer versions."""
        wanted = [item for item in map(self._placed, documents) if item is not None]
        whole = [item for item in wanted if self._is_whole(item)]
        with self._storage.database.transaction() as tx:
            for item in whole:
                self._write(tx, item)
        self._index([item for item in wanted if not self._is_whole(item)])
        with self._storage.database.transaction() as tx:
            for item in wanted:
                self._write_details(tx, item)
        self._documents.renew_linked_notes()

    def _placed(self, incoming: Incoming) -> Incoming | None:
        """Return the document under its id in this database; None when it is not needed."""
        document = incoming.document
        known = self._documents.at_path(document.path)
        if known is None:
            self._report.added += 1
            if self._documents.get(document.id) is None:
                return incoming
            return self._renamed(incoming, new_document_id())
        if known.hash == document.hash and known.state == document.state:
            self._describe(known, document)
            return None
        if known.hash and known.mtime_ns >= document.mtime_ns:
            self._report.older += 1
            return None
        self._report.updated += 1
        if known.id != document.id:
            incoming = self._renamed(incoming, known.id)
        incoming.replaces = True
        return incoming

    def _describe(self, known: Document, document: Document) -> None:
        """Take the tags and metadata of an unchanged document if they were set later."""
        same = (known.tags, known.metadata) == (document.tags, document.metadata)
        if same or known.updated_at >= document.updated_at:
            self._report.unchanged += 1
            return
        with self._storage.database.transaction() as tx:
            self._documents.describe(tx, known, metadata=document.metadata, tags=document.tags)
        self._report.updated += 1

    def _renamed(self, incoming: Incoming, document_id: str) -> Incoming:
        """Return it with another id, from which the ids of its chunks are derived."""
        document = replace(incoming.document, id=document_id)
        fresh = Incoming(incoming.line, document, incoming.chunks_expected)
        names = NewChunk._fields
        for chunk in incoming.chunks:
            values = {name: getattr(chunk, name) for name in names}
            given = {name: values[name] for name in values if name not in _MADE}
            fresh.chunks.append(new_chunk(document, given, fresh.occurrence))
        fresh.vectors = incoming.vectors
        return fresh

    def _is_whole(self, item: Incoming) -> bool:
        """Return whether its chunks fit this database's space and have all their vectors."""
        if not item.chunks:
            return True
        return (
            self._space is not None
            and item.document.generation == self._space.generation
            and all(chunk.hash in item.vectors for chunk in item.chunks)
        )

    def _write(self, tx: Transaction, item: Incoming) -> None:
        vectors = from_float16(item.vectors)
        if item.chunks:
            document = item.document
            if document.is_note:
                note = reloaded(item.text, document.path, document.layout).note
                document = replace(document, note=note)
            added = self._documents.write(tx, document, item.chunks).added
            if self._space is not None:
                self._documents.put_vectors(tx, self._space, added, vectors=vectors)
            self._report.chunks += len(added)
            self._report.vectors += len(added)
        else:
            self._documents.save(tx, item.document)

    def _write_details(self, tx: Transaction, item: Incoming) -> None:
        """Write the fields of a stored document that storing does not accept."""
        document = item.document
        if item.replaces:
            self._documents.describe(tx, document, metadata=document.metadata, tags=document.tags)
        self._documents.keep_dates(tx, document)

    def _index(self, items: list[Incoming]) -> None:
        """Store documents that must be chunked or embedded here."""
        if not items:
            return
        indexer = Indexer(
            self._storage,
            partial(current_indexing_settings, self._workspace),
            cache_bytes=self._workspace.config.embeddings.cache_bytes,
        )
        for item in items:
            loaded = reloaded(item.text, item.document.path, item.document.layout)
            if item.document.generation == indexer.generation:
                document = replace(item.document, note=loaded.note)
                indexer.take(PreparedDocument(document, item.chunks, loaded))
            else:
                indexer.add(item.document, loaded)
        indexer.flush()
        counts = indexer.counts
        self._report.chunks += counts.chunks
        self._report.embedded += counts.embedded
        for warning in counts.all_warnings():
            if warning not in self._report.warnings:
                self._report.warnings.append(warning)


_MADE = frozenset({"uid", "hash", "fields", "tags", "session_id", "metadata"})
"""Fields that `new_chunk` computes itself, or that a document's chunks do not have."""
