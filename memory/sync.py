"""Brings the index in step with the files on disk.

Every file is stored whole or not at all, so that a sync can be interrupted anywhere: what is done
stays done, and the next sync finds the rest by the same comparison.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Literal

from ingest import FileEntry, LoadLimits, ScanRules, SkippedFile, loader_id, printable, read_bytes
from memory.absence import (
    LOST,
    Seen,
    absences,
    file_systems,
    keep_absent,
    present_and_lost,
    remembered,
    report,
)
from memory.document_store import DocumentStore
from memory.documents import Document
from memory.indexing import Indexer, IndexingCounts, Recipe
from memory.keyword_removal import remove_idle_keywords
from memory.keyword_renewal import renew_keywords
from memory.meta import FILE_SYSTEMS, LAST_SYNC, VECTORS_MISSING, read_meta, write_meta
from memory.preparing import Prepared, Preparing, bytes_hash
from memory.readers import FileToRead, Readers
from memory.refusals import forget_refusals
from memory.reports import FileProblem, SyncProgress, SyncStats
from memory.storage import Storage, Transaction, utc_now
from memory.sync_plan import Reading, SyncPlan, folders_above, plan_sync

RETRIED_REASONS = frozenset({"changing", "undecodable", "unreadable", "vanished"})
"""Reasons that may pass without the file changing: such files failed, all others are skipped."""

COMPACT_FROM_SHARE = 0.2
"""New chunks in a larger share than this leave the database in parts that are put together."""

WRITE_BATCH = 200
"""Documents touched, renamed, refused or removed in one transaction."""

CHANGES_KEPT = 10_000
"""Entries of the change log kept after a sync; an index derived before them is built anew."""

ProgressCallback = Callable[[SyncProgress], None]


@dataclass(frozen=True, slots=True)
class SyncSettings:
    """How files are read; without `embeds` chunks are stored by their words alone."""

    rules: ScanRules
    limits: LoadLimits
    workers: int | Literal["auto"]
    cache_bytes: int = 0
    embeds: bool = True


class Synchroniser:
    """One sync of one database; made for a single run."""

    def __init__(
        self,
        storage: Storage,
        recipe: Callable[[], Recipe],
        settings: SyncSettings,
        *,
        dry_run: bool = False,
        progress: ProgressCallback | None = None,
    ) -> None:
        self._storage = storage
        self._documents = DocumentStore(storage)
        self._settings = settings
        self._indexer = Indexer(storage, recipe, cache_bytes=settings.cache_bytes, dry_run=dry_run)
        if not settings.embeds:
            self._indexer.leave_vectors()
        self._reading = Reading(self._indexer.generation, settings.limits)
        self._progress = progress
        self._stats = SyncStats(dry_run=dry_run)
        self._waiting: list[Callable[[Transaction], object]] = []

    @property
    def counts(self) -> IndexingCounts:
        """What was stored, or would be, in chunks and vectors."""
        return self._indexer.counts

    def run(
        self, roots: Sequence[Path], *, only: Sequence[str] | None = None, force: bool = False
    ) -> SyncStats:
        """Index what is new or changed below the roots, and remove what is gone from there.

        `only` narrows that to what lies at or below these paths, real ones or what is left of them,
        under the rules that hold there from the root down. `force` also asks the embedding provider
        again for what it has refused.
        """
        started = time.monotonic()
        plan = self._plan(roots, only, force=force)
        self._stats.unchanged = plan.unchanged
        for document in plan.still_skipped:
            self._count_problem(document)
        self._write(lambda tx: self._documents.mark_pending(tx, [item for _, item in plan.work]))
        for refused, document in plan.refused:
            self._refuse(refused, document)
        if force:
            self._write(self._ask_again)
        self._index(plan, force=force)
        self._remove(plan.missing.values())
        self._finish()
        self._stats.seconds = round(time.monotonic() - started, 3)
        return self._stats

    def _plan(self, roots: Sequence[Path], only: Sequence[str] | None, *, force: bool) -> SyncPlan:
        """What is to be done; what is known of disks that are not there stays out of it."""
        present, lost = present_and_lost(roots)
        known = self._known(present, only)
        before = file_systems(present)
        plan = plan_sync(
            present,
            self._settings.rules,
            known,
            reading=self._reading,
            force=force,
            only=only,
        )
        after = file_systems(present)
        then: Seen = read_meta(self._storage.database, FILE_SYSTEMS) or {}
        known_then = {root: then.get(root, before[root]) for root in before}
        absent = keep_absent(plan, known, absences(known_then, [before, after]))
        for root in lost:
            report(plan, printable(str(root)), LOST, self._documents.at_path(printable(str(root))))
        now = remembered({**then, **known_then}, after, absent)
        if only is None and now != then:
            self._write(lambda tx: write_meta(tx, FILE_SYSTEMS, now))
        return plan

    def _known(self, roots: Sequence[Path], only: Sequence[str] | None) -> dict[str, Document]:
        if only is None:
            return self._documents.below([str(root) for root in roots])
        above = self._documents.at_paths(folders_above(only))
        return above | self._documents.below(map(printable, only))

    def _ask_again(self, tx: Transaction) -> None:
        active = self._storage.active_space()
        if active is not None and forget_refusals(tx, active):
            write_meta(tx, VECTORS_MISSING, True)

    def _write(self, action: Callable[[Transaction], None]) -> None:
        """Run one transaction, unless nothing is to be written."""
        if self._stats.dry_run:
            return
        with self._storage.database.transaction() as tx:
            action(tx)

    def _soon(self, action: Callable[[Transaction], object]) -> None:
        """Write one document, together with others."""
        self._waiting.append(action)
        if len(self._waiting) >= WRITE_BATCH:
            self._write_waiting()

    def _write_waiting(self) -> None:
        waiting, self._waiting = self._waiting, []

        def write(tx: Transaction) -> None:
            for action in waiting:
                action(tx)

        if waiting:
            self._write(write)

    def _index(self, plan: SyncPlan, *, force: bool) -> None:
        bytes_total = sum(entry.size_bytes for entry, _ in plan.work)
        bytes_done = 0
        with Readers(self._preparing, workers=self._settings.workers) as readers:
            readers.expect(bytes_total)
            for files_done, (entry, document) in enumerate(plan.work):
                self._report(files_done, len(plan.work), bytes_done, bytes_total)
                self._index_file(entry, document, plan=plan, readers=readers, force=force)
                bytes_done += entry.size_bytes
            for file, result in readers.rest():
                self._take(file, result)
        self._indexer.flush()
        self._write_waiting()
        self._report(len(plan.work), len(plan.work), bytes_total, bytes_total)

    def _preparing(self) -> Preparing:
        return Preparing(
            self._settings.rules.max_size_bytes,
            self._settings.limits,
            self._indexer.chunking,
            self._indexer.generation,
        )

    def _report(self, files_done: int, files_total: int, bytes_done: int, bytes_total: int) -> None:
        if self._progress is not None:
            chunks = self._indexer.counts.chunks
            self._progress(SyncProgress(files_done, files_total, bytes_done, bytes_total, chunks))

    def _index_file(
        self, entry: FileEntry, known: Document, *, plan: SyncPlan, readers: Readers, force: bool
    ) -> None:
        data = read_bytes(
            entry.path,
            max_size_bytes=self._settings.rules.max_size_bytes,
            follow_links=False,
        )
        if isinstance(data, SkippedFile):
            self._refuse(data, known, entry)
            return
        fresh = replace(
            known,
            hash=bytes_hash(data),
            size=entry.size_bytes,
            mtime_ns=entry.mtime_ns,
            state="indexed",
            reason=None,
            loader=loader_id(entry.path),
        )
        if fresh.hash == known.hash and self._is_cut_now(known) and not force:
            same = replace(fresh, loader=known.loader)
            self._soon(lambda tx: self._documents.touch(tx, same))
            self._stats.unchanged += 1
            return
        old = None if known.hash else plan.take_missing(fresh, self._reading.generation)
        if old is not None:
            self._rename(old, fresh)
            return
        for file, result in readers.add(FileToRead(entry, known, fresh), data):
            self._take(file, result)

    def _take(self, file: FileToRead, result: Prepared | SkippedFile) -> None:
        if isinstance(result, SkippedFile):
            self._refuse(result, file.known, file.entry)
            return
        if file.known.hash:
            self._stats.updated += 1
        else:
            self._stats.added += 1
        self._indexer.take(result)

    def _is_cut_now(self, known: Document) -> bool:
        return known.generation == self._reading.generation and self._reading.holds(known)

    def _rename(self, old: Document, fresh: Document) -> None:
        """The same bytes under another path: id, chunks and vectors stay."""
        moved = replace(old, path=fresh.path, mtime_ns=fresh.mtime_ns, state="indexed", reason=None)

        def move(tx: Transaction) -> None:
            self._documents.remove(tx, fresh)
            self._documents.rename(tx, moved)

        self._soon(move)
        self._stats.renamed += 1

    def _refuse(
        self, refused: SkippedFile, known: Document, entry: FileEntry | None = None
    ) -> None:
        """Record a file that cannot be indexed; what was indexed of one that failed stays."""
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
            loader = self._reading.refused_by(refused)
            document = replace(document, state="skipped", hash="", loader=loader)

        self._count_problem(document)
        if entry is None and document == known:
            return

        def record(tx: Transaction) -> None:
            self._documents.save(tx, document)
            if document.state == "skipped":
                self._documents.drop_chunks(tx, document)

        self._soon(record)

    def _count_problem(self, document: Document) -> None:
        if document.state == "failed":
            self._stats.failed += 1
        else:
            self._stats.skipped += 1
        problem = FileProblem(document.path, document.state, document.reason or "")
        self._stats.errors.append(problem)

    def _remove(self, missing: Iterable[Document]) -> None:
        for document in missing:
            # A file that is gone may come back, with the branch it is of.
            self._soon(partial(self._documents.remove, document=document, keep_cached=True))
            # A folder that could not be read was listed as one that failed; no file went with it.
            self._stats.deleted += bool(document.hash) or not Path(document.path).is_dir()
        self._write_waiting()

    def _finish(self) -> None:
        self._indexer.complete_vectors()
        if not self._stats.dry_run:
            renew_keywords(self._storage, self._progress)
            # What a reindex has left that was killed after its swap.
            remove_idle_keywords(self._storage, ["retired"])

        def close(tx: Transaction) -> None:
            write_meta(tx, LAST_SYNC, utc_now())
            self._storage.trim_changes(tx, keep=CHANGES_KEPT)

        self._write(close)
        counts = self._indexer.counts
        new_chunks = 0 if self._stats.dry_run else counts.chunks
        if new_chunks > COMPACT_FROM_SHARE * self._storage.count_chunks():
            self._storage.compact()
        self._stats.chunks, self._stats.warnings = counts.chunks, counts.all_warnings()
        self._stats.embedded, self._stats.cached = counts.embedded, counts.cached
        self._stats.refused = counts.refused
