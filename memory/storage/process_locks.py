"""Locks that allow one sync, reindex, watcher and model extraction at a time on a database.

One of each may run together. Each is an operating-system lock on a file beside the database, or a
lock of the server that keeps it: it ends with its holder's process, and a recycled process id
cannot keep it.
"""

import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from weakref import WeakKeyDictionary

from contracts import BusyError, MemError, StorageError
from contracts.named_tuple import NamedTuple
from memory.storage import Database, utc_now
from memory.storage.database import WorkLock
from memory.storage.meta import (
    READING_HOLDER,
    REINDEX_HOLDER,
    SYNC_HOLDER,
    WATCH_HOLDER,
    read_meta,
    write_meta,
)
from memory.storage.process_names import is_still_there, named, this_process

UPGRADE_LOCK = "upgrade"
"""The work of changing to a better built-in model; it holds the reindex lock step by step."""

_LEAST_WAIT_S = 0.25
"""The time to keep trying for a lock: a process that reads the holder's name holds it briefly."""

_REPORT_WAIT_AFTER_S = 1.0
_POLL_S = 0.025


def sync_lock(
    database: Database,
    path: Path | None,
    *,
    wait_s: float = 0.0,
    tell: Callable[[str], None] | None = None,
) -> AbstractContextManager[None]:
    """Hold the sync lock of the database at `path` (None: only threads of this process share it).

    Waits up to `wait_s` seconds; `tell` receives one line after the first second. Raises BusyError
    with the holder's name when it is still held then, and StorageError when the lock file cannot be
    created.
    """
    return _Lock("sync", SYNC_HOLDER, database, path).held(wait_s, tell)


def reindex_lock(
    database: Database, path: Path | None, *, wait_s: float = 0.0
) -> AbstractContextManager[None]:
    """Hold the reindex lock of the database; like `sync_lock`."""
    return _Lock("reindex", REINDEX_HOLDER, database, path).held(wait_s)


def watch_lock(database: Database, path: Path | None) -> AbstractContextManager[None]:
    """Hold the lock of the database's one watcher; like `sync_lock`, without a wait."""
    return _Lock("watch", WATCH_HOLDER, database, path).held()


def reading_lock(database: Database, path: Path | None) -> AbstractContextManager[None]:
    """Hold the lock on extraction by a language model; like `sync_lock`, without a wait."""
    return _Lock("reading", READING_HOLDER, database, path).held()


def running_sync(database: Database, path: Path | None) -> str | None:
    """Return the current holder of the sync lock, or None."""
    return _Lock("sync", SYNC_HOLDER, database, path).running()


def running_reindex(database: Database, path: Path | None) -> str | None:
    """Return the current holder of the reindex lock, or None."""
    return _Lock("reindex", REINDEX_HOLDER, database, path).running()


def running_watch(database: Database, path: Path | None) -> str | None:
    """Return the current holder of the watcher's lock, or None."""
    return _Lock("watch", WATCH_HOLDER, database, path).running()


def work_lock(work: str, database: Database, path: Path | None) -> AbstractContextManager[None]:
    """Hold the lock of that work, one of those above or another; as `sync_lock`, without a wait."""
    return _Lock(work, f"{work}_holder", database, path).held()


def running_work(work: str, database: Database, path: Path | None) -> str | None:
    """The present holder of the lock of that work, or None."""
    return _Lock(work, f"{work}_holder", database, path).running()


class Lease:
    """The lock of some work, held beyond a block and by no thread in particular."""

    def __init__(self, work: str, database: Database, path: Path | None) -> None:
        self._lock = _Lock(work, f"{work}_holder", database, path)
        self._held: WorkLock | None = None

    def take(self) -> bool:
        """Hold it unless another process does; return whether it is held now.

        A lock that was lost is taken again. Raises what the database does.
        """
        if self._held is not None and self._held.is_held():
            return True
        self.close()
        if self._lock.running() is not None:
            return False
        try:
            self._held = self._lock.acquired()
        except BusyError:  # another one was quicker
            return False
        return True

    def close(self) -> None:
        """Give it back."""
        held, self._held = self._held, None
        if held is not None:
            self._lock.release(held)


