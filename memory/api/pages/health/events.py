"""The state of the database as server-sent events, one for each change that the page would show."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from threading import Event
from typing import Final

from anyio import to_thread

from contracts import MemError
from memory.api.feed.stream import HEARTBEAT_S
from memory.api.limits.streams import RETRY_MS

LOOK_S: Final = 2.0
"""The pause between two looks at the state, which takes some hundredths of a second."""


async def changes_of(
    part: Callable[[], str],
    may_go_on: Callable[[], Awaitable[bool]],
    stopping: Event,
    *,
    look_s: float = LOOK_S,
) -> AsyncIterator[bytes]:
    """Yield an event for each other value of `part`, HTML, which is looked at every `look_s`.

    It goes on until the client may not, or the server stops.
    """
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
