"""Connections within limits: the number of them, and the time for a request's head.

uvicorn has no deadline for the lines before a body, and takes connections until the process has no
files left, which stops the database too.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from memory.api.limits.notices import Notices

HEAD_S: Final = 10.0
"""The time for the head of a request: from the connection, or from its first byte."""

WRITE_S: Final = 30.0
"""The longest time for which a client may leave an answer unread."""

MOST_HEAD_BYTES: Final = 65_536
MOST_CONNECTIONS: Final = 256

ACCEPTED_AT_ONCE: Final = 8
"""The connections taken from the queue before others are looked after and surplus ones closed."""

USED_S: Final = 2.0
"""A connection is in use for so long after the last request or answer on it, or its beginning."""

NO_FREE_FILE: Final = "moments without a free file for a connection"

_OUT_OF_FILES: Final = "socket.accept() out of system resource"
"""The start of asyncio's message about it."""

_log = logging.getLogger("memory.api.http")
_log.setLevel(logging.ERROR)  # uvicorn warns of every malformed request; `Notices` counts them


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """The limits on connections of one server."""

    head_s: float = HEAD_S
    write_s: float = WRITE_S
    connections: int = MOST_CONNECTIONS

    def within_files(self) -> int:
        """Return the most connections: at most half of the files that the process may open."""
        try:
            import resource
        except ImportError:  # on Windows, where a socket is not a file
            return self.connections
        files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        half = files // 2 if files != resource.RLIM_INFINITY else self.connections
        return max(1, min(self.connections, half))


class LimitedHttp(HttpToolsProtocol):
    """uvicorn's HTTP/1.1 with deadlines; a new connection replaces the one that is idle longest."""

    def __init__(
        self,
        *,
        limits: ConnectionLimits,
        notices: Notices,
        ended: Callable[[], None],
        **options: Any,
    ) -> None:
        """Store `ended`, which is called when the connection has ended."""
        super().__init__(**options)
        self._ended = ended
        self.logger = _log
        self._limits = limits
        self._notices = notices
        self._between = True  # no request has begun, or the last one has arrived
        self._head_bytes = 0
        self._deadline: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None
        self.moved = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.moved = self.loop.time()
        self._expect_head()
        self._make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        self._set_deadline(None)
        self.resume_writing()
        super().connection_lost(exc)
        self._ended()

    def data_received(self, data: bytes) -> None:
        self.moved = self.loop.time()
        if self._between and self._deadline is None:
            self._expect_head()
        if self._deadline is not None:
            self._head_bytes += len(data)
        super().data_received(data)
        if self._deadline is not None and self._head_bytes > MOST_HEAD_BYTES:
            self._turn_away(431, "heads that are too long")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._between = False
        if self._deadline is None:
            self._expect_head()

    def on_headers_complete(self) -> None:
        self._set_deadline(None)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._between = True

    def on_response_complete(self) -> None:
        self.moved = self.loop.time()
        super().on_response_complete()
        if not self._between and self._deadline is None:
            self._expect_head()  # the rest of a body that nobody reads has the same time

    def send_400_response(self, msg: str) -> None:
        self._notices.add("malformed requests")
        super().send_400_response(msg)

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._unread is None:
            self._unread = self.loop.call_later(self._limits.write_s, self._left_unread)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    @property
    def is_waiting(self) -> bool:
        """True while the client is to act next, because no request of it is being answered."""
        cycle = self.cycle
        return cycle is None or cycle.response_complete or cycle.more_body

    def give_way(self) -> None:
        """Close, for a new connection's sake."""
        self.connections.discard(self)
        self._turn_away(503, "connections beyond the limit")

    def _make_room(self) -> None:
        """Close the connection that has been waiting longest for its client, if there is one too
        many; without one, this one.
        """
        if len(self.connections) <= self._limits.within_files():
            return
        others = [each for each in self.connections if isinstance(each, LimitedHttp)]
        waiting = [each for each in others if each is not self and each.is_waiting]
        min(waiting, key=lambda each: each.moved, default=self).give_way()

    def _expect_head(self) -> None:
        self._head_bytes = 0
        self._set_deadline(self._limits.head_s)

    def _set_deadline(self, seconds: float | None) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        late = self._late
        self._deadline = None if seconds is None else self.loop.call_later(seconds, late)

    def _late(self) -> None:
        self._deadline = None
        if self.cycle is not None and not self.cycle.response_complete:
            self._set_deadline(self._limits.head_s)  # a further request, while one is answered
        else:
            self._turn_away(408, "requests that did not arrive in time")

    def _left_unread(self) -> None:
        self._unread = None
        self._notices.add("answers that were not read")
        self.transport.abort()

    def _turn_away(self, status: int, reason: str) -> None:
        """Close the connection, with a status if nothing has been answered on it."""
        self._set_deadline(None)
        if self.transport.is_closing():
            return
        self._notices.add(reason)
        if self.cycle is None or (self.cycle.response_complete and not self._between):
            lines = [b"content-length: 0", b"connection: close", b"retry-after: 2", b"\r\n"]
            self.transport.write(STATUS_LINE[status] + b"\r\n".join(lines))
        self.transport.close()
        if self.transport.get_write_buffer_size():
            self.loop.call_later(1, self.transport.abort)


def used_of(connections: Iterable[asyncio.Protocol]) -> set[asyncio.Protocol]:
    """Return the connections in use."""
    since = asyncio.get_running_loop().time() - USED_S
    return {each for each in connections if isinstance(each, LimitedHttp) and each.moved > since}


def counted_failures(
    notices: Notices,
) -> Callable[[asyncio.AbstractEventLoop, dict[str, Any]], None]:
    """Return a handler of the loop's errors that only counts a lack of files."""

    def handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if str(context.get("message", "")).startswith(_OUT_OF_FILES):
            notices.add(NO_FREE_FILE)
        else:
            loop.default_exception_handler(context)

    return handle
