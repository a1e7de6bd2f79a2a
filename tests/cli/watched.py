"""Processes whose every reach for the network is written down, by Python's audit events.

What native code would do by itself is seen from outside: the sockets of the process, as the system
lists them while it runs.
"""

import os
import re
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from tests.cli.shell import environment, unmeasured
from tests.waiting import DEADLINE_S, output_of

_HOOK: Final = """
import os
import sys

_NAMES = {
    *("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"),
    *("socket.sendmsg", "socket.getnameinfo", "socket.gethostbyaddr"),
}
_log = os.open(os.environ["NETWORK_LOG"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)


def _watch(event, arguments):
    if event in _NAMES:
        shown = [repr(item) for item in arguments if isinstance(item, (str, bytes, int, tuple))]
        os.write(_log, f"{event} {' '.join(shown)}\\n".encode())


sys.addaudithook(_watch)
"""
_SOCKET: Final = re.compile(r"socket:\[(\d+)\]")
_CONNECTED: Final = frozenset({"01", "02", "03", "08"})
"""States of TCP sockets with another end: established, syn sent or received, close wait."""


class Watched(NamedTuple):
    """The record of a process: its exit code, its output, and its connections.

    `events` are Python's, `ends` the addresses at the other end of its sockets, in hexadecimal as
    the system writes them.
    """

    code: int
    out: str
    err: str
    events: list[str]
    ends: set[str]


def variables(folder: Path, **changes: str) -> dict[str, str]:
    """The environment of a process that is watched; `folder` gets the hook and the log."""
    hook = folder / "hook"
    hook.mkdir(exist_ok=True)
    (hook / "sitecustomize.py").write_text(_HOOK)
    found = unmeasured(environment(NETWORK_LOG=str(folder / "network.log"), **changes))
    found["PYTHONPATH"] = os.pathsep.join((str(hook), found["PYTHONPATH"]))
    # The tests forbid the hub for themselves; a user's environment does not.
    return {name: value for name, value in found.items() if name != "HF_HUB_OFFLINE"}


def events(folder: Path) -> list[str]:
    """The events since the last call, which are cleared."""
    log = folder / "network.log"
    found = log.read_text().splitlines() if log.exists() else []
    log.unlink(missing_ok=True)
    return found


def watched(*command: str, cwd: Path, env: Mapping[str, str]) -> Watched:
    """Run a Python program to its end."""
    process = subprocess.Popen(
        [sys.executable, *command],
        cwd=cwd,
        env=dict(env),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    ends: set[str] = set()
    deadline = time.monotonic() + DEADLINE_S
    while process.poll() is None:
        assert time.monotonic() < deadline, "it does not end"
        ends |= other_ends(process.pid)
        time.sleep(0.01)
    out, err = output_of(process)
    return Watched(process.returncode, out, err, events(Path(env["NETWORK_LOG"]).parent), ends)


def other_ends(pid: int) -> set[str]:
    """The current peers of a process's sockets, without Unix sockets."""
    found = set()
    inodes = _inodes(pid)
    for table in ("tcp", "tcp6", "udp", "udp6") if inodes else ():
        for line in _lines(Path(f"/proc/{pid}/net/{table}")):
            _, _, remote, state, *_, inode = line.split()[:10]
            if inode in inodes and state in _CONNECTED:
                found.add(remote)
    return found


def _inodes(pid: int) -> set[str]:
    found = set()
    folder = f"/proc/{pid}/fd"
    try:
        names = os.listdir(folder)  # noqa: PTH208  # pathlib reads it lazily, and it may go
    except OSError:  # the process has ended
        return set()
    for name in names:
        try:
            match = _SOCKET.match(os.readlink(f"{folder}/{name}"))  # noqa: PTH115  # no path
        except OSError:  # it was closed meanwhile
            continue
        if match:
            found.add(match[1])
    return found


def _lines(table: Path) -> list[str]:
    try:
        return table.read_text().splitlines()[1:]
    except OSError:
        return []
