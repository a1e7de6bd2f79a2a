"""Has the files of a sync read and cut, in their order: in this process, or in others beside it.

Formats that are more than text are always read in a worker, which can be held to limits and may
crash. Text goes to workers too when the configuration gives their number. It does not by itself: on
two processors, 404 files of 16 KB took 4.2 to 5.0 s here and 4.6 to 5.1 s by workers, since what
stores them is the slower half.
"""

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Literal, NamedTuple, cast

from ingest import FileEntry, LoadLimits, SkippedFile, is_heavy, missing_extra
from memory.index.documents import Document
from memory.index.preparation import Prepared, Preparing, be_ready, prepare_bytes, prepare_file

if TYPE_CHECKING:
    from ingest.workers import WorkerPool
    from ingest.workers.pool import Outcome

MOST_AUTO = 8
"""Workers that `auto` starts at most: the process that stores what they make is slower."""

AHEAD_FILES = 4
"""Files that wait for each worker, or for their turn to be stored."""

AHEAD_BYTES = 64 * 1024 * 1024
"""Their bytes at most, unless it is one file."""


class FileToRead(NamedTuple):
    """A file with what is known of it; `document` is the row that it will have."""

    entry: FileEntry
    known: Document
    document: Document


class _Ahead(NamedTuple):
    file: FileToRead
    result: "Prepared | SkippedFile | Outcome"


class KeptWorkers:
    """Workers that outlive a sync, for a process that soon makes another: starting one takes longer
    than most files do. Any thread may use it; close it when done.
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
        """Have one worker at hand for who is going to take a pool for as many, unless there is."""
        with self._lock:
            if self._pool is not None or self._is_closed:
                return
        pool = self.take(max(1, pool_size(workers)), limits)
        pool.submit(be_ready, "")
        self.give_back(pool, is_unused=True)

    def take(self, size: int, limits: LoadLimits) -> "WorkerPool":
        """A pool for the caller alone, until it gives it back."""
        with self._lock:
            pool, self._pool = self._pool, None
            is_fitting, self._made_for = self._made_for == (size, limits), (size, limits)
        if pool is not None and is_fitting:
            return pool
        if pool is not None:
            pool.close()
        return _new_pool(size, limits)

    def give_back(self, pool: "WorkerPool", *, is_unused: bool = False) -> None:
        """Take a pool back that has nothing left to do."""
        with self._lock:
            other, self._pool = (pool, None) if self._is_closed else (self._pool, pool)
            self._idle_since_s, self._is_unused = self._now_s(), is_unused
        if other is not None:
            other.close()

    def close_idle(self, idle_s: float) -> None:
        """End the workers that have done something and then nothing for so long."""
        with self._lock:
            is_idle = self._now_s() >= self._idle_since_s + idle_s
            if self._pool is None or self._is_unused or not is_idle:
                return
            pool, self._pool = self._pool, None
        pool.close()

    def close(self) -> None:
        """End the workers, those that somebody has taken when they are given back."""
        with self._lock:
            self._is_closed = True
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.close()


def _new_pool(size: int, limits: LoadLimits) -> "WorkerPool":
    from ingest.workers import WorkerPool

    return WorkerPool(size, limits)


class Readers:
    """Close it when done, or use it as a context manager."""

    def __init__(
        self,
        how: Callable[[], Preparing],
        *,
        workers: int | Literal["auto"],
        kept: KeptWorkers | None = None,
    ) -> None:
        """`how` is asked for each file: another space may begin to answer meanwhile.

        Workers are taken from those that are `kept`, and left to them unless something went wrong.
        """
        self._how = how
        self._size = pool_size(workers)
        self._parallel = workers != "auto" and self._size > 0
        self._kept = kept
        self._pool: WorkerPool | None = None
        self._ahead: deque[_Ahead] = deque()
        self._ahead_bytes = 0

    def __enter__(self) -> "Readers":
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
    ) -> Iterator[tuple[FileToRead, Prepared | SkippedFile]]:
        """Take on a file with these bytes; gives those whose turn it is.

        Raises UnavailableError when no worker can be started.
        """
        how = self._how()
        path = file.document.path
        result: Prepared | SkippedFile | Outcome
        if missing_extra(path) is None and (self._parallel or is_heavy(path)):
            result = self._workers().submit(prepare_file, path, file.document, how)
        else:
            result = prepare_bytes(data, file.document, how)
        self._ahead.append(_Ahead(file, result))
        self._ahead_bytes += file.entry.size_bytes
        while self._ahead and self._is_full():
            yield self._next()

    def rest(self) -> Iterator[tuple[FileToRead, Prepared | SkippedFile]]:
        """What has not been given yet."""
        while self._ahead:
            yield self._next()

    def _is_full(self) -> bool:
        if isinstance(self._ahead[0].result, Prepared | SkippedFile):
            return True
        most = AHEAD_FILES * max(1, self._size)
        return len(self._ahead) > most or self._ahead_bytes > AHEAD_BYTES

    def _next(self) -> tuple[FileToRead, Prepared | SkippedFile]:
        file, result = self._ahead.popleft()
        self._ahead_bytes -= file.entry.size_bytes
        if not isinstance(result, Prepared | SkippedFile):
            result = cast("Prepared | SkippedFile", result.get())
        return file, result

    def _workers(self) -> "WorkerPool":
        if self._pool is None:
            take = _new_pool if self._kept is None else self._kept.take
            self._pool = take(max(1, self._size), self._how().limits)
        return self._pool


def pool_size(workers: int | Literal["auto"]) -> int:
    """How many workers the configuration allows here."""
    return min(_processors(), MOST_AUTO) if workers == "auto" else workers


def _processors() -> int:
    """Those that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
