"""Pauses between attempts, longer after every failure."""

from dataclasses import dataclass
from typing import Final

FIRST_RETRY_S: Final = 1.0
LAST_RETRY_S: Final = 60.0
"""The first and the longest pause before a file that failed is read again; each doubles."""


@dataclass(slots=True)
class Backoff:
    """Pauses that double with every failure and start over after a success."""

    first_s: float = FIRST_RETRY_S
    most_s: float = LAST_RETRY_S
    _next_s: float = 0.0

    def failed(self) -> float:
        """Return the pause to make now."""
        pause_s = self._next_s or self.first_s
        self._next_s = min(2 * pause_s, self.most_s)
        return pause_s

    def succeeded(self) -> None:
        self._next_s = 0.0