class _LocalLock:
    """A lock of this machine, which is held until its holder gives it back or ends."""

    def is_held(self) -> bool:
        return True

    def guarding(self) -> AbstractContextManager[None]:
        return contextlib.nullcontext()


class _FileLock(_LocalLock):
    """A lock file."""

    def __init__(self, file: Path) -> None:
        from filelock import FileLock

        self._file = file
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

    def locked(self) -> bool:
        return _is_locked(self._file)


def _is_locked(file: Path) -> bool:
    """Return whether a lock file is held; works without write permission too.

    It tests the lock that `filelock` uses, without importing it: only status checks do so.
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
    except OSError:  # it is missing or unreadable
        return False
    return False


class _ThreadLock(_LocalLock):
    """A lock of the threads of this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()

    def acquire(self, *, timeout: float) -> bool:
        return self._lock.acquire(timeout=timeout)

    def release(self) -> None:
        self._lock.release()

    def locked(self) -> bool:
        return self._lock.locked()


_of_threads: WeakKeyDictionary[Database, dict[str, _ThreadLock]] = WeakKeyDictionary()
"""The locks of databases in memory, in place of lock files."""


class _Lock(NamedTuple):
    """The kind of work that one process at a time may do, and the `meta` key of its holder."""

    work: str
    holder_key: str
    database: Database
    path: Path | None

    @contextlib.contextmanager
    def held(
        self, wait_s: float = 0.0, tell: Callable[[str], None] | None = None
    ) -> Iterator[None]:
        lock = self.acquired(wait_s, tell)
        try:
            with lock.guarding():
                yield
        finally:
            self.release(lock)

    def acquired(self, wait_s: float = 0.0, tell: Callable[[str], None] | None = None) -> WorkLock:
        """Return the lock, held, with this process as its holder's name."""
        lock = self._lock()
        if not self._is_acquired(lock, wait_s, tell):
            raise BusyError(
                f"a {self.work} of {self.path or 'this database'} is running: {self._holder()}",
                hint="wait for it to end, or end that process; `mem status` shows it",
            )
        try:
            self._name_holder({**this_process(), "since": utc_now()})
        except BaseException:
            lock.release()
            raise
        return lock

    def release(self, lock: WorkLock) -> None:
        # This process may continue, and must not be named as the next holder.
        with contextlib.suppress(MemError):
            if lock.is_held():
                self._name_holder(None)
        lock.release()

    def running(self) -> str | None:
        if self.path is None:
            lock = self._server_lock() or self._thread_lock()
            return self._holder() if lock.locked() else None
        return self._holder() if _is_locked(self._file(self.path)) else None

    def _is_acquired(
        self,
        lock: WorkLock,
        wait_s: float,
        tell: Callable[[str], None] | None,
    ) -> bool:
        if tell is None or wait_s <= _REPORT_WAIT_AFTER_S:
            return lock.acquire(timeout=max(wait_s, _LEAST_WAIT_S))
        if lock.acquire(timeout=_REPORT_WAIT_AFTER_S):
            return True
        tell(f"waiting for a {self.work} to end: {self._holder()}")
        return lock.acquire(timeout=wait_s - _REPORT_WAIT_AFTER_S)

    def _lock(self) -> WorkLock:
        if self.path is not None:
            return _FileLock(self._file(self.path))
        return self._server_lock() or self._thread_lock()

    def _server_lock(self) -> WorkLock | None:
        return self.database.work_lock(self.work)

    def _thread_lock(self) -> _ThreadLock:
        return _of_threads.setdefault(self.database, {}).setdefault(self.work, _ThreadLock())

    def _file(self, path: Path) -> Path:
        return Path(f"{os.path.realpath(path)}.{self.work}-lock")

    def _name_holder(self, holder: dict[str, object] | None) -> None:
        if self._is_shared:
            with self.database.transaction() as tx:
                write_meta(tx, self.holder_key, holder)

    @property
    def _is_shared(self) -> bool:
        """Return whether other processes can hold the lock."""
        return self.path is not None or self._server_lock() is not None

    def _holder(self) -> str:
        if not self._is_shared:
            return "a thread of this process"
        holder = read_meta(self.database, self.holder_key)
        if not holder or not is_still_there(holder):
            return "a process that has just started"
        return f"{named(holder)}, since {holder['since']}"
