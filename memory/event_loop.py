"""Asynchronous methods for programs without an event loop, and inside one that is running.

A notebook runs its own event loop, in which `asyncio.run` is refused. So the loop here has its own
thread, and the caller waits for it.
"""

import asyncio
import os
from collections.abc import Callable, Coroutine
from functools import wraps
from threading import Lock, Thread
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from contracts import InputError

P = ParamSpec("P")
R = TypeVar("R")
M = TypeVar("M")


class EventLoopThread:
    """An event loop in a thread, started by the first call. Any thread but its own may use it.

    A process that is forked off has no such thread, and SQLite allows it no use of the connections:
    there every call raises an InputError.
    """

    def __init__(self) -> None:
        self._process = os.getpid()
        self._lock = Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: Thread | None = None
        self._is_closed = False

    def wait(self, action: Coroutine[Any, Any, R]) -> R:
        """Run a coroutine and return its result; an interrupted caller cancels it."""
        if self._process != os.getpid():
            action.close()
            raise InputError(
                "this memory was opened by the process from which this one was forked",
                hint="open it in this process, or start processes with the method spawn",
            )
        if self._is_closed:  # the coroutine says what is closed
            return run_apart(action)
        future = asyncio.run_coroutine_threadsafe(action, self._running())
        try:
            return future.result()
        finally:
            future.cancel()

    def close(self) -> None:
        """End the thread, after the work that it has begun; in a forked process it is not there."""
        if self._process != os.getpid():
            return
        with self._lock:
            self._is_closed = True
            loop, thread, self._loop, self._thread = self._loop, self._thread, None, None
        if loop is None or thread is None:
            return
        asyncio.run_coroutine_threadsafe(loop.shutdown_default_executor(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = Thread(target=self._loop.run_forever, name="memory", daemon=True)
                self._thread.start()
            return self._loop


def run_apart(action: Coroutine[Any, Any, R]) -> R:
    """Run a coroutine in an event loop in its own thread."""
    loop = EventLoopThread()
    try:
        return loop.wait(action)
    finally:
        loop.close()


class Synchronous(Generic[M]):
    """An object with asynchronous methods, and the event loop that runs them."""

    def __init__(self, asynchronous: M) -> None:
        self.asynchronous = asynchronous
        self.loop = EventLoopThread()


def blocking(
    method: Callable[Concatenate[M, P], Coroutine[Any, Any, R]],
) -> Callable[Concatenate[Synchronous[M], P], R]:
    """Return the method of a `Synchronous` that calls an asynchronous method and waits for it."""

    @wraps(method)
    def call(self: Synchronous[M], /, *values: P.args, **named: P.kwargs) -> R:
        return self.loop.wait(method(self.asynchronous, *values, **named))

    return call
