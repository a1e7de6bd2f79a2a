"""A worker: a process that does one job after the other for its parent.

It ends with the parent, leaves an interrupt from the keyboard to it, and prints nothing: output of
a library is discarded.
"""

import contextlib
import ctypes
import os
import resource
import signal
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, Final

from ingest.workers.limits import data_bytes
from ingest.workers.replies import LAST, MORE, Reply

_PR_SET_PDEATHSIG: Final = 1
_GROWN_BYTES: Final = 256 * 1024 * 1024
"""Growth after which a worker is replaced by a new one."""


def serve(descriptor: int, parent: int) -> None:
    """Do the jobs that come through a socket, until its other end is closed.

    After each answer a byte says whether it was the last.
    """
    _end_with(parent)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.set_inheritable(descriptor, False)
    jobs = Connection(descriptor)
    jobs.send_bytes(b"")
    start_bytes = data_bytes()
    with contextlib.suppress(EOFError, OSError):
        while True:
            function, arguments = jobs.recv()
            jobs.send(_done(function, arguments))
            grown = data_bytes() - start_bytes > _GROWN_BYTES
            jobs.send_bytes(LAST if grown else MORE)
            if grown:
                return


def _end_with(parent: int) -> None:
    """Have the kernel kill this process when its parent thread ends, however it ends."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it had ended before this call
        sys.exit()


def _done(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Reply:
    try:
        return Reply(function(*arguments), None)
    except Exception as error:  # noqa: BLE001 - it is raised where the job was given
        return Reply(None, error)
