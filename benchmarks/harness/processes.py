"""Run commands as a user would, in separate processes, and measure them."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from providers.settings import TEST_VARIABLE

ROOT = Path(__file__).parents[2]
_INSTALLED = Path(sys.executable).parent / "mem"
_CHILD = Path(__file__).parent / "child.py"
_MAXRSS_BYTES = 1 if sys.platform == "darwin" else 1024  # getrusage(2) of macOS counts bytes
_LAST_LINES = 20
_STOP_S = 20
_LEFT_OUT = ("MEM_", "PYTHON", "COV_", "COVERAGE_")


@dataclass(frozen=True, slots=True)
class Finished:
    """A successful command: wall and processor time, peak resident memory, its output."""

    seconds: float
    cpu_seconds: float
    peak_bytes: int
    output: str


def mem_command() -> list[str]:
    """The command that starts `mem`: as installed beside this Python, else from the source."""
    return [str(_INSTALLED)] if _INSTALLED.exists() else [sys.executable, "-m", "cli.main"]


def environment(home: Path) -> dict[str, str]:
    """The present environment without variables that could change settings, paths or speed.

    Python's own variables are removed too: without its compiled files every start would cost more
    than it does for a user.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_LEFT_OUT)}
    folders = {"HOME": home, "XDG_CONFIG_HOME": home / "config", "XDG_DATA_HOME": home / "data"}
    source = {} if _INSTALLED.exists() else {"PYTHONPATH": str(ROOT)}
    return {
        **kept,
        **source,
        **{name: str(folder) for name, folder in folders.items()},
        "NO_COLOR": "1",
        TEST_VARIABLE: "1",  # one measurement changes to the fake model
    }


def run(command: Sequence[str], *, home: Path, one_core: bool = False) -> Finished:
    """Run a command to its end, in the folder `home`. Raises RuntimeError if it fails."""
    report, output = home / "child-report.txt", home / "child-output.txt"
    starter = [sys.executable, "-I", "-S", str(_CHILD), str(report)]
    with output.open("wb") as stream:
        subprocess.run(
            [*starter, str(last_core()) if one_core else "any", *command],
            stdout=stream,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            cwd=home,
            env=environment(home),
            check=True,
        )
    text = output.read_text(encoding="utf-8", errors="replace")
    seconds, code, peak, cpu_seconds = report.read_text(encoding="ascii").split()
    if code != "0":
        said = "\n".join(text.splitlines()[-_LAST_LINES:])
        raise RuntimeError(f"{' '.join(command)} ended with {code} and said:\n{said}")
    return Finished(float(seconds), float(cpu_seconds), int(peak) * _MAXRSS_BYTES, text)


def repeated(command: Sequence[str], *, home: Path, runs: int) -> list[Finished]:
    """Each of `runs` runs of a command, after one more that warms the disk's cache."""
    return [run(command, home=home) for _ in range(runs + 1)][1:]


def stop(process: "subprocess.Popen[Any]") -> None:
    """End a process, by force if it does not end itself in time."""
    process.terminate()
    try:
        process.wait(_STOP_S)
    except subprocess.TimeoutExpired:
        process.kill()


def last_core() -> int | str:
    """The processor for pinned work; `any` if processes cannot be pinned."""
    if not hasattr(os, "sched_getaffinity"):
        return "any"
    return max(os.sched_getaffinity(0))


@contextlib.contextmanager
def on_one_core() -> Iterator[None]:
    """Pin this process to one processor, if possible."""
    core = last_core()
    if isinstance(core, str):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
