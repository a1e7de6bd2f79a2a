"""Processes that run `tests.memory.processes`, and what a test and they say to each other."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.repository import ROOT
from tests.waiting import DEADLINE_S


def start(task: str, base: Path, given: str = "") -> subprocess.Popen[str]:
    """Begin a task on the database of this folder."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.memory.processes", task, str(base), given],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def lines(process: subprocess.Popen[str]) -> Iterator[str]:
    """The lines that it says from now on, each as soon as it has said it."""
    assert process.stdout is not None
    return (line.strip() for line in process.stdout)


def go_on(process: subprocess.Popen[str]) -> None:
    """Let a process continue that waits for that."""
    assert process.stdin is not None
    process.stdin.write("go on\n")
    process.stdin.flush()


def kill(process: subprocess.Popen[str]) -> None:
    process.kill()
    end(process)


def end(process: subprocess.Popen[str]) -> int:
    """Wait for its end; return its exit code."""
    code = process.wait(DEADLINE_S)
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
    return code
