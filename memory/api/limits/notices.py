"""One line a minute in the log about clients that were turned away, however many they are."""

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Final

PAUSE_S: Final = 60.0
"""The least time between two lines."""

_FIRST_S: Final = 1.0
"""The time that the first line waits for more of the same."""


class Notices:
    """Counts by reason, told in one line at most every `PAUSE_S`. Used on the event loop alone."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._counts: Counter[str] = Counter()
        self._last: float | None = None
        self._due: asyncio.TimerHandle | None = None

    def add(self, reason: str) -> None:
        """Count one more; `reason` is a plural: `headers that did not arrive in time`."""
        self._counts[reason] += 1
        if self._due is not None:
            return
        loop = asyncio.get_running_loop()
        now = loop.time()
        earliest = now if self._last is None else self._last + PAUSE_S
        self._due = loop.call_at(max(now + _FIRST_S, earliest), self.flush)

    def flush(self) -> None:
        """Tell what has been counted."""
        if self._due is not None:
            self._due.cancel()
            self._due = None
        if self._counts:
            self._last = asyncio.get_running_loop().time()
            counts = ", ".join(f"{number:,} {reason}" for reason, number in self._counts.items())
            self._counts.clear()
            self._tell(f"mem serve: turned away: {counts}")
