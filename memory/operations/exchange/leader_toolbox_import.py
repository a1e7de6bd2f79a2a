"""Import of the entries of a Leader-Toolbox store as texts."""

import json
import time
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from contracts import InputError
from ingest import LoadedText, chunk
from memory.files.ingestion import text_document
from memory.index.configuration_warnings import configuration_warnings
from memory.index.document_store import documents_of
from memory.index.documents import Document, embedded_text
from memory.index.indexing import Indexer
from memory.index.indexing_settings import current_indexing_settings
from memory.operations.exchange.leader_toolbox import ToolboxEntry, ToolboxStore, read_store
from memory.operations.exchange.reports import BadLine, ImportCallback, ImportReport
from memory.storage import Space, content_hash
from memory.storage.vectors import cosine, normalised, stored_vectors
from memory.values.record_fields import clean
from memory.workspace import Workspace

if TYPE_CHECKING:
    from providers import Rows

SAMPLE = 8
"""Texts that are embedded to test whether the vectors are of the same model."""

SAME_FROM = 0.99
"""The least cosine of a stored vector with one of the same model, allowing for rounding."""

ENTRIES_AT_ONCE = 500


def import_store(
    workspace: Workspace,
    path: Path,
    *,
    strict: bool = False,
    progress: ImportCallback | None = None,
) -> ImportReport:
    """Index every entry of a store as a text with its metadata, tags and time.

    Its vectors are kept if the database's model gives the same for a sample of the texts; else all
    are embedded again, and the report says so. The same store again changes nothing. Raises what
    `read_store` does, InputError for the first entry without a text when `strict`, BusyError while
    a sync is running.
    """
    started = time.monotonic()
    store = read_store(path)
    report = ImportReport()
    with workspace.sync_lock():
        taker = _EntryImporter(workspace, store, report, strict=strict)
        for start in range(0, len(store.entries), ENTRIES_AT_ONCE):
            taker.take(store.entries[start : start + ENTRIES_AT_ONCE])
            if progress is not None:
                progress(min(start + ENTRIES_AT_ONCE, len(store.entries)), len(store.entries))
    report.seconds = round(time.monotonic() - started, 3)
    report.warnings.extend(configuration_warnings(workspace))
    return report


class _EntryImporter:
    """Indexes entries, a few hundred at a time."""

    def __init__(
        self, workspace: Workspace, store: ToolboxStore, report: ImportReport, *, strict: bool
    ) -> None:
        self._workspace = workspace
        self._store = store
        self._report = report
        self._strict = strict
        self._settings = current_indexing_settings(workspace)
        self._cache_bytes = workspace.config.embeddings.cache_bytes
        self._vectors = store.vectors
        note = store.note if store.vectors is None else self._unusable(store.vectors)
        if note is not None:
            self._vectors = None
            report.warnings.append(f"all texts are embedded again: {note}")

    def take(self, entries: list[ToolboxEntry]) -> None:
        pairs = [(entry, self._document(entry)) for entry in entries]
        known = [(entry, document) for entry, document in pairs if document is not None]
        if self._vectors is not None:
            self._offer(known, self._vectors)
        indexer = Indexer(
            self._workspace.storage,
            partial(current_indexing_settings, self._workspace),
            cache_bytes=self._cache_bytes,
        )
        for entry, document in known:
            is_here = documents_of(self._workspace).get(document.id) is not None
            self._report.unchanged += is_here
            self._report.added += not is_here
            indexer.add(document, LoadedText(clean(entry.text or ""), "text", "utf-8"))
        indexer.flush()
        counts = indexer.counts
        self._report.chunks += counts.chunks
        self._report.embedded += counts.embedded
        self._report.vectors += counts.cached
        new = [line for line in counts.all_warnings() if line not in self._report.warnings]
        self._report.warnings.extend(new)

    def _document(self, entry: ToolboxEntry) -> Document | None:
        try:
            if entry.text is None:
                raise InputError("it has no text", hint="give each entry a text")
            return text_document(
                self._workspace, entry.text, metadata=entry.metadata, tags=entry.tags
            )
        except InputError as error:
            if self._strict:
                raise InputError(
                    f"entry {entry.number}: {error.message}", hint=error.hint
                ) from error
            self._report.failed += 1
            self._report.errors.append(BadLine(entry.number, error.message))
            return None

    def _offer(self, known: list[tuple[ToolboxEntry, Document]], vectors: "Rows") -> None:
        """Put the vectors of texts with one chunk into the embedding cache."""
        chunking, space = self._settings.chunking, self._space
        contents: dict[bytes, int] = {}
        for entry, document in known:
            pieces = chunk(LoadedText(clean(entry.text or ""), "text", "utf-8"), chunking)
            if len(pieces) == 1 and not document.title:
                contents[content_hash(embedded_text("", pieces[0].text))] = entry.number - 1
        rows = stored_vectors([vectors[at] for at in contents.values()])
        stored = {
            content: row.v for content, row in zip(contents, rows, strict=True) if row is not None
        }
        storage = self._workspace.storage
        with storage.database.transaction() as tx:
            storage.cache.put(tx, space, stored, kind="document", most_bytes=self._cache_bytes)

    @property
    def _space(self) -> Space:
        settings = self._settings
        if settings.space is not None:
            return settings.space
        chunking = json.dumps(asdict(settings.chunking))
        return settings.embedder.space(generation=settings.generation, chunking=chunking)

    def _unusable(self, vectors: "Rows") -> str | None:
        """Return why the vectors are not those of the database's model, or None."""
        card = self._settings.embedder.card
        width = len(vectors[0]) if len(vectors) else card.dimensions
        if width != card.dimensions:
            return (
                f"the embeddings have {width} dimensions, those of {card.model} {card.dimensions}"
            )
        if not self._cache_bytes:
            return "memory.embeddings.cache_embeddings is off"
        most = self._settings.chunking.size_chars
        short = [e for e in self._store.entries if e.text and len(e.text) <= most]
        sample = short[:: max(1, len(short) // SAMPLE)][:SAMPLE]
        fresh = self._settings.embedder.embedded_again([entry.text or "" for entry in sample])
        for entry, row in zip(sample, fresh, strict=True):
            vector = normalised(vectors[entry.number - 1])
            if row is not None and (vector is None or cosine(vector, row.v) < SAME_FROM):
                return f"the embeddings are not those of {card.model}"
        return None
