"""Compaction: it returns unused disk space of a database."""

import time
from dataclasses import dataclass

from memory.storage.pending_purge import run_pending_purge
from memory.storage.process_locks import sync_lock
from memory.workspace import Workspace


@dataclass(frozen=True, slots=True)
class CompactReport:
    """The size of the database before and after, including its write-ahead log."""

    before_bytes: int
    after_bytes: int
    seconds: float


def compact(workspace: Workspace) -> CompactReport:
    """Merge the keyword index, release free pages, and empty the write-ahead log.

    Others can read and write meanwhile, but no sync can start. It needs little space itself, so
    that it helps on a nearly full disk. Raises BusyError while a sync is running, and what
    `Storage.index_vectors` does.
    """
    started = time.monotonic()
    storage = workspace.storage
    before = storage.size_bytes()
    with sync_lock(
        storage.database, workspace.path, wait_s=workspace.wait_s, tell=workspace.on_wait
    ):
        storage.compact()
        run_pending_purge(storage)
        storage.index_vectors()
    return CompactReport(before, storage.size_bytes(), round(time.monotonic() - started, 3))
