"""Waiting in tests: for a condition, or for the end of a process, and never for ever."""

import subprocess
import time
from collections.abc import Callable
from typing import AnyStr

DEADLINE_S = 240
"""Seconds that anything may take before a test gives up, on a machine that is busy with others."""

_PAUSE_S = 0.005


def wait_until(condition: Callable[[], object], what: str = "what was waited for") -> None:
    """Wait until a condition is true; `what` says it in words, should it never be."""
    deadline = time.monotonic() + DEADLINE_S
    while not condition():
        assert time.monotonic() < deadline, f"not within {DEADLINE_S} s: {what}"
        time.sleep(_PAUSE_S)


def output_of(
    process: "subprocess.Popen[AnyStr]", stdin: AnyStr | None = None
) -> tuple[AnyStr, AnyStr]:
    """Wait for the end of a process, and return what it wrote to stdout and to stderr.

    One that does not end is killed, and the test fails with what it has said so far.
    """
    try:
        return process.communicate(stdin, timeout=DEADLINE_S)
    except subprocess.TimeoutExpired as expired:
        process.kill()
        said = f"stdout: {expired.output!r}, stderr: {expired.stderr!r}"
        raise AssertionError(f"{process.args} did not end in {DEADLINE_S} s; {said}") from None
