"""Removal of what an ordinary sync keeps: files of folders that cannot be reached, and files in
no known folder, once they are gone from the disk.
"""

import contextlib
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from contracts import NotFoundError
from ingest import is_within, printable
from memory.files.ingestion import sync_files
from memory.files.mounts import LOST, says_that_files_stay
from memory.files.problem_hints import count_reasons
from memory.files.roots import known_roots
from memory.files.sync import ProgressCallback
from memory.files.sync_plan import is_gone
from memory.files.sync_records import WRITE_BATCH
from memory.index.document_store import documents_of
from memory.index.documents import Document
from memory.values.reports import FileProblem, PrunedPlace, SyncProgress, SyncStats
from memory.workspace import Workspace


def sync_and_prune(
    workspace: Workspace,
    paths: Iterable[str | Path] | None = None,
    *,
    force: bool = False,
    dry_run: bool = False,
    progress: ProgressCallback | None = None,
) -> SyncStats:
    """Sync, then remove the files that it kept although they are gone; as `sync_files`.

    Those are below absent roots or disks, and without `paths` also those below no known root. The
    files of an unreadable folder stay, since nothing is known of them.
    """
    try:
        stats = sync_files(workspace, paths, force=force, dry_run=dry_run, progress=progress)
    except NotFoundError:
        lost = known_roots(workspace) if paths is None else []
        if not lost:
            raise
        stats = SyncStats(dry_run=dry_run)
        stats.errors = [FileProblem(str(root), "failed", f"vanished: {LOST}") for root in lost]
        stats.failed = len(lost)
    kept = [problem for problem in stats.errors if says_that_files_stay(problem.reason)]
    for problem in kept:
        gone = _gone_below(workspace, problem.path)
        number = remove_gone(workspace, gone, dry_run=dry_run, progress=progress)
        stats.pruned.append(PrunedPlace(problem.path, number))
    homeless = _gone_outside_roots(workspace) if paths is None else ()
    if number := remove_gone(workspace, homeless, dry_run=dry_run, progress=progress):
        stats.pruned.append(PrunedPlace(None, number))
    stats.errors = [problem for problem in stats.errors if problem not in kept]
    stats.reasons = count_reasons(stats.errors)
    stats.failed -= len(kept)
    stats.deleted += sum(place.files for place in stats.pruned)
    return stats


def _gone_below(workspace: Workspace, place: str) -> Iterator[Document]:
    """Yield the files at or below an absent place, with the record that reports it."""
    for document in documents_of(workspace).all_below([place]):
        if document.path == place or is_gone(document.path):
            yield document


def _gone_outside_roots(workspace: Workspace) -> Iterator[Document]:
    """Yield the files below no known root that are gone."""
    roots = {printable(str(root)) for root in known_roots(workspace)}
    for document in documents_of(workspace).all_below(["/"]):
        if not is_within(document.path, roots) and is_gone(document.path):
            yield document


def remove_gone(
    workspace: Workspace,
    gone: Iterable[Document],
    *,
    dry_run: bool,
    progress: ProgressCallback | None,
) -> int:
    """Remove these from the index, some hundred in a transaction; return their number.

    Raises BusyError when a sync is still running after `workspace.wait_s`.
    """
    number, documents = 0, iter(gone)
    with contextlib.nullcontext() if dry_run else workspace.sync_lock():
        while batch := list(islice(documents, WRITE_BATCH)):
            _write(workspace, batch, dry_run=dry_run)
            # A place that could not be reached is a record without a text.
            number += sum(bool(item.hash) or item.state != "failed" for item in batch)
            if progress is not None:
                progress(SyncProgress(number, 0, 0, 0, 0, step="removing"))
    return number


def _write(workspace: Workspace, documents: Iterable[Document], *, dry_run: bool) -> None:
    if dry_run:
        return
    with workspace.storage.database.transaction() as tx:
        for document in documents:
            documents_of(workspace).remove(tx, document, keep_cached=True)
