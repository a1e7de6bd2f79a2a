"""One sync at a time on a database, and a name for whoever is at it.

The lock is one of the operating system on a file beside the database: it goes with its holder,
however that ends, and a recycled process id cannot keep it.
"""

import contextlib
import os
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from weakref import WeakKeyDictionary

from contracts import BusyError, StorageError
from memory.meta import SYNC_HOLDER, read_meta, write_meta
from memory.storage import Database, utc_now

_PATIENCE_S = 0.25
"""How long a sync tries to get the lock: whoever asks for its holder has it for an instant."""

_in_memory: WeakKeyDictionary[Database, threading.Lock] = WeakKeyDictionary()


@contextlib.contextmanager
def sync_lock(database: Database, path: Path | None) -> Iterator[None]:
    """Hold the sync lock of the database at `path` (None: only threads of this process reach it).

    Raises BusyError, with the holder's name, when somebody else has it, and StorageError when the
    lock file cannot be made.
    """
    if path is None:
        with _thread_lock(database):
            yield
        return
    from filelock import FileLock, Timeout

    lock = FileLock(_lock_file(path), mode=0o600)
    try:
        lock.acquire(timeout=_PATIENCE_S, poll_interval=_PATIENCE_S / 10)
    except Timeout as error:
        raise BusyError(
            f"a sync of {path} is at work: {_holder(database)}",
            hint="wait for it to end, or end that process; `mem status` shows it",
        ) from error
    except OSError as error:
        raise StorageError(
            f"{_lock_file(path)} cannot be opened: {error.strerror}",
            hint="check the permissions of the folder, or name another database with --db",
        ) from error
    try:
        with database.transaction() as tx:
            holder = {"pid": os.getpid(), "host": socket.gethostname(), "since": utc_now()}
            write_meta(tx, SYNC_HOLDER, holder)
        yield
    finally:
        lock.release()


@contextlib.contextmanager
def _thread_lock(database: Database) -> Iterator[None]:
    lock = _in_memory.setdefault(database, threading.Lock())
    if not lock.acquire(blocking=False):
        raise BusyError(
            "a sync of this database is at work in another thread", hint="wait for it to end"
        )
    try:
        yield
    finally:
        lock.release()


def running_sync(database: Database, path: Path | None) -> str | None:
    """Who holds the sync lock just now, or None."""
    if path is None:
        busy = database in _in_memory and _in_memory[database].locked()
        return "a thread of this process" if busy else None
    if not _lock_file(path).exists():
        return None
    from filelock import FileLock, Timeout

    lock = FileLock(_lock_file(path), mode=0o600)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return _holder(database)
    except OSError:  # whoever may not write here cannot tell
        return None
    lock.release()
    return None


def _lock_file(path: Path) -> Path:
    return Path(f"{os.path.realpath(path)}.sync-lock")


def _holder(database: Database) -> str:
    holder = read_meta(database, SYNC_HOLDER)
    if not holder:
        return "a process that has just begun"
    return f"process {holder['pid']} on {holder['host']}, since {holder['since']}"
