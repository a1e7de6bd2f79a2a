"""Records of what a sync found for each file, written in large transactions and counted."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from ingest import FileEntry, SkippedFile
from memory.index.document_store import DocumentStore
from memory.index.documents import Document
from memory.storage import Storage, Transaction
from memory.values.reports import FileProblem, SyncStats

RETRIED_REASONS = frozenset({"changing", "undecodable", "unreadable", "vanished"})
"""Reasons that may pass without a change of the file: such files failed, others are skipped."""

WRITE_BATCH = 200
"""Documents touched, renamed, refused or removed in one transaction."""


class SyncRecords:
    """Pending records, written by `flush`; a dry run counts and writes nothing."""

    def __init__(
        self, storage: Storage, stats: SyncStats, loader_of: Callable[[SkippedFile], str]
    ) -> None:
        """`loader_of` returns the loader to store for a file that is skipped."""
        self._storage = storage
        self._documents = DocumentStore(storage)
        self._stats = stats
        self._loader_of = loader_of
        self._waiting: list[Callable[[Transaction], object]] = []

    def write(self, action: Callable[[Transaction], object]) -> None:
        """Run one transaction."""
        if self._stats.dry_run:
            return
        with self._storage.database.transaction() as tx:
            action(tx)

    def flush(self) -> None:
        """Write the pending records."""
        waiting, self._waiting = self._waiting, []

        def write(tx: Transaction) -> None:
            for action in waiting:
                action(tx)

        if waiting:
            self.write(write)

    def _defer(self, action: Callable[[Transaction], object]) -> None:
        """Queue the write of one document."""
        self._waiting.append(action)
        if len(self._waiting) >= WRITE_BATCH:
            self.flush()

    def touch(self, document: Document) -> None:
        """Record the same bytes with another time."""
        self._defer(lambda tx: self._documents.touch(tx, document))
        self._stats.unchanged += 1

    def rename(self, old: Document, fresh: Document) -> None:
        """Record the same bytes under another path: id, chunks and vectors stay."""
        moved = replace(old, path=fresh.path, mtime_ns=fresh.mtime_ns, state="indexed", reason=None)

        def move(tx: Transaction) -> None:
            self._documents.remove(tx, fresh)
            self._documents.rename(tx, moved)

        self._defer(move)
        self._stats.renamed += 1

    def refuse(self, refused: SkippedFile, known: Document, entry: FileEntry | None = None) -> None:
        """Record a file that cannot be indexed; a failed file keeps its indexed text."""
        reason = f"{refused.reason}: {refused.detail}" if refused.detail else refused.reason
        document = replace(
            known,
            reason=reason,
            size=entry.size_bytes if entry else known.size,
            mtime_ns=entry.mtime_ns if entry else known.mtime_ns,
        )
        if refused.reason in RETRIED_REASONS:
            document = replace(document, state="failed")
        else:
            loader = self._loader_of(refused)
            document = replace(document, state="skipped", hash="", loader=loader)

        self.count_problem(document)
        if entry is None and document == known:
            return

        def record(tx: Transaction) -> None:
            self._documents.save(tx, document)
            if document.state == "skipped":
                self._documents.drop_chunks(tx, document)

        self._defer(record)

    def count_problem(self, document: Document) -> None:
        """Add a file that failed or is skipped to the report."""
        if document.state == "failed":
            self._stats.failed += 1
        else:
            self._stats.skipped += 1
        problem = FileProblem(document.path, document.state, document.reason or "")
        self._stats.errors.append(problem)

    def remove(self, document: Document) -> None:
        """Remove a file that is gone; its cached vectors stay, since a branch switch may restore
        it.
        """
        self._defer(partial(self._documents.remove, document=document, keep_cached=True))
        # An unreadable folder was listed as a failed file; it does not count as deleted.
        self._stats.deleted += bool(document.hash) or not Path(document.path).is_dir()
