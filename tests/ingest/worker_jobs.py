"""Jobs for the tests of workers; a worker imports this module by name."""

import os
import re
import signal
import threading
import time
from pathlib import Path

from ingest import LoadLimits
from ingest.workers.limits import held

KEPT: list[bytes] = []


def own_id(path: str) -> int:
    return os.getpid()


def echo(path: str, number: int) -> tuple[str, int]:
    time.sleep((number % 3) / 1000)  # later ones overtake earlier ones
    return path, number


def chatter(path: str) -> str:
    """Write to both outputs and read from the input, as libraries do."""
    os.write(1, b"warning: one\n" * 10_000)
    os.write(2, b"warning: two\n" * 10_000)
    return os.read(0, 10).decode()


def refuse_to_work(path: str) -> None:
    raise ValueError(f"no {path}")


def crash(path: str, number: int) -> None:
    os.kill(os.getpid(), number)


def leave(path: str) -> None:
    os._exit(3)


def run_away(path: str, limits: LoadLimits) -> None:
    """Keep the interpreter's lock for ever, as a bad regular expression does."""
    with held(limits):
        re.match(r"(a+)+$", "a" * 100 + "b")


def wait(path: str, limits: LoadLimits) -> None:
    """Need no processor for ever, as a library does that waits for itself."""
    with held(limits):
        threading.Event().wait()


def be_slow(path: str, limits: LoadLimits) -> str:
    """Take long by the clock, but little of the processor, as on a machine that is busy."""
    with held(limits):
        threading.Event().wait(limits.seconds * 3)
    return path


def say_and_run_away(path: str) -> None:
    Path(path).write_text(str(os.getpid()))
    signal.pause()


def grow(path: str, limits: LoadLimits) -> int:
    """The number of MiB allocated before memory ran out."""
    kept = []
    with held(limits):
        try:
            while True:
                kept.append(bytearray(2**20))
        except MemoryError:
            return len(kept)


def hoard(path: str) -> int:
    KEPT.append(bytearray(300 * 2**20))
    return os.getpid()
