"""Changes as server-sent events, which resume after the last one that a client has seen.

https://html.spec.whatwg.org/multipage/server-sent-events.html has the format. Every stream looks at
the log several times a second, for other processes write to the database too.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from threading import Event
from typing import Final

from anyio import to_thread
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from contracts import MemError
from contracts.named_tuple import NamedTuple
from memory.api.limits.streams import RETRY_MS, Streams
from memory.api.responses import dumps
from memory.operations.changes import Change, ChangePage

MEDIA_TYPE: Final = "text/event-stream"
LOOK_S: Final = 0.25
HEARTBEAT_S: Final = 15.0
"""The longest silence: a proxy would take a longer one for a dead connection."""


class Feed(NamedTuple):
    """The source of a stream. `read` returns the page after a number; `may_go_on` asks whether the
    client is still let in; `stopping` is set when the server ends.
    """

    read: Callable[[int | None], ChangePage]
    may_go_on: Callable[[], Awaitable[bool]]
    stopping: Event


class EventStream(StreamingResponse):
    """A response of server-sent events, which takes the place of one stream that was counted."""

    def __init__(self, events: AsyncIterator[bytes], streams: Streams) -> None:
        super().__init__(events, headers={"X-Accel-Buffering": "no"}, media_type=MEDIA_TYPE)
        self._streams = streams

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._streams.close()


async def events(feed: Feed, since: int | None) -> AsyncIterator[bytes]:
    """Yield the changes after a number, until the client may not go on or the server stops.

    An event without data only tells the client where it begins.
    """
    loop = asyncio.get_running_loop()
    is_first, spoken = True, loop.time()
    while not feed.stopping.is_set():
        try:
            if not await feed.may_go_on():
                return
            page = await to_thread.run_sync(feed.read, since)
        except MemError:  # the client connects again, and then is told why
            return
        if is_first:
            yield b"retry: %d\nid: %d\n\n" % (RETRY_MS, page.next_since if since is None else since)
            is_first = False
        if page.missed:
            yield b"event: missed\ndata: %s\n\n" % dumps({"warnings": page.warnings})
        for change in page.changes:
            yield _event(change)
        since = page.next_since
        now = loop.time()
        if page.changes:
            spoken = now
        elif now - spoken >= HEARTBEAT_S:
            yield b": heartbeat\n\n"
            spoken = now
        if not page.more:
            await asyncio.sleep(LOOK_S)


def _event(change: Change) -> bytes:
    return b"id: %d\ndata: %s\n\n" % (change.seq, dumps(change))
