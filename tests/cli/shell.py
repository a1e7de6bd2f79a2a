"""Tools for tests of the command line: an answer of `mem`, and `mem` as a process."""

import contextlib
import fcntl
import json
import os
import pty
import struct
import subprocess
import sys
import termios
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from cli.main import run
from tests.waiting import DEADLINE_S

ROOT = Path(__file__).parents[2]


SETUP = """\
# Setup

## Install

Run the installer and wait.
It takes a minute.

## Configure

Set max_results to 20. The function getUserById returns a user.
"""
"""The document that most tests search."""


@dataclass(frozen=True)
class Answer:
    """The exit code and what was printed."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The JSON on stdout, which must hold nothing else."""
        return json.loads(self.out)

    @property
    def error(self) -> Any:
        """The JSON on stderr."""
        return json.loads(self.err)


Mem = Callable[..., Answer]
"""Runs `mem` with the given arguments: what the fixtures of that name are."""


def environment(**changes: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), **changes}


def unmeasured(variables: dict[str, str]) -> dict[str, str]:
    """The same without the measuring of coverage, which now and then hangs when interrupted."""
    return {name: value for name, value in variables.items() if not name.startswith("COVERAGE_")}


def start(*arguments: str, cwd: Path, **changes: str) -> subprocess.Popen[str]:
    """`mem` in a process of its own that may be interrupted, with these changes of the environment.

    What it runs is not measured.
    """
    return subprocess.Popen(
        [sys.executable, "-m", "cli.main", *arguments],
        cwd=cwd,
        env=unmeasured(environment(**changes)),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        errors="surrogateescape",
    )


def shell(
    *arguments: str, cwd: Path, stdin: str = "", module: str = "cli.main", **changes: str
) -> Answer:
    """The answer of `mem`, or of another program of ours, in a process of its own."""
    return _python("-m", module, *arguments, cwd=cwd, stdin=stdin, **changes)


def python(code: str, *arguments: str, cwd: Path, stdin: str = "", **changes: str) -> Answer:
    """The answer of a Python of its own to some code."""
    return _python("-c", code, *arguments, cwd=cwd, stdin=stdin, **changes)


def _python(*arguments: str, cwd: Path, stdin: str, **changes: str) -> Answer:
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        env=environment(**changes),
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="surrogateescape",
        timeout=DEADLINE_S,
        check=False,
    )
    return Answer(done.returncode, done.stdout, done.stderr)


def at_a_terminal(
    *arguments: str,
    monkeypatch: pytest.MonkeyPatch,
    stream: str = "stderr",
    size: tuple[int, int] = (24, 80),
) -> str:
    """The output of `mem` on a terminal of `size` (rows, columns) that is its stderr or stdout."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("4H", *size, 0, 0))
    seen: list[bytes] = []

    def watch() -> None:
        # Linux ends the reading with an error when the other end is closed.
        with contextlib.suppress(OSError):
            while part := os.read(ours, 65536):
                seen.append(part)

    watcher = threading.Thread(target=watch)
    watcher.start()

    with os.fdopen(theirs, "w", encoding="utf-8") as screen, monkeypatch.context() as patched:
        patched.setattr(sys, stream, screen)
        assert run(arguments) == 0
    watcher.join()
    os.close(ours)
    return b"".join(seen).decode()
