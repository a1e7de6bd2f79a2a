"""Ingestion of files and texts: sync of folders, one file, one text."""

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from hashlib import blake2b
from pathlib import Path
from time import time_ns
from typing import Any

from contracts import InputError, NotFoundError, UnavailableError
from ingest import DEFAULT_PATTERNS, LoadedText, LoadLimits, ScanRules
from memory.files.mounts import present_and_lost
from memory.files.parallel_reading import KeptWorkers
from memory.files.roots import SyncScope, check_paths, known_roots, refuse_binary, sync_scope_of
from memory.files.sync import ProgressCallback, Synchroniser, SyncSettings
from memory.index.configuration_warnings import configuration_warnings
from memory.index.database_trust import consent_to_roots
from memory.index.document_store import documents_of
from memory.index.documents import Document, storable_ns
from memory.index.embedding.active_model import active_model, embedder_of
from memory.index.embedding.calibration import calibrate
from memory.index.embedding.costs import estimated_cost
from memory.index.indexing import Indexer
from memory.index.indexing_counts import IndexingCounts
from memory.index.indexing_settings import (
    current_indexing_settings,
    indexing_settings_for,
    is_quick,
)
from memory.index.keyword_entries.renewal import is_renewal_due
from memory.index.preparation import bytes_hash
from memory.storage import utc_now
from memory.storage.action_log import is_others, marked
from memory.storage.meta import VECTORS_MISSING, forget_root, read_meta, remember_root
from memory.values.record_fields import checked_metadata, checked_tags
from memory.values.reports import EmbeddingCost, FileIngest, IngestResult, SyncStats
from memory.values.text_checks import checked_text
from memory.workspace import Workspace

TEXT_ID_BYTES = 8
"""Bytes of the content hash that make the id of a text."""

MAX_TEXT_BYTES = 64 * 1024 * 1024
_MIB = 1024 * 1024


def sync_files(
    workspace: Workspace,
    paths: Iterable[str | Path] | None = None,
    *,
    force: bool = False,
    dry_run: bool = False,
    remember: bool = True,
    progress: ProgressCallback | None = None,
) -> SyncStats:
    """Index what is new or changed, remove what is gone, in `paths` or in every known root.

    `paths` inside a known root are a part of it, unless its rules leave them out; all others become
    roots, if `remember` allows it. `force` indexes unchanged files again, `dry_run` only counts.
    What `progress` raises ends the sync between two files; the next one completes it. A known root
    that does not exist is reported and its files are kept, unless it was inside one that does. A
    sync that is interrupted remembers none of the new roots. Raises NotFoundError for one of
    `paths` that does not exist, InputError for a file that is not a text, BusyError when another
    sync is still running after `workspace.wait_s`.
    """
    if paths is None:
        scope = SyncScope(known_roots(workspace))
    else:
        rules = sync_settings(workspace).rules
        scope = sync_scope_of(workspace, check_paths(paths), rules)
        refuse_binary(scope.new, rules)
    if not remember:
        scope = scope._replace(new=())
    return sync_scope(workspace, scope, force=force, dry_run=dry_run, progress=progress)


def sync_scope(
    workspace: Workspace,
    scope: SyncScope,
    *,
    force: bool = False,
    dry_run: bool = False,
    urgent: bool = False,
    progress: ProgressCallback | None = None,
) -> SyncStats:
    """Sync roots, or what is at or below some paths in them; otherwise as `sync_files`.

    An `urgent` sync does not wait: it raises BusyError at once while another sync is running, and
    leaves a model that is slow, or may be out of reach, to `embed_missing`.
    """
    present, lost = present_and_lost(scope.roots)
    if not present and (lost or not _is_behind(workspace)):
        raise NotFoundError(
            "there is no folder to sync"
            + (f": {', '.join(map(str, lost))} cannot be reached" if lost else ""),
            hint=f"mount it or bring it back, else forget it: mem files --drop-root {lost[0]}"
            if lost
            else "name one: mem sync PATH",
        )
    with contextlib.nullcontext() if dry_run else workspace.sync_lock(wait=not urgent):
        run = Synchroniser(
            workspace.storage,
            partial(current_indexing_settings, workspace)
            if dry_run
            else partial(indexing_settings_for, workspace),
            replace(sync_settings(workspace), embeds=not urgent or is_quick(workspace)),
            dry_run=dry_run,
            progress=progress,
        )
        with _remembered(workspace, () if dry_run else scope.new):
            stats = run.run(scope.roots, only=scope.only, force=force)
        if stats.embedded and not dry_run:  # the model is loaded
            stats.warnings.extend(_calibrate(workspace))
        if dry_run:
            stats.cost = _cost(workspace, run.counts)
    stats.warnings[:0] = configuration_warnings(workspace)
    return stats


