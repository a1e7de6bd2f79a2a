"""The reader of the files of a sync, in order: in this process, or in parallel worker processes.

Formats that are more than text are always read in a worker, which can be limited and may crash.
Text goes to workers too when the configuration sets their number. By default it does not: on two
processors, 404 files of 16 KB took 4.2 to 5.0 s here and 4.6 to 5.1 s by workers, since storing the
results is the slower half.
"""

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Literal, cast

from contracts.named_tuple import NamedTuple
from ingest import FileEntry, LoadLimits, SkippedFile, is_heavy, missing_extra
from memory.index.documents import Document
from memory.index.preparation import (
    PreparedDocument,
    PrepareSettings,
    prepare_bytes,
    prepare_file,
    warm_up,
)

if TYPE_CHECKING:
    from ingest.workers import WorkerPool
    from ingest.workers.pool import PendingResult

MOST_AUTO = 8
"""Most workers that `auto` starts: the process that stores their results is slower."""

AHEAD_FILES = 4
"""Files that wait for each worker, or for their turn to be stored."""

AHEAD_BYTES = 64 * 1024 * 1024
"""Most bytes of those, unless it is one file."""


class FileToRead(NamedTuple):
    """A file with its document, the row that it will have."""

    entry: FileEntry
    known: Document
    document: Document


class _Ahead(NamedTuple):
    file: FileToRead
    result: "PreparedDocument | SkippedFile | PendingResult"


class KeptWorkers:
    """Workers that outlive a sync, for a process that syncs often: starting one takes longer
    than reading most files. Any thread may use it; close it when done.
    """

    def __init__(self, *, now_s: Callable[[], float] = time.monotonic) -> None:
        self._now_s = now_s
        self._lock = threading.Lock()
        self._pool: WorkerPool | None = None
        self._made_for: tuple[int, LoadLimits] | None = None
        self._idle_since_s = 0.0
        self._is_unused = False
        self._is_closed = False

    def start(self, workers: int | Literal["auto"], limits: LoadLimits) -> None:
        """Start one worker for a later `take` of the same size and limits, unless there is one."""
        with self._lock:
            if self._pool is not None or self._is_closed:
                return
        pool = self.take(max(1, pool_size(workers)), limits)
        pool.submit(warm_up, "")
        self.give_back(pool, is_unused=True)

    def take(self, size: int, limits: LoadLimits) -> "WorkerPool":
        """Return a pool for the caller alone, until `give_back`."""
        with self._lock:
            pool, self._pool = self._pool, None
            is_fitting, self._made_for = self._made_for == (size, limits), (size, limits)
        if pool is not None and is_fitting:
            return pool
        if pool is not None:
            pool.close()
        return _new_pool(size, limits)

    def give_back(self, pool: "WorkerPool", *, is_unused: bool = False) -> None:
        """Take a pool back that has no work left."""
        with self._lock:
            other, self._pool = (pool, None) if self._is_closed else (self._pool, pool)
            self._idle_since_s, self._is_unused = self._now_s(), is_unused
        if other is not None:
            other.close()

    def close_idle(self, idle_s: float) -> None:
        """End the workers that have been idle for so long after some work."""
        with self._lock:
            is_idle = self._now_s() >= self._idle_since_s + idle_s
            if self._pool is None or self._is_unused or not is_idle:
                return
            pool, self._pool = self._pool, None
        pool.close()

    def close(self) -> None:
        """End the workers; those in use when they are given back."""
        with self._lock:
            self._is_closed = True
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.close()


def _new_pool(size: int, limits: LoadLimits) -> "WorkerPool":
    from ingest.workers import WorkerPool

    return WorkerPool(size, limits)


class ParallelReader:
    """A reader of files, here and in workers. Close it, or use it as a context manager."""

    def __init__(
        self,
        how: Callable[[], PrepareSettings],
        *,
        workers: int | Literal["auto"],
        kept: KeptWorkers | None = None,
    ) -> None:
        """`how` is called for each file: another space may become active in between.

        Workers are taken from `kept`, and returned to it unless something went wrong.
        """
        self._how = how
        self._size = pool_size(workers)
        self._parallel = workers != "auto" and self._size > 0
        self._kept = kept
        self._pool: WorkerPool | None = None
        self._ahead: deque[_Ahead] = deque()
        self._ahead_bytes = 0

    def __enter__(self) -> "ParallelReader":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._pool is None:
            return
        if self._kept is None or kind is not None:
            self._pool.close()
        else:
            self._kept.give_back(self._pool)

    def add(
        self, file: FileToRead, data: bytes
    ) -> Iterator[tuple[FileToRead, PreparedDocument | SkippedFile]]:
        """Add a file with these bytes; yields those whose turn it is.

        Raises UnavailableError when no worker can be started.
        """
        how = self._how()
        path = file.document.path
        result: PreparedDocument | SkippedFile | PendingResult
        if missing_extra(path) is None and (self._parallel or is_heavy(path)):
            result = self._workers().submit(prepare_file, path, file.document, how)
        else:
            result = prepare_bytes(data, file.document, how)
        self._ahead.append(_Ahead(file, result))
        self._ahead_bytes += file.entry.size_bytes
        while self._ahead and self._is_full():
            yield self._next()

    def rest(self) -> Iterator[tuple[FileToRead, PreparedDocument | SkippedFile]]:
        """Yield the files that are left."""
        while self._ahead:
            yield self._next()

    def _is_full(self) -> bool:
        if isinstance(self._ahead[0].result, PreparedDocument | SkippedFile):
            return True
        most = AHEAD_FILES * max(1, self._size)
        return len(self._ahead) > most or self._ahead_bytes > AHEAD_BYTES

    def _next(self) -> tuple[FileToRead, PreparedDocument | SkippedFile]:
        file, result = self._ahead.popleft()
        self._ahead_bytes -= file.entry.size_bytes
        if not isinstance(result, PreparedDocument | SkippedFile):
            result = cast("PreparedDocument | SkippedFile", result.get())
        return file, result

    def _workers(self) -> "WorkerPool":
        if self._pool is None:
            take = _new_pool if self._kept is None else self._kept.take
            self._pool = take(max(1, self._size), self._how().limits)
        return self._pool


def pool_size(workers: int | Literal["auto"]) -> int:
    """Return the number of workers that the configuration allows here."""
    return min(_processors(), MOST_AUTO) if workers == "auto" else workers


def _processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
