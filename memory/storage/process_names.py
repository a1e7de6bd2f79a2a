"""Names of processes that no other process shares, not even a later one with the same id."""

import os
import shlex
import socket
import sys
from pathlib import Path
from typing import Any

_MOST_OF_A_COMMAND = 60


def this_process() -> dict[str, Any]:
    """Return the name of this process as JSON values, for `is_still_there` and `named`.

    `place` and `started` may be None: some systems do not report them.
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
    """Return False when the process has ended, even if another process has its id now.

    True for a process that cannot be seen from here: on another machine, in another container, or
    named by an older program.
    """
    started = process.get("started")
    if started is None or process.get("place") != _place():
        return True
    return bool(_started(process["pid"]) == started)


def named(process: dict[str, Any]) -> str:
    """Return text such as `process 123 (mem sync docs) on host`."""
    command = f" ({process['command']})" if process.get("command") else ""
    return f"process {process['pid']}{command} on {process['host']}"


def _command() -> str:
    """Return the command line, each path shortened to its last part."""
    line = shlex.join([argument.rstrip("/").rpartition("/")[2] for argument in sys.argv])
    shown = line.encode("utf-8", "replace").decode()
    return shown if len(shown) <= _MOST_OF_A_COMMAND else f"{shown[: _MOST_OF_A_COMMAND - 3]}..."


def _place() -> str | None:
    """Return the scope of process ids: this boot of the system, and the container."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
        return f"{boot} {Path('/proc/self/ns/pid').stat().st_ino}"
    except OSError:
        return None


def _started(pid: int) -> int | None:
    """Return when a process began, in clock ticks since boot; None without such a process."""
    try:
        line = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return None
    return int(line.rpartition(b")")[2].split()[19])  # field 22 of proc(5); the name may have ")"
