"""The parent of a server's workers: starts them, starts another when one ends, and ends them all.

It holds the listening socket, so that connections wait while a worker is replaced, and opens no
database. Each worker is a new interpreter: nothing of a parent's threads or connections is copied.
A worker ends when its input does, which is when the parent has ended, however that came about.
"""

import pickle
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from types import FrameType
from typing import Final

from memory.api.workers.shared_memory import new_shared_memory
from memory.config.loading import LoadedConfig
from memory.local_server.listener import Run
from memory.values.backoff import Backoff

MODULE: Final = "memory.api.worker"

_LOOK_S: Final = 0.1
_FIRST_PAUSE_S: Final = 0.1
_LAST_PAUSE_S: Final = 3.2
_WENT_WELL_S: Final = 10.0
"""A worker that ran for longer is replaced without a pause."""


@dataclass(frozen=True, slots=True)
class Order:
    """The order to a worker, at its start.

    host, is_closed   as in `memory.api.app.create_app`
    listener, shared  file descriptors of the socket and of the shared memory
    family            the socket's address family
    workers, number   how many there are, and which of them it is, from 0
    where             the line to print once it answers; None: print nothing
    run               runs commands for the user's command line
    """

    loaded: LoadedConfig
    host: str
    is_closed: bool
    listener: int
    family: int
    workers: int
    shared: int = -1
    number: int = 0
    where: str | None = None
    run: Run | None = None


def supervise(order: Order, listener: socket.socket) -> None:
    """Run the workers of an order until SIGTERM or SIGINT; a second one kills them.

    SIGHUP is passed on to each.
    """
    with new_shared_memory(order.workers) as shared:
        _Supervisor(replace(order, shared=shared.fileno())).run()
    listener.close()


@dataclass(slots=True)
class _Place:
    """One of the workers, and when and how it was last started."""

    number: int
    process: subprocess.Popen[bytes]
    started_s: float
    start_at_s: float | None = None  # another is to be started then
    backoff: Backoff = field(default_factory=lambda: Backoff(_FIRST_PAUSE_S, _LAST_PAUSE_S))


class _Supervisor:
    def __init__(self, order: Order) -> None:
        self._order = order
        self._stops: list[int] = []
        self._hung_up = False

    def run(self) -> None:
        numbers = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
        before = {number: signal.signal(number, self._note) for number in numbers}
        try:
            self._run()
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _note(self, number: int, _frame: FrameType | None) -> None:
        if number == signal.SIGHUP:
            self._hung_up = True
        else:
            self._stops.append(number)

    def _run(self) -> None:
        places = [self._started(number) for number in range(self._order.workers)]
        while not self._stops:
            for place in places:
                self._look_after(place)
            if self._hung_up:
                self._hung_up = False
                _send(places, signal.SIGHUP)
            time.sleep(_LOOK_S)
        _send(places, signal.SIGTERM)
        while any(place.process.poll() is None for place in places):
            if len(self._stops) > 1:
                _send(places, signal.SIGKILL)
            time.sleep(_LOOK_S)

    def _started(self, number: int) -> _Place:
        where = self._order.where if number == 0 else None
        return _Place(number, self._start(number, where), time.monotonic())

    def _look_after(self, place: _Place) -> None:
        """Start another worker in the place of one that has ended, after a pause."""
        now_s = time.monotonic()
        if place.start_at_s is None:
            ended = place.process.poll()
            if ended is None:
                return
            if now_s - place.started_s > _WENT_WELL_S:
                place.backoff.succeeded()
            place.start_at_s = now_s + place.backoff.failed()
            how = f"by signal {-ended}" if ended < 0 else f"with status {ended}"
            _say(f"mem serve: worker {place.process.pid} ended {how}; another takes its place")
        if now_s >= place.start_at_s:
            place.process, place.started_s = self._start(place.number, None), now_s
            place.start_at_s = None

    def _start(self, number: int, where: str | None) -> "subprocess.Popen[bytes]":
        """Start a worker in its own process group: signals of a terminal are the parent's."""
        order = replace(self._order, number=number, where=where)
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})  # it would end a new interpreter
        process = subprocess.Popen(  # noqa: S603  # this program itself
            [sys.executable, "-P", "-m", MODULE],
            stdin=subprocess.PIPE,
            pass_fds=(order.listener, order.shared),
            process_group=0,
        )
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGHUP})
        assert process.stdin is not None  # noqa: S101  # it is a pipe
        with suppress(BrokenPipeError):  # it has ended already, and is replaced
            process.stdin.write(pickle.dumps(order))
            process.stdin.flush()
        return process


def _send(places: list[_Place], number: signal.Signals) -> None:
    for place in places:
        place.process.send_signal(number)


def _say(line: str) -> None:
    sys.stderr.write(line + "\n")
    sys.stderr.flush()
