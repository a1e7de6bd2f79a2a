"""Read one file within limits of time and memory.

The kernel enforces both: no library can evade them, and they hold even when the parent process is
gone. They apply to a whole process, which is therefore a worker.
"""

import contextlib
import signal
import sys
from collections.abc import Iterator
from typing import Final

from contracts import UnavailableError
from ingest.loaders import LoadedText, load_bytes
from ingest.loaders.reading import refuse
from ingest.values import LoadLimits, SkippedFile

try:
    import resource
except ImportError as error:
    raise UnavailableError(
        f"files are read within limits of time and memory that {sys.platform} does not have",
        hint="on Windows, run it in WSL 2, see docs/running.md",
    ) from error

WAIT_FACTOR: Final = 10
"""The clock time that a file may take, as a multiple of its processor time: on a busy machine a
reader waits for its turn.
"""

OUT_OF_WORK: Final = signal.SIGPROF
OUT_OF_TIME: Final = signal.SIGALRM
"""The signals that end a process after its time on a processor, or by the clock."""

GAVE_UP: Final = frozenset({signal.SIGABRT, signal.SIGILL, signal.SIGTRAP})
"""The exit of a library that ends its process: usually when it gets no more memory."""


def load_within(data: bytes, name: str, limits: LoadLimits) -> LoadedText | SkippedFile:
    """As `load_bytes`, in a worker: within limits of time and memory, with only the file's own
    errors.
    """
    try:
        with held(limits):
            return load_bytes(data, name, limits=limits)
    except MemoryError:
        return refuse(name, "over-limit", _memory_detail(limits))
    except Exception as error:  # noqa: BLE001 - whatever a library raises costs this file only
        return refuse(name, "broken", f"its reader failed ({type(error).__name__})")


def exit_refusal(path: str, status: int, limits: LoadLimits) -> SkippedFile:
    """The meaning of a worker's exit status for the file that it was reading."""
    if status == -OUT_OF_WORK:
        return refuse(path, "over-limit", _work_detail(limits))
    if status == -OUT_OF_TIME:
        return refuse(path, "over-limit", _time_detail(limits))
    if -status in GAVE_UP:
        return refuse(path, "over-limit", _gave_up_detail(limits))
    if status == -signal.SIGKILL:  # by another process, or for lack of memory: it may pass
        return refuse(path, "unreadable", "its reader was killed")
    how = signal.Signals(-status).name if status < 0 else f"exit code {status}"
    return refuse(path, "broken", f"its reader crashed ({how})")


def _work_detail(limits: LoadLimits) -> str:
    return f"took more than {limits.seconds:g} s of processor time to read"


def _time_detail(limits: LoadLimits) -> str:
    return f"took longer than {limits.seconds * WAIT_FACTOR:g} s to read"


def _memory_detail(limits: LoadLimits) -> str:
    return f"took more than {limits.memory_bytes >> 20} MiB of memory to read"


def _gave_up_detail(limits: LoadLimits) -> str:
    return f"its reader gave up with {limits.memory_bytes >> 20} MiB of memory"


@contextlib.contextmanager
def held(limits: LoadLimits) -> Iterator[None]:
    """Limit the time and memory of this process.

    Time is that of processors, and by the clock WAIT_FACTOR times as much. Memory is bounded where
    the kernel counts a process's requests: Linux.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_DATA, (data_bytes() + limits.memory_bytes, hard))
    signal.setitimer(signal.ITIMER_PROF, limits.seconds)
    signal.setitimer(signal.ITIMER_REAL, limits.seconds * WAIT_FACTOR)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.setitimer(signal.ITIMER_PROF, 0)
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def data_bytes() -> int:
    """The memory that the kernel counts against the limit; 0 if unknown."""
    with contextlib.suppress(OSError), open("/proc/self/status", encoding="ascii") as status:  # noqa: PTH123 - a file of the kernel
        for line in status:
            if line.startswith("VmData:"):
                return int(line.split()[1]) * 1024
    return 0
