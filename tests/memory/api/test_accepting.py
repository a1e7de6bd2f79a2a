"""The shares that a server's workers take of its connections: real sockets, two acceptors."""

import asyncio
import os
import resource
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress

import pytest

from memory.api.limits.notices import Notices
from memory.api.workers import accepting
from memory.api.workers.accepting import MOST_LOOKS, MOST_MISSED, Acceptor
from memory.api.workers.shared_memory import SharedMemory, new_shared_memory, used_connections
from tests.waiting import DEADLINE_S

FILES = 200


class Worker:
    """One of two workers, as far as it takes connections."""

    def __init__(self, listener: socket.socket, shared: SharedMemory) -> None:
        self.column = used_connections(shared.counts)
        self.connections: set[Connection] = set()
        self.notices: list[str] = []
        self.acceptor = Acceptor(
            listener,
            self.column,
            protocol=lambda: Connection(self),
            used=lambda: {each for each in self.connections if each.is_used},
            notices=Notices(self.notices.append),
        )

    @property
    def shares(self) -> list[float]:
        return [row[0] for row in self.column.rows]


class Connection(asyncio.Protocol):
    is_used = True

    def __init__(self, worker: Worker) -> None:
        self._worker = worker

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self._worker.connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._worker.connections.remove(self)
        self._worker.acceptor.count()


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with closing(socket.create_server(("127.0.0.1", 0), backlog=64)) as listener:
        yield listener


@pytest.fixture
def workers(listener: socket.socket) -> Iterator[list[Worker]]:
    with new_shared_memory(2) as file, closing(listener.dup()) as other:
        shared = [SharedMemory(file.fileno(), workers=2, own=number) for number in range(2)]
        yield [Worker(*each) for each in zip((listener, other), shared, strict=True)]


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(DEADLINE_S):
        while not condition():
            await asyncio.sleep(0.001)


def test_each_worker_has_as_many_connections(
    listener: socket.socket, workers: list[Worker]
) -> None:
    async def connect(stack: ExitStack, number: int) -> None:
        for _ in range(number):
            stack.enter_context(socket.create_connection(listener.getsockname()))

    async def shared() -> None:
        one, two = workers
        for worker in workers:
            worker.acceptor.start()
        with ExitStack() as stack:
            await connect(stack, 12)
            await until(lambda: len(one.connections | two.connections) == 12)
            assert one.shares == two.shares == [6, 6]
            for each in one.connections:
                each.transport.close()
            await until(lambda: one.shares == [0, 6])
            await connect(stack, 6)
            await until(lambda: sum(one.shares) == 12)
            assert one.shares == [6, 6]
        await until(lambda: one.shares == [0, 0])
        for worker in workers:
            worker.acceptor.stop()

    asyncio.run(shared())


def test_only_connections_in_use_count(listener: socket.socket, workers: list[Worker]) -> None:
    async def shared() -> None:
        one, two = workers
        one.acceptor.start()
        with ExitStack() as stack:
            for _ in range(6):
                stack.enter_context(socket.create_connection(listener.getsockname()))
            await until(lambda: len(one.connections) == 6)
            for each in one.connections:
                each.is_used = False
            one.acceptor.count()
            two.acceptor.start()
            for _ in range(4):
                stack.enter_context(socket.create_connection(listener.getsockname()))
            await until(lambda: one.shares == [2, 2])
        for worker in workers:
            worker.acceptor.stop()

    asyncio.run(shared())


def test_no_connection_waits_for_a_worker_that_takes_none(
    listener: socket.socket, workers: list[Worker]
) -> None:
    async def alone() -> None:
        one, _ = workers
        one.acceptor.start()
        with ExitStack() as stack:
            for number in range(1, 5):
                stack.enter_context(socket.create_connection(listener.getsockname()))
                await until(lambda: one.shares == [number, 0])  # noqa: B023  # asked at once
        one.acceptor.stop()

    asyncio.run(alone())


def test_a_stopped_worker_is_not_waited_for_again_until_it_moves(
    listener: socket.socket, workers: list[Worker]
) -> None:
    async def alone() -> None:
        one, two = workers

        async def looks() -> float:
            """Connect once more, and return how often the worker has looked before it took that."""
            before, number = one.column.own[1], len(one.connections)
            stack.enter_context(socket.create_connection(listener.getsockname()))
            await until(lambda: len(one.connections) > number)
            return one.column.own[1] - before

        one.acceptor.start()
        with ExitStack() as stack:
            assert await looks() < MOST_LOOKS, "both had none"
            for _ in range(MOST_MISSED):
                assert await looks() > MOST_LOOKS
            assert await looks() < MOST_LOOKS
            two.acceptor.count()
            assert await looks() > MOST_LOOKS
        one.acceptor.stop()

    asyncio.run(alone())


def test_a_connection_waits_until_there_is_a_file_for_it(
    listener: socket.socket, workers: list[Worker], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accepting, "_WITHOUT_FILES_S", 0.01)
    files, most = resource.getrlimit(resource.RLIMIT_NOFILE)

    async def without_files() -> None:
        one, _ = workers
        one.acceptor.start()
        with closing(socket.create_connection(listener.getsockname())):
            resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, most))
            taken = []
            try:
                with suppress(OSError):  # until there are no more
                    while True:
                        taken.append(os.open(os.devnull, os.O_RDONLY))
                # After that it looks again every moment, and any thread may free a file.
                await until(lambda: "without a free file" in "".join(one.notices))
            finally:
                for each in taken:
                    os.close(each)
                resource.setrlimit(resource.RLIMIT_NOFILE, (files, most))
            await until(lambda: one.shares == [1, 0])
        one.acceptor.stop()

    asyncio.run(without_files())
