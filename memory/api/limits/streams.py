"""The limit on streams, each of which keeps a connection and looks at the database."""

from typing import Final

from memory.api.problems import HttpProblem

MOST_STREAMS: Final = 32
"""The most streams of one server."""

RETRY_MS: Final = 2000
"""The pause after which a client connects again."""


class Streams:
    """The number of streams of one server. Used on the event loop alone."""

    def __init__(self, most: int = MOST_STREAMS) -> None:
        self._most = most
        self._open = 0

    def open(self) -> bool:
        """Count one more stream; return False if there are too many."""
        if self._open >= self._most:
            return False
        self._open += 1
        return True

    def close(self) -> None:
        """Count one stream less."""
        self._open -= 1


def too_many_streams() -> HttpProblem:
    """Return the problem of a stream beyond the limit."""
    return HttpProblem(
        503,
        "too-many-streams",
        "Too many streams",
        f"this server has {MOST_STREAMS} streams of changes, which is the limit",
        "end a stream, or read page by page: without 'Accept: text/event-stream'",
        headers={"Retry-After": str(RETRY_MS // 1000)},
    )
