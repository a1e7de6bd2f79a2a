"""Calls whose callers wait only so long, in threads of their own: a slow database stops no answer.

A call that nobody waits for any more keeps its thread until it ends, so their number is bounded.
"""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from anyio import CapacityLimiter, to_thread

T = TypeVar("T")


class BoundedCalls:
    """So many threads at most, for the calls of one event loop."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._free = asyncio.Semaphore(most)
        self._threads: CapacityLimiter | None = None

    async def call(self, function: Callable[[], T], *, wait_s: float) -> T:
        """Return what the function does, run in a thread; raises TimeoutError after `wait_s`."""
        async with asyncio.timeout(wait_s):
            await self._free.acquire()
            task = asyncio.ensure_future(self._run(function))
            task.add_done_callback(self._ended)
            return await asyncio.shield(task)

    async def _run(self, function: Callable[[], T]) -> T:
        if self._threads is None:
            self._threads = CapacityLimiter(self._most)
        return await to_thread.run_sync(function, limiter=self._threads)

    def _ended(self, task: "asyncio.Task[T]") -> None:
        self._free.release()
        if not task.cancelled():
            task.exception()  # seen, also where nobody waits for it
