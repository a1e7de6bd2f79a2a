"""The bytes of bodies that the server holds, and the time that a client may take to send them."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from starlette.exceptions import HTTPException
from starlette.types import Message, Receive

from memory.api.limits.notices import Notices

BODY_IDLE_S: Final = 30.0
"""The longest pause of a client inside a body."""

BODY_S: Final = 600.0
"""The longest time that a body takes in all: a byte every 29 s is never idle."""

MOST_HELD_BYTES: Final = 256 * 1024 * 1024
"""The bytes of all bodies together, from their first byte to the answer."""

_CLOSE: Final = {"Connection": "close"}
_RETRY: Final = {**_CLOSE, "Retry-After": "2"}


@dataclass(slots=True)
class Bounds:
    """The limits on bodies of one server."""

    idle_s: float = BODY_IDLE_S
    whole_s: float = BODY_S
    held_bytes: int = MOST_HELD_BYTES


@dataclass(slots=True, eq=False)
class Body:
    """The body of one request: the bytes held, and when the last of them came."""

    shared: "Receiving"
    begun: float
    moved: float
    held: int = 0
    ended: bool = False
    deadline: asyncio.Timeout | None = None
    evicted: bool = False

    async def receive(self, receive: Receive, *, keep: bool = True) -> Message:
        """Return the next message, in time. Bytes count as held only if `keep`.

        Raises HTTPException 408 for a client that is too slow, and 503 when other bodies need the
        room.
        """
        if self.ended:
            return await receive()  # waits for the client to leave
        bounds = self.shared.bounds
        now = asyncio.get_running_loop().time()
        until = min(now + bounds.idle_s, self.begun + bounds.whole_s)
        try:
            async with asyncio.timeout_at(until) as self.deadline:
                message = await receive()
        except TimeoutError:
            raise self._late() from None
        finally:
            self.deadline = None
        self.ended = not message.get("more_body", False)
        self.moved = asyncio.get_running_loop().time()
        if keep and not self.shared.admit(self, len(message.get("body", b""))):
            raise self._no_room()
        return message

    def evict(self) -> None:
        """End the wait of this body for its client."""
        assert self.deadline is not None  # noqa: S101  # only waiting bodies are chosen
        self.evicted = True
        with suppress(RuntimeError):  # its time has just ended
            self.deadline.reschedule(0)

    def _late(self) -> HTTPException:
        if self.evicted:
            return self._no_room()
        self.shared.notices.add("bodies that did not arrive in time")
        bounds = self.shared.bounds
        told = f"the body was not sent: it may pause for {bounds.idle_s:g} s"
        return HTTPException(408, f"{told}, and take {bounds.whole_s:g} s", headers=_CLOSE)

    def _no_room(self) -> HTTPException:
        self.shared.notices.add("bodies beyond the limit of all together")
        mib = self.shared.bounds.held_bytes >> 20
        told = f"the requests being received hold {mib} MiB together, which is the limit"
        return HTTPException(503, told, headers=_RETRY)


class Receiving:
    """All bodies that are held, of one server. Used on the event loop alone."""

    def __init__(self, bounds: Bounds, notices: Notices) -> None:
        self.bounds = bounds
        self.notices = notices
        self._bodies: set[Body] = set()
        self._held = 0

    def begin(self) -> Body:
        """Return the body of a new request; `end` releases it."""
        now = asyncio.get_running_loop().time()
        body = Body(self, now, now)
        self._bodies.add(body)
        return body

    def end(self, body: Body) -> None:
        """Release the bytes of a body whose request has been answered."""
        self._bodies.discard(body)
        self._held -= body.held
        body.held = 0

    def admit(self, body: Body, size: int) -> bool:
        """Count further bytes of a body; return False if there is no room for them.

        Room is made at the cost of the body that has been waiting longest for its client: a client
        that sends nothing must not keep out those that do.
        """
        while self._held + size > self.bounds.held_bytes:
            waiting = [each for each in self._bodies if each.held and each.deadline is not None]
            stalled = min(waiting, key=lambda each: each.moved, default=None)
            if stalled is None or body.moved - stalled.moved < _STALLED_S:
                return False
            stalled.evict()
            self.end(stalled)
        body.held += size
        self._held += size
        return True


_STALLED_S: Final = 1.0
"""The pause after which a body makes room for one that arrives."""
