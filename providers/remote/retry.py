"""Retry calls of a remote service: how often, after which pauses, until when.

The vendors' libraries retry by themselves, each in its own way; that is switched off, so that this
is the only place that waits. Pauses grow exponentially with full jitter (Brooker, "Exponential
Backoff And Jitter", AWS Architecture Blog 2015), on top of the pause that the server asks for.
"""

import random
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from threading import Thread
from typing import Final, TypeVar

from contracts import UnavailableError
from providers.base import Kind

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RetryLimits:
    """Limits for retrying a service that does not answer.

    calls            the most attempts
    total_s          no call begins, or lasts, longer than this after the first one began
    first_pause_s    the first pause is a random one up to this; each further one up to twice that
    longest_pause_s  ... and never up to more than this
    """

    calls: int
    total_s: float
    first_pause_s: float
    longest_pause_s: float


RETRY_LIMITS: Final[Mapping[Kind, RetryLimits]] = {
    "query": RetryLimits(calls=2, total_s=6.0, first_pause_s=0.25, longest_pause_s=1.0),
    "document": RetryLimits(calls=8, total_s=300.0, first_pause_s=1.0, longest_pause_s=60.0),
}
"""Somebody waits for the answer to a question; nobody waits for documents."""


@dataclass(frozen=True, slots=True)
class Clock:
    """Time and chance, passed in so that tests need neither. All times are in seconds."""

    now: Callable[[], float] = time.monotonic
    date: Callable[[], float] = time.time
    sleep: Callable[[float], None] = time.sleep
    uniform: Callable[[float, float], float] = random.uniform


class TransientError(Exception):
    """The same call may succeed later; `error` is raised when retries end.

    `after_s` is the pause that the server asks for, None if it does not say.
    """

    def __init__(self, error: UnavailableError, *, after_s: float | None = None) -> None:
        super().__init__(error.message)
        self.error = error
        self.after_s = after_s


def retried(call: Callable[[float], T], limits: RetryLimits, *, clock: Clock) -> T:
    """The result of `call(seconds it may take)`, retried after each TransientError.

    Raises the last TransientError's `error` when the limits are reached, at once if the server asks
    for a longer pause than is left. Everything else that `call` raises passes through.
    """
    deadline = clock.now() + limits.total_s
    for further in reversed(range(limits.calls)):
        left_s = deadline - clock.now()
        try:
            return call(left_s)
        except TransientError as transient:
            failed = transient
        number = limits.calls - further - 1
        pause_s = clock.uniform(0, min(limits.longest_pause_s, limits.first_pause_s * 2**number))
        pause_s += failed.after_s or 0
        if not further or clock.now() + pause_s >= deadline:
            break
        clock.sleep(pause_s)
    # Outside the handler: a vendor library's message may hold a key, and must not be chained.
    raise failed.error


def within(limit_s: float, call: Callable[[], T]) -> T:
    """The result of `call`, or its error; TimeoutError if that takes longer than `limit_s`.

    The vendors' libraries bound only each wait for a socket, so a server that sends a byte now and
    then would hold them forever. A late call continues in its thread, for which nothing waits, not
    even the end of the program.
    """
    answer: Future[T] = Future()

    def run() -> None:
        try:
            answer.set_result(call())
        except BaseException as error:  # noqa: BLE001 - raised again by who waits for the call
            answer.set_exception(error)

    Thread(target=run, daemon=True).start()
    return answer.result(limit_s)


def retry_after_s(headers: Mapping[str, str], *, clock: Clock) -> float | None:
    """The pause that a server asks for in seconds, None without a usable value.

    `retry-after-ms` counts milliseconds; `retry-after` seconds, or it is a date (RFC 9110, 10.2.3).
    The names are looked up in lower case, which mappings of HTTP headers accept.
    """
    for name, unit_s in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        seconds = _number(headers.get(name, ""))
        if seconds is not None:
            return seconds * unit_s
    try:
        date = parsedate_to_datetime(headers.get("retry-after", ""))
    except ValueError:
        return None
    aware = date if date.tzinfo else date.replace(tzinfo=UTC)
    return max(0.0, aware.timestamp() - clock.date())


def _number(text: str) -> float | None:
    """The number in a header, None unless it is finite and not negative."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if 0 <= number < float("inf") else None