@contextlib.contextmanager
def _remembered(workspace: Workspace, new: Sequence[Path]) -> Iterator[None]:
    """Remember these roots, which the user named, unless a person interrupts the block."""
    database, added_at = workspace.storage.database, utc_now()
    added: list[str] = []
    if new:
        with database.transaction() as tx:
            added += [path for path in map(str, new) if remember_root(tx, path, added_at)]
        consent_to_roots(workspace, map(str, new))
    try:
        yield
    except KeyboardInterrupt:
        with database.transaction() as tx:
            for path in added:
                forget_root(tx, path)
        raise


def _is_behind(workspace: Workspace) -> bool:
    """Return whether there is work for a sync without a folder."""
    missing = read_meta(workspace.storage.database, VECTORS_MISSING)
    return bool(missing) or is_renewal_due(workspace.storage)


def _cost(workspace: Workspace, foreseen: IndexingCounts) -> EmbeddingCost:
    """Return the cost of embedding."""
    return estimated_cost(
        active_model(workspace),
        texts=foreseen.embedded,
        tokens=foreseen.tokens,
        prices=workspace.config.embeddings.prices,
    )


def _calibrate(workspace: Workspace) -> list[str]:
    """Measure the model's weight if it is due; return why it could not be."""
    if read_meta(workspace.storage.database, VECTORS_MISSING):
        return []
    try:
        calibrate(workspace.storage, embedder_of(workspace))
    except UnavailableError as error:
        return [f"what the model's vectors are worth could not be measured: {error}"]
    return []


def sync_settings(workspace: Workspace) -> SyncSettings:
    """Return the settings by which this database reads files."""
    files = workspace.config.files
    rules = ScanRules(
        file_patterns=files.file_patterns or DEFAULT_PATTERNS,
        max_size_bytes=files.max_file_size_mb * _MIB,
    )
    limits = LoadLimits(
        text_bytes=files.max_text_mb * _MIB,
        seconds=files.max_load_seconds,
        memory_bytes=files.max_load_memory_mb * _MIB,
    )
    cache_bytes = workspace.config.embeddings.cache_bytes
    return SyncSettings(
        rules, limits, files.workers, cache_bytes=cache_bytes, kept=workspace.find(KeptWorkers)
    )


def ingest_path(
    workspace: Workspace,
    path: str | Path,
    *,
    metadata: Mapping[str, Any] | None = None,
    recursive: bool = True,
    progress: ProgressCallback | None = None,
) -> FileIngest:
    """Index one file or a folder at once, and give `metadata` to each of its files.

    It is a sync of that path alone, which is not remembered; the rules are those of `sync_files`.
    Raises NotFoundError when the path does not exist, InputError for a folder unless `recursive`
    and for metadata that is not JSON, BusyError when a sync is still running after
    `workspace.wait_s`.
    """
    (target,) = check_paths([path])
    checked = None if metadata is None else checked_metadata(metadata)
    if target.is_dir() and not recursive:
        raise InputError(f"{target} is a folder", hint="allow it with recursive, or name a file")
    settings = sync_settings(workspace)
    scope = sync_scope_of(workspace, [target], settings.rules)
    with workspace.sync_lock():
        run = Synchroniser(
            workspace.storage,
            partial(indexing_settings_for, workspace),
            settings,
            progress=progress,
        )
        stats = run.run(scope.roots, only=scope.only)
        documents = list(
            documents_of(workspace).below(scope.only or map(str, scope.roots)).values()
        )
        if checked is not None:
            with workspace.storage.database.transaction() as tx:
                for document in documents:
                    documents_of(workspace).describe(tx, document, metadata=checked)
    ids = [document.id for document in documents if document.hash]
    return FileIngest(ids, stats.added, stats.errors, stats.refused, stats.warnings)


