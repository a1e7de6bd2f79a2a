"""Gives back the disk space that a database no longer needs."""

import time
from dataclasses import dataclass

from memory.storage.pending_purge import purge_owed
from memory.storage.sync_lock import sync_lock
from memory.workspace import Workspace


@dataclass(frozen=True, slots=True)
class CompactReport:
    """What the database took before and after, its write-ahead log included."""

    before_bytes: int
    after_bytes: int
    seconds: float


def compact(workspace: Workspace) -> CompactReport:
    """Put the keyword index together, give free pages back, and empty the write-ahead log.

    Others read and write meanwhile, but no sync begins. It needs little room itself, so that it is
    of use on a disk that is nearly full. Raises BusyError while a sync is at work.
    """
    started = time.monotonic()
    storage = workspace.storage
    before = storage.size_bytes()
    with sync_lock(
        storage.database, workspace.path, wait_s=workspace.wait_s, tell=workspace.on_wait
    ):
        storage.compact()
        purge_owed(storage)
    return CompactReport(before, storage.size_bytes(), round(time.monotonic() - started, 3))
