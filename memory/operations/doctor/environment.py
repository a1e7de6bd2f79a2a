"""Checks of the database's environment: files, permissions, locks, the disk, the settings."""

import os
import shutil
import stat
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from memory.index.configuration_warnings import configuration_warnings
from memory.operations.doctor.values import DoctorContext, DoctorProblem, some, tally
from memory.storage.atomic_files import partial_copy
from memory.storage.meta import REINDEX_HOLDER, SYNC_HOLDER, WATCH_HOLDER, read_meta, write_meta
from memory.storage.process_locks import running_reindex, running_sync, running_watch
from memory.storage.process_names import named

PRIVATE = 0o600
LEAST_FREE_BYTES = 100 * 1024 * 1024
LOG_BYTES = 64 * 1024 * 1024
"""The size above which a write-ahead log larger than the database is reported: it was not emptied
for long, which constant readers can prevent.
"""

_LOCKS = (".sync-lock", ".reindex-lock", ".watch-lock", ".reading-lock")
LEFT_AFTER_S = 3600
"""The age above which an unchanged copy is no longer in progress."""


def permissions(context: DoctorContext) -> Iterator[DoctorProblem]:
    """Nobody but its owner can read the database and the files next to it."""
    if context.path is None or os.name != "posix":
        return
    wide = [path for path in _files(context, context.path) if _is_ours_and_open(path.stat())]
    if wide:
        yield DoctorProblem(
            f"other users of this machine can read {some(wide)}",
            "lets the owner alone read and write them",
            partial(_close, wide),
            count=len(wide),
        )
    folder = context.path.parent
    mode = folder.stat().st_mode
    if mode & stat.S_IWOTH and not mode & stat.S_ISVTX:
        yield DoctorProblem(f"everybody may write to the folder {folder}", f"chmod o-w {folder}")


def _is_ours_and_open(found: os.stat_result) -> bool:
    """Return whether this user owns the file and others can read it; another owner lends it."""
    if not hasattr(os, "geteuid"):  # Windows has lists of access instead of modes
        return False
    return found.st_uid == os.geteuid() and bool(stat.S_IMODE(found.st_mode) & 0o077)


def _files(context: DoctorContext, path: Path) -> list[Path]:
    files = context.storage.files
    locks = (Path(f"{path}{suffix}") for suffix in _LOCKS)
    return [*(files.names() if files else ()), *(file for file in locks if file.is_file())]


def _close(files: list[Path]) -> None:
    for path in files:
        path.chmod(PRIVATE)


def room(context: DoctorContext) -> Iterator[DoctorProblem]:
    """There is room on the disk for what a migration or a compaction needs."""
    if context.path is None:
        return
    free = shutil.disk_usage(context.path.parent).free
    yield from lack_of_room(free, context.storage.size_bytes(), folder=context.path.parent)


def lack_of_room(free: int, size: int, *, folder: Path) -> Iterator[DoctorProblem]:
    """Report what so many free bytes mean for a database of that size."""
    fact = f"{free >> 20:,} MiB are free on the disk of {folder}"
    if free < LEAST_FREE_BYTES:
        yield DoctorProblem(fact, "free some space")
    elif free < size:
        yield DoctorProblem(
            f"{fact}, less than the database takes", "free some space", is_note=True
        )


def beside(context: DoctorContext) -> Iterator[DoctorProblem]:
    """No process left files beside the database when it was killed."""
    path = context.path
    if path is None:
        return
    copies = path.parent.glob(f"{partial_copy(path).name.rpartition('-')[0]}-*")
    left = [copy for copy in copies if copy.stat().st_mtime < time.time() - LEFT_AFTER_S]
    if left:
        yield DoctorProblem(
            tally("incomplete files", len(left), left),
            "removes them",
            partial(_remove, left),
            count=len(left),
        )
    files, size = context.storage.files, context.storage.sizes().log
    if files is not None and size > max(LOG_BYTES, path.stat().st_size):
        yield DoctorProblem(
            f"the write-ahead log {files.log()} has grown to {size >> 20:,} MiB",
            "moves it into the database, unless a process reads it then",
            files.empty_log,
            is_note=True,
        )


def _remove(files: list[Path]) -> None:
    for path in files:
        path.unlink(missing_ok=True)


def locks(context: DoctorContext) -> Iterator[DoctorProblem]:
    """Each lock is held by a running process, and no process ended without releasing one."""
    database, path = context.storage.database, context.path
    for work, key, running in (
        ("sync", SYNC_HOLDER, running_sync),
        ("reindex", REINDEX_HOLDER, running_reindex),
        ("watch", WATCH_HOLDER, running_watch),
    ):
        holder = read_meta(database, key)
        if holder and running(database, path) is None:
            yield DoctorProblem(
                f"a {work} ended and left its lock: {named(holder)}, since {holder['since']}",
                "clears the lock; the next run does what remains",
                partial(context.write, partial(write_meta, key=key, value=None)),
                is_note=True,
            )


def extras(context: DoctorContext) -> Iterator[DoctorProblem]:
    """No file waits for a library."""
    sql = """SELECT reason, count(*) FROM files WHERE state = 'skipped'
        AND substr(reason, 1, 13) = 'missing-extra' GROUP BY reason ORDER BY reason"""
    for reason, number in context.storage.database.read(sql):
        yield DoctorProblem(
            tally("files skipped because a library is missing", number),
            reason.partition(": ")[2] or "install the extra that mem files --failed names",
            count=number,
            is_note=True,
        )


def settings(context: DoctorContext) -> Iterator[DoctorProblem]:
    """The configuration is the one that the database was filled by."""
    for warning in configuration_warnings(context.workspace):
        fact, _, repair = warning.rpartition("; ")
        if fact:  # files without this suffix have a check of their own
            yield DoctorProblem(fact, repair, is_note=True)
