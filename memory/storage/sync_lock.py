"""One sync, reindex, watcher and reader of turns at a time on a database, and a name for each.

They may be at work together. A lock is one of the operating system on a file beside the database:
it goes with its holder, however that ends, and a recycled process id cannot keep it.
"""

import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple
from weakref import WeakKeyDictionary

from contracts import BusyError, MemError, StorageError
from memory.storage import Database, utc_now
from memory.storage.meta import (
    READING_HOLDER,
    REINDEX_HOLDER,
    SYNC_HOLDER,
    WATCH_HOLDER,
    read_meta,
    write_meta,
)
from memory.storage.process_names import is_still_there, named, this_process

_LEAST_WAIT_S = 0.25
"""How long anybody tries to get a lock: whoever asks for its holder has it for an instant."""

_TOLD_AFTER_S = 1.0
_POLL_S = 0.025


def sync_lock(
    database: Database,
    path: Path | None,
    *,
    wait_s: float = 0.0,
    tell: Callable[[str], None] | None = None,
) -> AbstractContextManager[None]:
    """Hold the sync lock of the database at `path` (None: only threads of this process reach it).

    Waits for it for `wait_s`; `tell` gets a line, once, when that has lasted a second. Raises
    BusyError, with the holder's name, when somebody still has it then, and StorageError when the
    lock file cannot be made.
    """
    return _Lock("sync", SYNC_HOLDER, database, path).held(wait_s, tell)


def reindex_lock(database: Database, path: Path | None) -> AbstractContextManager[None]:
    """Hold the reindex lock of the database; otherwise as `sync_lock`, without a wait."""
    return _Lock("reindex", REINDEX_HOLDER, database, path).held()


def watch_lock(database: Database, path: Path | None) -> AbstractContextManager[None]:
    """Hold the lock of the database's one watcher; otherwise as `sync_lock`, without a wait."""
    return _Lock("watch", WATCH_HOLDER, database, path).held()


def reading_lock(database: Database, path: Path | None) -> AbstractContextManager[None]:
    """Hold the lock of whoever has a language model read turns; as `sync_lock`, without a wait."""
    return _Lock("reading", READING_HOLDER, database, path).held()


def running_sync(database: Database, path: Path | None) -> str | None:
    """Who holds the sync lock just now, or None."""
    return _Lock("sync", SYNC_HOLDER, database, path).running()


def running_reindex(database: Database, path: Path | None) -> str | None:
    """Who holds the reindex lock just now, or None."""
    return _Lock("reindex", REINDEX_HOLDER, database, path).running()


def running_watch(database: Database, path: Path | None) -> str | None:
    """Who holds the lock of the database's watcher just now, or None."""
    return _Lock("watch", WATCH_HOLDER, database, path).running()


def work_lock(work: str, database: Database, path: Path | None) -> AbstractContextManager[None]:
    """Hold the lock of that work, one of those above or another; as `sync_lock`, without a wait."""
    return _Lock(work, f"{work}_holder", database, path).held()


def running_work(work: str, database: Database, path: Path | None) -> str | None:
    """Who holds the lock of that work just now, or None."""
    return _Lock(work, f"{work}_holder", database, path).running()


class _FileLock:
    """A lock file with the methods of a lock of threads."""

    def __init__(self, file: Path) -> None:
        from filelock import FileLock

        self._lock = FileLock(file, mode=0o600)

    def acquire(self, *, timeout: float) -> bool:
        from filelock import Timeout

        try:
            self._lock.acquire(timeout=timeout, poll_interval=_POLL_S)
        except Timeout:
            return False
        except OSError as error:
            raise StorageError(
                f"{self._lock.lock_file} cannot be opened: {error.strerror}",
                hint="check the permissions of the folder, or name another database with --db",
            ) from error
        return True

    def release(self) -> None:
        self._lock.release()


def _is_locked(file: Path) -> bool:
    """Whether somebody holds a lock file, which whoever may not write here can tell as well.

    It is what `filelock` locks by, asked without loading that: only those who look do it this way.
    """
    try:
        import fcntl
    except ImportError:  # pragma: no cover - on Windows
        lock = _FileLock(file)
        if not file.exists() or lock.acquire(timeout=0):
            lock.release()
            return False
        return True
    try:
        with file.open("rb") as opened:
            fcntl.flock(opened, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:  # there is none, or whoever may not read it cannot tell
        return False
    return False


_of_threads: WeakKeyDictionary[Database, dict[str, threading.Lock]] = WeakKeyDictionary()
"""What stands for the lock files of databases in memory."""


class _Lock(NamedTuple):
    """What only one may be at, and where its holder's name is kept."""

    work: str
    holder_key: str
    database: Database
    path: Path | None

    @contextlib.contextmanager
    def held(
        self, wait_s: float = 0.0, tell: Callable[[str], None] | None = None
    ) -> Iterator[None]:
        lock = self._lock()
        if not self._is_acquired(lock, wait_s, tell):
            raise BusyError(
                f"a {self.work} of {self.path or 'this database'} is at work: {self._holder()}",
                hint="wait for it to end, or end that process; `mem status` shows it",
            )
        try:
            self._name_holder({**this_process(), "since": utc_now()})
            yield
        finally:
            # This process may go on, and is not to be taken for whoever has the lock next.
            with contextlib.suppress(MemError):
                self._name_holder(None)
            lock.release()

    def running(self) -> str | None:
        if self.path is None:
            return self._holder() if self._thread_lock().locked() else None
        return self._holder() if _is_locked(self._file(self.path)) else None

    def _is_acquired(
        self,
        lock: "_FileLock | threading.Lock",
        wait_s: float,
        tell: Callable[[str], None] | None,
    ) -> bool:
        if tell is None or wait_s <= _TOLD_AFTER_S:
            return lock.acquire(timeout=max(wait_s, _LEAST_WAIT_S))
        if lock.acquire(timeout=_TOLD_AFTER_S):
            return True
        tell(f"waiting for a {self.work} to end: {self._holder()}")
        return lock.acquire(timeout=wait_s - _TOLD_AFTER_S)

    def _lock(self) -> "_FileLock | threading.Lock":
        return self._thread_lock() if self.path is None else _FileLock(self._file(self.path))

    def _thread_lock(self) -> threading.Lock:
        return _of_threads.setdefault(self.database, {}).setdefault(self.work, threading.Lock())

    def _file(self, path: Path) -> Path:
        return Path(f"{os.path.realpath(path)}.{self.work}-lock")

    def _name_holder(self, holder: dict[str, object] | None) -> None:
        if self.path is not None:
            with self.database.transaction() as tx:
                write_meta(tx, self.holder_key, holder)

    def _holder(self) -> str:
        if self.path is None:
            return "a thread of this process"
        holder = read_meta(self.database, self.holder_key)
        if not holder or not is_still_there(holder):
            return "a process that has just begun"
        return f"{named(holder)}, since {holder['since']}"
