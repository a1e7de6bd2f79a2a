"""The sync of the index with the files on disk.

Every file is stored whole or not at all, so a sync can be interrupted anywhere: what is done stays
done, and the next sync finds the rest by the same comparison.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from ingest import FileEntry, LoadLimits, ScanRules, SkippedFile, loader_id, read_bytes
from memory.files.mounts import Mounts
from memory.files.parallel_reading import FileToRead, KeptWorkers, ParallelReader
from memory.files.problem_hints import count_reasons
from memory.files.sync_plan import ComparedBatch, LoadSettings, ScanComparison, ScanScope
from memory.files.sync_records import WRITE_BATCH, SyncRecords
from memory.files.work_queue import WorkQueue
from memory.index.document_store import DocumentStore
from memory.index.documents import Document
from memory.index.embedding.refusals import forget_refusals
from memory.index.indexing import Indexer
from memory.index.indexing_counts import IndexingCounts
from memory.index.indexing_settings import IndexingSettings
from memory.index.keyword_entries.removal import remove_idle_keywords
from memory.index.keyword_entries.renewal import renew_keywords
from memory.index.preparation import PreparedDocument, PrepareSettings, bytes_hash
from memory.index.spaces.vector_index import index_vectors
from memory.storage import Storage, Transaction, utc_now
from memory.storage.meta import LAST_SYNC, VECTORS_MISSING, write_meta
from memory.storage.values import CHANGES_KEPT
from memory.values.reports import SyncProgress, SyncStats

COMPACT_FROM_SHARE = 0.2
"""Share of new chunks above which the keyword index is compacted after a sync."""

WORKED_AT_ONCE = 50
"""Files that are processed before the scan continues by FOUND_AT_ONCE."""


SCAN_TOLD_S = 0.1
"""Seconds after which a scan that found nothing reports its progress again."""


ProgressCallback = Callable[[SyncProgress], None]


@dataclass(frozen=True, slots=True)
class SyncSettings:
    """Settings for reading files; without `embeds` chunks are stored without vectors."""

    rules: ScanRules
    limits: LoadLimits
    workers: int | Literal["auto"]
    cache_bytes: int = 0
    embeds: bool = True
    kept: KeptWorkers | None = None


class Synchroniser:
    """One sync of one database; made for a single run."""

    def __init__(
        self,
        storage: Storage,
        indexing_settings: Callable[[], IndexingSettings],
        settings: SyncSettings,
        *,
        dry_run: bool = False,
        progress: ProgressCallback | None = None,
    ) -> None:
        self._storage = storage
        self._documents = DocumentStore(storage)
        self._settings = replace(
            settings, rules=replace(settings.rules, checkpoint=self._go_on_scanning)
        )
        self._indexer = Indexer(
            storage, indexing_settings, cache_bytes=settings.cache_bytes, dry_run=dry_run
        )
        if not settings.embeds:
            self._indexer.skip_vectors()
        self._load_settings = LoadSettings(self._indexer.generation, settings.limits)
        self._progress = progress
        self._told = SyncProgress(0, 0, 0, 0, 0)
        self._tell_next_s = 0.0
        self._stats = SyncStats(dry_run=dry_run)
        self._records = SyncRecords(storage, self._stats, self._load_settings.refused_by)

    def _reader(self) -> ParallelReader:
        settings = self._settings
        return ParallelReader(self._prepare_settings, workers=settings.workers, kept=settings.kept)

    @property
    def counts(self) -> IndexingCounts:
        """Counts of chunks and vectors that were stored, or would be."""
        return self._indexer.counts

    def run(
        self, roots: Sequence[Path], *, only: Sequence[str] | None = None, force: bool = False
    ) -> SyncStats:
        """Index what is new or changed below the roots, and remove what is gone from there.

        `only` limits that to what is at or below these paths, real ones or what is left of them,
        under the rules from the root down. `force` also asks the embedding provider again for what
        it has refused.
        """
        started = time.monotonic()
        self._tell_next_s = started + SCAN_TOLD_S
        disks = Mounts(self._storage.database, roots)
        comparison = ScanComparison(
            self._documents,
            self._settings.rules,
            self._load_settings,
            ScanScope(disks.present, only),
            doubtful=disks.doubtful,
        )
        if force:
            self._records.write(self._ask_again)
        self._index(comparison, force=force)
        for missed in disks.missing_mounts(comparison):
            self._records.refuse(missed, comparison.row(missed.path))
        self._remove(comparison.missing())
        if only is None:
            self._records.write(disks.remember)
        self._finish()
        self._stats.seconds = round(time.monotonic() - started, 3)
        return self._stats

    def _ask_again(self, tx: Transaction) -> None:
        active = self._storage.active_space()
        if active is not None and forget_refusals(tx, active):
            write_meta(tx, VECTORS_MISSING, True)

    def _index(self, comparison: ScanComparison, *, force: bool) -> None:
        """Scan and process files in turns.

        The processing begins at once, and the scan, which is much quicker, soon knows how much is
        left.
        """
        queue = WorkQueue()
        with self._reader() as reader:
            run = _Run(comparison, queue, reader, force)
            for part in comparison.parts(force=force):
                self._note(part)
                queue.put([entry for entry, _ in part.work])
                if not self._work(run):
                    self._report(run)
            while self._work(run):
                pass
            for file, result in reader.rest():
                self._take(file, result)
        self._indexer.flush()
        self._records.flush()
        self._report(run)

    def _note(self, part: ComparedBatch) -> None:
        self._stats.unchanged += part.unchanged
        for document in part.still_skipped:
            self._records.count_problem(document)
        if part.work:
            pending = [document for _, document in part.work]
            self._records.write(lambda tx: self._documents.mark_pending(tx, pending))
        for refused, document in part.refused:
            self._records.refuse(refused, document)

    def _work(self, run: "_Run") -> bool:
        """Index the next files that were found; return whether there were any."""
        entries = run.queue.take(WORKED_AT_ONCE)
        for entry, known in run.comparison.with_rows(entries):
            self._report(run)
            self._index_file(entry, known, run)
            run.files_done += 1
            run.bytes_done += entry.size_bytes
        return bool(entries)

    def _prepare_settings(self) -> PrepareSettings:
        return PrepareSettings(
            self._settings.rules.max_size_bytes,
            self._settings.limits,
            self._indexer.chunking,
            self._indexer.generation,
        )

    def _report(self, run: "_Run") -> None:
        if self._progress is not None:
            self._told = SyncProgress(
                run.files_done,
                run.queue.files_put,
                run.bytes_done,
                run.queue.bytes_put,
                self._indexer.counts.chunks,
                files_found=run.comparison.files_found,
                all_found=run.comparison.is_complete,
            )
            self._tell_next_s = time.monotonic() + SCAN_TOLD_S
            self._progress(self._told)

    def _go_on_scanning(self) -> None:
        """Let the caller end a scan that finds nothing for long."""
        if self._progress is not None and time.monotonic() >= self._tell_next_s:
            self._tell_next_s = time.monotonic() + SCAN_TOLD_S
            self._progress(self._told)

    def _index_file(self, entry: FileEntry, known: Document, run: "_Run") -> None:
        data = read_bytes(
            entry.path,
            max_size_bytes=self._settings.rules.max_size_bytes,
            follow_links=False,
        )
        if isinstance(data, SkippedFile):
            self._records.refuse(data, known, entry)
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
        if fresh.hash == known.hash and self._is_cut_now(known) and not run.force:
            self._records.touch(replace(fresh, loader=known.loader))
            return
        old = None if known.hash else run.comparison.moved_from(fresh)
        if old is not None:
            self._records.rename(old, fresh)
            self._plan("rename", fresh.path)
            return
        for file, result in run.reader.add(FileToRead(entry, known, fresh), data):
            self._take(file, result)

    def _take(self, file: FileToRead, result: PreparedDocument | SkippedFile) -> None:
        if isinstance(result, SkippedFile):
            self._records.refuse(result, file.known, file.entry)
            return
        if file.known.hash:
            self._stats.updated += 1
        else:
            self._stats.added += 1
        self._plan("update" if file.known.hash else "add", file.entry.path)
        self._indexer.take(result)

    def _is_cut_now(self, known: Document) -> bool:
        return known.generation == self._load_settings.generation and self._load_settings.holds(
            known
        )

    def _remove(self, missing: Iterable[Document]) -> None:
        for number, document in enumerate(missing):
            if self._progress is not None and number % WRITE_BATCH == 0:
                chunks = self._indexer.counts.chunks
                self._progress(SyncProgress(number, 0, 0, 0, chunks, step="removing"))
            self._records.remove(document)
            self._plan("delete", document.path)
        self._records.flush()

    def _plan(self, action: Literal["add", "update", "rename", "delete"], path: str) -> None:
        """Report what a sync would do with a file."""
        if self._stats.dry_run and self._progress is not None:
            self._progress(replace(self._told, planned=(action, path)))

    def _finish(self) -> None:
        self._indexer.complete_vectors()
        if not self._stats.dry_run:
            renew_keywords(self._storage, self._progress)
            self._documents.renew_linked_notes()
            # Left by a reindex that was killed after its swap.
            remove_idle_keywords(self._storage, ["retired"])

        def close(tx: Transaction) -> None:
            write_meta(tx, LAST_SYNC, utc_now())
            self._storage.trim_changes(tx, keep=CHANGES_KEPT)

        self._records.write(close)
        counts = self._indexer.counts
        new_chunks = 0 if self._stats.dry_run else counts.chunks
        if new_chunks > COMPACT_FROM_SHARE * self._storage.count_chunks():
            self._storage.compact()
        if not self._stats.dry_run:
            counts.warnings += index_vectors(self._storage)
        self._stats.chunks, self._stats.warnings = counts.chunks, counts.all_warnings()
        self._stats.embedded, self._stats.cached = counts.embedded, counts.cached
        self._stats.refused = counts.refused
        self._stats.reasons = count_reasons(self._stats.errors)


@dataclass(slots=True)
class _Run:
    """The steps for each file of one sync, and its progress."""

    comparison: ScanComparison
    queue: WorkQueue
    reader: ParallelReader
    force: bool
    files_done: int = 0
    bytes_done: int = 0
