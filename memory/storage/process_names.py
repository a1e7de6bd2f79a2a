"""Names a process so that the name is never taken for another one's that got the same id."""

import os
import shlex
import socket
import sys
from pathlib import Path
from typing import Any

_MOST_OF_A_COMMAND = 60


def this_process() -> dict[str, Any]:
    """The process that asks, as JSON can hold it; `is_still_there` and `named` take it.

    `place` and `started` are None where the system does not tell them.
    """
    pid = os.getpid()
    return {
        "pid": pid,
        "host": socket.gethostname(),
        "command": _command(),
        "place": _place(),
        "started": _started(pid),
    }


def is_still_there(process: dict[str, Any]) -> bool:
    """False when the process has ended, whoever may have its id now.

    True for one that cannot be seen from here: on another machine, in another container, or named
    by an older program.
    """
    started = process.get("started")
    if started is None or process.get("place") != _place():
        return True
    return bool(_started(process["pid"]) == started)


def named(process: dict[str, Any]) -> str:
    """`process 123 (mem sync docs) on host`."""
    command = f" ({process['command']})" if process.get("command") else ""
    return f"process {process['pid']}{command} on {process['host']}"


def _command() -> str:
    """What was typed, of every path its last part, so that what it does is to be seen."""
    line = shlex.join([argument.rstrip("/").rpartition("/")[2] for argument in sys.argv])
    shown = line.encode("utf-8", "replace").decode()
    return shown if len(shown) <= _MOST_OF_A_COMMAND else f"{shown[: _MOST_OF_A_COMMAND - 3]}..."


def _place() -> str | None:
    """Where a process id means one process: the system since its start, and the container."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
        return f"{boot} {Path('/proc/self/ns/pid').stat().st_ino}"
    except OSError:
        return None


def _started(pid: int) -> int | None:
    """When a process began, in clock ticks since the system did; None when there is none."""
    try:
        line = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return None
    return int(line.rpartition(b")")[2].split()[19])  # field 22 of proc(5); the name may have ")"
