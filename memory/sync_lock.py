"""One sync and one reindex at a time on a database, and a name for whoever is at it.

Both may be at work together. A lock is one of the operating system on a file beside the database:
it goes with its holder, however that ends, and a recycled process id cannot keep it.
"""

import contextlib
import os
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from weakref import WeakKeyDictionary

from contracts import BusyError, StorageError
from memory.meta import REINDEX_HOLDER, SYNC_HOLDER, read_meta, write_meta
from memory.storage import Database, utc_now

_PATIENCE_S = 0.25
"""How long a sync tries to get the lock: whoever asks for its holder has it for an instant."""


class _Work(NamedTuple):
    """What only one may be at: its name, which its lock file has too, and where its holder is."""

    name: str
    holder: str


_SYNC = _Work("sync", SYNC_HOLDER)
_REINDEX = _Work("reindex", REINDEX_HOLDER)

_in_memory: WeakKeyDictionary[Database, dict[str, threading.Lock]] = WeakKeyDictionary()


def sync_lock(database: Database, path: Path | None) -> contextlib.AbstractContextManager[None]:
    """Hold the sync lock of the database at `path` (None: only threads of this process reach it).

    Raises BusyError, with the holder's name, when somebody else has it, and StorageError when the
    lock file cannot be made.
    """
    return _held(_SYNC, database, path)


def reindex_lock(database: Database, path: Path | None) -> contextlib.AbstractContextManager[None]:
    """Hold the reindex lock of the database; otherwise as `sync_lock`."""
    return _held(_REINDEX, database, path)


@contextlib.contextmanager
def _held(work: _Work, database: Database, path: Path | None) -> Iterator[None]:
    if path is None:
        with _thread_lock(work, database):
            yield
        return
    from filelock import FileLock, Timeout

    lock = FileLock(_lock_file(work, path), mode=0o600)
    try:
        lock.acquire(timeout=_PATIENCE_S, poll_interval=_PATIENCE_S / 10)
    except Timeout as error:
        raise BusyError(
            f"a {work.name} of {path} is at work: {_holder(work, database)}",
            hint="wait for it to end, or end that process; `mem status` shows it",
        ) from error
    except OSError as error:
        raise StorageError(
            f"{_lock_file(work, path)} cannot be opened: {error.strerror}",
            hint="check the permissions of the folder, or name another database with --db",
        ) from error
    try:
        with database.transaction() as tx:
            holder = {"pid": os.getpid(), "host": socket.gethostname(), "since": utc_now()}
            write_meta(tx, work.holder, holder)
        yield
    finally:
        lock.release()


@contextlib.contextmanager
def _thread_lock(work: _Work, database: Database) -> Iterator[None]:
    lock = _in_memory.setdefault(database, {}).setdefault(work.name, threading.Lock())
    if not lock.acquire(blocking=False):
        raise BusyError(
            f"a {work.name} of this database is at work in another thread",
            hint="wait for it to end",
        )
    try:
        yield
    finally:
        lock.release()


def running_sync(database: Database, path: Path | None) -> str | None:
    """Who holds the sync lock just now, or None."""
    return _running(_SYNC, database, path)


def running_reindex(database: Database, path: Path | None) -> str | None:
    """Who holds the reindex lock just now, or None."""
    return _running(_REINDEX, database, path)


def _running(work: _Work, database: Database, path: Path | None) -> str | None:
    if path is None:
        lock_here = _in_memory.get(database, {}).get(work.name)
        return "a thread of this process" if lock_here and lock_here.locked() else None
    if not _lock_file(work, path).exists():
        return None
    from filelock import FileLock, Timeout

    lock = FileLock(_lock_file(work, path), mode=0o600)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return _holder(work, database)
    except OSError:  # whoever may not write here cannot tell
        return None
    lock.release()
    return None


def _lock_file(work: _Work, path: Path) -> Path:
    return Path(f"{os.path.realpath(path)}.{work.name}-lock")


def _holder(work: _Work, database: Database) -> str:
    holder = read_meta(database, work.holder)
    if not holder:
        return "a process that has just begun"
    return f"process {holder['pid']} on {holder['host']}, since {holder['since']}"
