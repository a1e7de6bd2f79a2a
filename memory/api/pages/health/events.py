"""The state of the database as server-sent events, one for each change that the page would show."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from threading import Event
from typing import Final

from anyio import to_thread
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from contracts import MemError
from memory.api.app_state import AppState
from memory.api.feed.stream import HEARTBEAT_S, MEDIA_TYPE
from memory.api.limits.streams import RETRY_MS

LOOK_S: Final = 2.0
"""The pause between two looks at the state, which takes some hundredths of a second."""


class HealthEvents(StreamingResponse):
    """A response that goes on until the client leaves, its session ends, or the server stops.

    `part` returns the part of the page as HTML. The stream has been counted by the caller.
    """

    def __init__(
        self, part: Callable[[], str], may_go_on: Callable[[], Awaitable[bool]], state: AppState
    ) -> None:
        headers = {"X-Accel-Buffering": "no"}
        events = changes_of(part, may_go_on, state.stopping)
        super().__init__(events, headers=headers, media_type=MEDIA_TYPE)
        self._streams = state.limits.streams

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._streams.close()


async def changes_of(
    part: Callable[[], str],
    may_go_on: Callable[[], Awaitable[bool]],
    stopping: Event,
    *,
    look_s: float = LOOK_S,
) -> AsyncIterator[bytes]:
    """Yield an event for each other value of `part`; looks every `look_s` seconds."""
    loop = asyncio.get_running_loop()
    yield b"retry: %d\n\n" % RETRY_MS
    shown, spoken = "", loop.time()
    while not stopping.is_set():
        try:
            if not await may_go_on():
                return
            now = await to_thread.run_sync(part)
        except MemError:  # the page connects again, and then is told why
            return
        if now != shown:
            lines = "".join(f"data: {line}\n" for line in now.splitlines())
            yield f"event: health\n{lines}\n".encode()
            shown, spoken = now, loop.time()
        elif loop.time() - spoken >= HEARTBEAT_S:
            yield b": heartbeat\n\n"
            spoken = loop.time()
        await _pause(stopping, look_s)


async def _pause(stopping: Event, pause_s: float) -> None:
    """Wait for the next look, or the end of the server."""
    for _ in range(8):
        if stopping.is_set():
            return
        await asyncio.sleep(pause_s / 8)
