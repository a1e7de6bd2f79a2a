"""Connections of a server's workers: each worker takes as many as the others.

They wait at one socket. The quickest would take most of the connections, and clients keep theirs:
its processor would be busy while another is idle. Only connections in use count: a stream of
changes, or a client that asks once a minute, needs no processor.
"""

import asyncio
import errno
import socket
from collections.abc import Callable, Set
from typing import Final

from memory.api.limits.connections import NO_FREE_FILE
from memory.api.limits.notices import Notices
from memory.storage.counters import CountTable

LOOK_S: Final = 0.001
MOST_LOOKS: Final = 10
"""A worker with more connections than another looks so often whether that one has taken the next,
and then takes it itself: the other one may be stopped, or just beginning.
"""

MOST_MISSED: Final = 3
"""A worker that let others wait in vain so often is not waited for until it has moved."""

_WITHOUT_FILES_S: Final = 1.0
_NO_FILES: Final = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


class Acceptor:
    """Takes connections from a listening socket that other processes use, too."""

    def __init__(
        self,
        listener: socket.socket,
        connections: CountTable,
        *,
        protocol: Callable[[], asyncio.Protocol],
        used: Callable[[], Set[asyncio.Protocol]],
        notices: Notices,
    ) -> None:
        """`connections` has two columns: the connections in use of each worker, which `used`
        returns, and how often it has counted them. `protocol` makes that of a new one.
        """
        self._listener = listener
        self._rows, self._own = connections
        self._moves = [row[1] for row in self._rows]
        self._missed = [0] * len(self._rows)
        self._protocol = protocol
        self._used = used
        self._notices = notices
        self._timer: asyncio.TimerHandle | None = None
        self._connecting: dict[asyncio.Protocol, asyncio.Task[None]] = {}

    def start(self) -> None:
        """Begin to take connections, in the running event loop."""
        self._loop = asyncio.get_running_loop()
        self._listener.setblocking(False)
        self._loop.add_reader(self._listener, self._accept)

    def count(self) -> None:
        """Tell the others how many connections are in use: when one ends, and now and then."""
        self._own[0] = len(self._used() | self._connecting.keys())
        self._own[1] += 1

    def stop(self) -> None:
        """Take none any more."""
        self._loop.remove_reader(self._listener)
        if self._timer is not None:
            self._timer.cancel()

    def _accept(self, looks: int = MOST_LOOKS) -> None:
        self.count()
        if looks and self._own[0] > self._fewest():
            self._pause(LOOK_S, looks - 1)
            return
        try:
            connection, _ = self._listener.accept()
        except (BlockingIOError, InterruptedError, ConnectionAbortedError):
            return  # another has taken it, or its client has given up
        except OSError as error:
            if error.errno not in _NO_FILES:
                raise
            self._notices.add(NO_FREE_FILE)
            self._pause(_WITHOUT_FILES_S, MOST_LOOKS)
            return
        if not looks:
            self._note_missed()
        protocol = self._protocol()
        self._connecting[protocol] = self._loop.create_task(self._connect(connection, protocol))
        self.count()

    def _fewest(self) -> float:
        """Return the fewest connections that a worker has which takes its turns."""
        for number, row in enumerate(self._rows):
            if row[1] != self._moves[number]:
                self._moves[number], self._missed[number] = row[1], 0
        awaited = zip(self._rows, self._missed, strict=True)
        return min(row[0] for row, missed in awaited if missed < MOST_MISSED)

    def _note_missed(self) -> None:
        """Note that the workers with fewer connections have not taken this one."""
        for number, row in enumerate(self._rows):
            if row[0] < self._own[0]:
                self._missed[number] += 1

    def _pause(self, seconds: float, looks: int) -> None:
        self._loop.remove_reader(self._listener)
        self._timer = self._loop.call_later(seconds, self._resume, looks)

    def _resume(self, looks: int) -> None:
        self._loop.add_reader(self._listener, self._accept)
        self._accept(looks)

    async def _connect(self, connection: socket.socket, protocol: asyncio.Protocol) -> None:
        try:
            await self._loop.connect_accepted_socket(lambda: protocol, connection)
        except OSError:  # its client has gone
            connection.close()
        finally:
            del self._connecting[protocol]
            self.count()
