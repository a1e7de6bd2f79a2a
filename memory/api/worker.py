"""One worker of a server, started by its supervisor (`memory.api.workers`)."""

import os
import pickle
import signal
import socket
import sys
import threading

from contracts import MemError
from memory.api.app_state import say
from memory.api.limits.failures import FailureLimit
from memory.api.server import run_server
from memory.api.workers.leadership import JobLeadership
from memory.api.workers.shared_memory import SharedMemory
from memory.api.workers.supervisor import Order
from memory.workspace import Workspace

_INPUT = 0


def main() -> None:
    """Read the order from the input, and answer until told to end or until the input ends."""
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # the configuration is read again once it answers
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGHUP})
    with os.fdopen(os.dup(_INPUT), "rb") as stream:
        order: Order = pickle.load(stream)  # noqa: S301  # from this program's own parent
    try:
        _work(order)
    except MemError as error:
        say(f"mem serve: {error}")
        sys.exit(1)


def _work(order: Order) -> None:
    family = socket.AddressFamily(order.family)
    # The protocol is named for the reason that `memory.api.address` gives.
    tcp = socket.IPPROTO_TCP
    listener = socket.socket(family, socket.SOCK_STREAM, tcp, fileno=order.listener)
    workspace = Workspace(order.loaded)
    shared = SharedMemory(order.shared, workers=order.workers, own=order.number)
    workspace.put(shared.counts)
    workspace.put(FailureLimit(shared=shared.failures))
    workspace.put(JobLeadership(workspace))
    threading.Thread(target=_end_with_parent, name="parent", daemon=True).start()
    run_server(
        workspace,
        listener,
        host=order.host,
        is_closed=order.is_closed,
        where=order.where,
        run=order.run,
    )


def _end_with_parent() -> None:
    os.read(_INPUT, 1)
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    main()
