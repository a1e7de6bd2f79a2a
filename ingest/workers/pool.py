"""Give jobs to worker processes and report the results.

A worker is a separate interpreter that shares nothing with this one: neither threads nor locks nor
database connections can be damaged, and a script without a `__main__` guard is not run again. A
failure of a worker costs only the file that it was reading, and the next job gets a new one.
"""

import json
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Final, cast

from contracts import UnavailableError
from contracts.named_tuple import NamedTuple
from ingest.loaders.reading import describe
from ingest.values import LoadLimits, SkippedFile
from ingest.workers.limits import exit_refusal
from ingest.workers.replies import LAST, Reply

_PATIENCE_S: Final = 1.0
"""Seconds in which an idle worker must end by itself."""

_START: Final = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from ingest.workers.process import serve
serve(int(sys.argv[2]), int(sys.argv[3]))
"""


class PendingResult:
    """The result of a job, kept as bytes until it is asked for."""

    def __init__(self, path: str, future: "Future[bytes | SkippedFile]") -> None:
        self.path = path
        self._future = future

    def get(self) -> object:
        """Wait for the job's return value, or a SkippedFile in its place; raises what it raised."""
        answer = self._future.result()
        if isinstance(answer, SkippedFile):
            return answer
        reply = cast(Reply, pickle.loads(answer))  # noqa: S301 - from our own process
        if reply.error is not None:
            raise reply.error
        return reply.result


class WorkerPool:
    """Up to `size` workers, started at their first use; for the thread that made it only.

    `limits` are those that the jobs enforce themselves, by `load_within`.
    """

    def __init__(self, size: int, limits: LoadLimits) -> None:
        self._limits = limits
        self._threads = ThreadPoolExecutor(size, thread_name_prefix="reader")
        self._own = threading.local()
        self._lock = threading.Lock()
        self._workers: set[_Worker] = set()
        self._closed = False

    def __enter__(self) -> "WorkerPool":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the workers, even busy ones."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            self._closed = True
            workers = list(self._workers)
        for worker in workers:
            worker.end()
        self._threads.shutdown()

    def submit(
        self, function: Callable[..., object], path: str, *arguments: object
    ) -> PendingResult:
        """Have a worker call `function(path, *arguments)`, which it must be able to import."""
        job = pickle.dumps((function, (path, *arguments)))
        return PendingResult(path, self._threads.submit(self._ask, path, job))

    def _ask(self, path: str, job: bytes) -> bytes | SkippedFile:
        """Run in a thread that owns a worker: the worker ends with its thread."""
        worker = self._worker()
        try:
            answer = worker.ask(job)
        except (EOFError, OSError):
            self._forget(worker)
            return exit_refusal(path, worker.end(), self._limits)
        if answer.last:
            self._forget(worker)
            worker.end()
        return answer.reply

    def _worker(self) -> "_Worker":
        worker: _Worker | None = getattr(self._own, "worker", None)
        if worker is None:
            worker = _Worker()
            with self._lock:
                self._workers.add(worker)
                closed = self._closed
            if closed:
                worker.end()
            worker.greet()
            self._own.worker = worker
        return worker

    def _forget(self, worker: "_Worker") -> None:
        self._own.worker = None
        with self._lock:
            self._workers.discard(worker)


class _Answer(NamedTuple):
    reply: bytes
    last: bool


class _Worker:
    """One process, and the socket to it."""

    def __init__(self) -> None:
        from multiprocessing import Pipe

        ours, theirs = Pipe()
        path = [folder or str(Path.cwd()) for folder in sys.path]
        start = [sys.executable, "-P", "-c", _START, json.dumps(path)]
        self._busy = threading.Lock()
        try:
            self._process = subprocess.Popen(  # noqa: S603 - this program itself
                [*start, str(theirs.fileno()), str(os.getpid())],
                pass_fds=(theirs.fileno(),),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                process_group=0,
            )
        except OSError as error:
            ours.close()
            raise _unavailable(describe(error)) from error
        finally:
            theirs.close()
        self._jobs = ours

    def greet(self) -> None:
        """Wait until it has started. Raises UnavailableError when it does not."""
        try:
            self._jobs.recv_bytes()
        except (EOFError, OSError) as error:
            raise _unavailable(f"it ended at once, with exit code {self.end()}") from error

    def ask(self, job: bytes) -> _Answer:
        """Send a job; raises EOFError or OSError when the worker ends during it."""
        with self._busy:
            self._jobs.send_bytes(job)
            reply = self._jobs.recv_bytes()
            return _Answer(reply, self._jobs.recv_bytes() == LAST)

    def end(self) -> int:
        """Let it end if it is idle, else end it; return its exit status, negative for a signal."""
        if self._busy.acquire(blocking=False):
            self._jobs.close()  # which tells it that there are no more jobs
            self._busy.release()
        else:
            self._process.kill()
        try:
            return self._process.wait(_PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()


def _unavailable(what: str) -> UnavailableError:
    return UnavailableError(
        f"no process can be started to read files with: {what}",
        hint="see how many processes and how much memory the system allows (ulimit -a)",
    )