def ingest_text(
    workspace: Workspace,
    text: str,
    *,
    metadata: Mapping[str, Any] | None = None,
    tags: Sequence[str] = (),
) -> IngestResult:
    """Index a text; the same text again has the same id and takes the new metadata and tags, unless
    an agent sends a text of others.

    `metadata["title"]` is searched as its title, `metadata["timestamp"]` (ISO 8601) is when it was
    written. Raises InputError for a text without a visible character, one too long, an invalid
    timestamp, or metadata that is not JSON.
    """
    document = text_document(
        workspace,
        text,
        metadata=marked({} if metadata is None else checked_metadata(metadata)),
        tags=tags,
    )
    known = documents_of(workspace).get(document.id)
    if known is not None and is_others(known.metadata or {}):
        document = replace(
            document, metadata=known.metadata, tags=known.tags, mtime_ns=known.mtime_ns
        )
    done = index_text(workspace, document, text)
    chunks = documents_of(workspace).chunk_counts([document.id]).get(document.id, 0)
    return IngestResult(document.id, chunks, done.refused, done.all_warnings())


def text_document(
    workspace: Workspace,
    text: str,
    *,
    metadata: Mapping[str, Any] | None,
    tags: Sequence[str],
) -> Document:
    """Return the row of a text that is to be ingested. Raises what `ingest_text` does."""
    checked = checked_metadata({} if metadata is None else metadata)
    data = check_text(text).encode()
    text_id = blake2b(data, digest_size=TEXT_ID_BYTES).hexdigest()
    known = documents_of(workspace).get(text_id)
    return Document(
        id=text_id,
        source="text",
        path=f"text:{text_id}",
        hash=bytes_hash(data),
        size=len(data),
        mtime_ns=written_at_ns(checked, known),
        state="indexed",
        tags=checked_tags(tags),
        metadata=checked,
    )


def index_text(
    workspace: Workspace, document: Document, text: str, *, is_known: bool = False
) -> IndexingCounts:
    """Store an ingested text under its row, if it `is_known` only while that is there; return
    counts of what was new.
    """
    indexer = Indexer(
        workspace.storage,
        partial(indexing_settings_for, workspace),
        cache_bytes=workspace.config.embeddings.cache_bytes,
    )
    indexer.add(document, LoadedText(text, "text", "utf-8"), is_known=is_known)
    indexer.flush()
    return indexer.counts


def check_text(text: str) -> str:
    """Return the text. Raises InputError for one without a visible character, or one too long."""
    if not isinstance(text, str):
        raise InputError(f"the text is {text!r}", hint="give a str")
    if not text.strip():
        raise InputError("the text is empty", hint="send a text with at least one word")
    checked_text(text, "the text")
    n_bytes = len(text.encode())
    if n_bytes > MAX_TEXT_BYTES:
        raise InputError(
            f"the text has {n_bytes} bytes, the limit is {MAX_TEXT_BYTES}",
            hint="send it in parts, or save it as a file and sync that",
        )
    return text


def written_at_ns(metadata: Mapping[str, Any], known: Document | None) -> int:
    """Return when a text was written: as its metadata says, else when it first came here."""
    stamp = metadata.get("timestamp")
    if stamp is None:
        return known.mtime_ns if known else time_ns()
    try:
        moment = datetime.fromisoformat(stamp)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"the metadata has the timestamp {stamp!r}", hint="write it as 2026-03-04T12:30:00Z"
        ) from error
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    written_ns = int(aware.timestamp() * 1e9)
    if written_ns != storable_ns(written_ns):
        raise InputError(
            f"the metadata has the timestamp {stamp!r}", hint="use a year from 1678 to 2261"
        )
    return written_ns
