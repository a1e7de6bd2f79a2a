"""Takes in files and texts: sync of folders, one file, one text."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from time import time_ns
from typing import Any

from contracts import InputError, NotFoundError
from ingest import DEFAULT_PATTERNS, LoadedText, ScanRules
from memory.documents import Document
from memory.indexing import Indexer
from memory.results import FileProblem, IngestResult, SyncStats
from memory.sync import ProgressCallback, Synchroniser, SyncSettings, bytes_hash
from memory.sync_lock import sync_lock
from memory.sync_plan import outermost
from memory.workspace import Workspace

TEXT_ID_BYTES = 8
"""Bytes of the content hash that make the id of a text."""

MAX_TEXT_BYTES = 64 * 1024 * 1024
_MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class FileIngest:
    """What ingesting a path did: the ids of its files, how many were new, and what failed."""

    file_ids: list[str]
    added: int
    failed: list[FileProblem]


def known_roots(workspace: Workspace) -> list[Path]:
    """The configured and the remembered folders and files, by real path."""
    configured = workspace.config.files.watch_directories
    return outermost(Path(root) for root in (*configured, *workspace.documents.roots()))


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

    `paths` become roots if `remember` allows it. `force` indexes unchanged files again, `dry_run`
    only counts. What `progress` raises ends the sync between two files; the next one completes it.
    A known root that does not exist is reported and its files are kept. Raises NotFoundError for
    one of `paths` that does not exist, BusyError while another sync is at work.
    """
    named = None if paths is None else [Path(path).absolute() for path in paths]
    for path in named or ():
        if not path.exists():
            raise NotFoundError(
                f"{path} does not exist", hint="check its spelling, or plug in what it lies on"
            )
    roots = known_roots(workspace) if named is None else outermost(named)
    present = [root for root in roots if root.exists()]
    if not present:
        raise NotFoundError(
            "there is no folder to sync"
            + (f": {', '.join(map(str, roots))} cannot be reached" if roots else ""),
            hint="name one: mem sync PATH",
        )
    settings = sync_settings(workspace)
    with sync_lock(workspace.storage.database, workspace.path):
        if named is not None and remember and not dry_run:
            workspace.documents.remember_roots(map(str, roots))
        run = Synchroniser(
            workspace.storage, workspace.embedder, settings, dry_run=dry_run, progress=progress
        )
        stats = run.run(present, force=force)
    for root in roots:
        if root not in present:
            stats.failed += 1
            stats.errors.append(FileProblem(str(root), "failed", "root missing; its files stay"))
    stats.warnings[:0] = workspace.warnings()
    return stats


def sync_settings(workspace: Workspace) -> SyncSettings:
    """How this database reads and cuts files."""
    files = workspace.config.files
    rules = ScanRules(
        file_patterns=files.file_patterns or DEFAULT_PATTERNS,
        max_size_bytes=files.max_file_size_mb * _MIB,
    )
    return SyncSettings(rules, workspace.chunking, workspace.config.embeddings.cache_embeddings)


def ingest_path(
    workspace: Workspace,
    path: str | Path,
    *,
    metadata: Mapping[str, Any] | None = None,
    recursive: bool = True,
    progress: ProgressCallback | None = None,
) -> FileIngest:
    """Index one file or a folder at once, and give `metadata` to each of its files.

    It is a sync of that path alone, which is not remembered. Raises NotFoundError when the path
    does not exist, InputError for a folder unless `recursive`, BusyError while a sync is at work.
    """
    target = Path(path).absolute()
    if not target.exists():
        raise NotFoundError(f"{target} does not exist", hint="check its spelling")
    if target.is_dir() and not recursive:
        raise InputError(f"{target} is a folder", hint="allow it with recursive, or name a file")
    roots = outermost([target])
    with sync_lock(workspace.storage.database, workspace.path):
        run = Synchroniser(
            workspace.storage, workspace.embedder, sync_settings(workspace), progress=progress
        )
        stats = run.run(roots)
        documents = list(workspace.documents.below(map(str, roots)).values())
        if metadata is not None:
            checked = checked_metadata(metadata)
            with workspace.storage.database.transaction() as tx:
                for document in documents:
                    workspace.documents.save(tx, replace(document, metadata=checked))
    ids = [document.id for document in documents if document.hash]
    return FileIngest(ids, stats.added, stats.errors)


def ingest_text(
    workspace: Workspace,
    text: str,
    *,
    metadata: Mapping[str, Any] | None = None,
    tags: Sequence[str] = (),
) -> IngestResult:
    """Index a text; the same text again has the same id and takes the new metadata and tags.

    `metadata["title"]` is searched as its title, `metadata["timestamp"]` (ISO 8601) is when it was
    written. Raises InputError for a text without a visible character, one too long, a timestamp
    that is none, or metadata that is no JSON.
    """
    checked = checked_metadata(metadata or {})
    data = text.encode("utf-8", "surrogatepass")
    if not text.strip():
        raise InputError("the text is empty", hint="send a text with at least one word")
    if len(data) > MAX_TEXT_BYTES:
        raise InputError(
            f"the text has {len(data)} bytes, the limit is {MAX_TEXT_BYTES}",
            hint="send it in parts, or save it as a file and sync that",
        )
    clean = text.encode("utf-8", "replace").decode()
    text_id = blake2b(data, digest_size=TEXT_ID_BYTES).hexdigest()
    known = workspace.documents.get(text_id)
    indexer = Indexer(
        workspace.storage,
        workspace.embedder,
        workspace.chunking,
        cache_embeddings=workspace.config.embeddings.cache_embeddings,
    )
    document = Document(
        id=text_id,
        source="text",
        path=f"text:{text_id}",
        hash=bytes_hash(data),
        size=len(data),
        mtime_ns=_written_at_ns(checked, known),
        state="indexed",
        generation=indexer.generation,
        tags=tuple(tags),
        metadata=checked,
    )
    indexer.add(document, LoadedText(clean, "text", "utf-8"))
    indexer.flush()
    return IngestResult(text_id, workspace.documents.chunk_counts([text_id])[text_id])


def checked_metadata(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """The metadata as it will be read back. Raises InputError when JSON cannot hold it."""
    try:
        copied: dict[str, Any] = json.loads(json.dumps(dict(metadata), allow_nan=False))
    except (TypeError, ValueError) as error:
        raise InputError(
            f"the metadata cannot be stored: {error}",
            hint="use text, numbers, true, false, null, lists and objects only",
        ) from error
    return copied


def _written_at_ns(metadata: Mapping[str, Any], known: Document | None) -> int:
    """When a text was written: as its metadata says, else when it first came here."""
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
    return int(aware.timestamp() * 1e9)
