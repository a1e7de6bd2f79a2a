"""Sync of the paths in a list that a program made, as `git diff` does."""

import os
from collections.abc import Iterable
from pathlib import Path

from ingest import printable
from memory.files.ingestion import sync_scope, sync_settings
from memory.files.pruning import remove_gone
from memory.files.roots import SyncScope, known_roots, real_path, sync_scope_of
from memory.files.sync import ProgressCallback
from memory.files.sync_plan import real_paths
from memory.index.document_store import documents_of
from memory.values.reports import SyncStats
from memory.workspace import Workspace


def sync_listed(
    workspace: Workspace,
    paths: Iterable[str | Path],
    *,
    force: bool = False,
    dry_run: bool = False,
    progress: ProgressCallback | None = None,
) -> SyncStats:
    """Sync files and folders with the disk, also those that no longer exist.

    Paths in a known root follow its rules, and are left out when these say so. Paths in no root are
    indexed, or removed when they are gone; they do not become roots. Otherwise as `sync_files`.
    Raises InputError for an invalid path.
    """
    known = known_roots(workspace)
    every = sorted({real_path(path) for path in paths})
    inside = [path for path in every if any(map(path.is_relative_to, known))]
    beside = [path for path in every if path not in set(inside)]
    there = [path for path in beside if os.path.exists(path)]  # noqa: PTH110  # pathlib's raises
    stats = SyncStats(dry_run=dry_run)
    if inside or there:
        around = [root for root in known if any(path.is_relative_to(root) for path in inside)]
        new = sync_scope_of(workspace, there, sync_settings(workspace).rules).roots if there else ()
        scope = SyncScope(real_paths([*around, *new]), list(map(str, [*inside, *there])))
        stats = sync_scope(workspace, scope, force=force, dry_run=dry_run, progress=progress)
    if gone := [printable(str(path)) for path in beside if path not in there]:
        stats.deleted += remove_gone(
            workspace, documents_of(workspace).all_below(gone), dry_run=dry_run, progress=progress
        )
    return stats
