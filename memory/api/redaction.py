"""Masking of personal data in the server's stderr, which is its log.

It covers everything written there: the server's own lines, warnings and errors of libraries, and
tracebacks. Lines are masked one by one, so a key of several lines is found only in part.
"""

import io
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr
from typing import TextIO
from urllib.parse import unquote_plus

from ingest.pii import find_pii, redacted

_ENCODED = re.compile(r"[^\s\"'<>]*%[0-9A-Fa-f]{2}[^\s\"'<>]*")
MOST_CHARS = 16_384
"""The most characters of a line that are written."""


def redacted_line(line: str) -> str:
    """Return a line with personal data and secrets masked, also in encoded URLs."""
    if len(line) > MOST_CHARS:
        line = f"{line[:MOST_CHARS]} ...\n"
    return redacted(_ENCODED.sub(_decoded, line))


def _decoded(found: re.Match[str]) -> str:
    plain = unquote_plus(found[0])
    return plain if find_pii(plain) else found[0]


@contextmanager
def redacted_stderr(stderr: TextIO, *, is_on: Callable[[], bool]) -> Iterator[None]:
    """Mask everything written to stderr within the block while `is_on` returns True."""
    stream = _Masking(stderr, is_on)
    try:
        with redirect_stderr(stream):
            yield
    finally:
        stream.flush()


class _Masking(io.TextIOBase):
    """A stream that writes to another one line by line; an unfinished line waits until a flush.

    Any thread may write; a line may then mix two, but nothing is lost.
    """

    def __init__(self, under: TextIO, is_on: Callable[[], bool]) -> None:
        self._under = under
        self._is_on = is_on
        self._begun = ""

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return self._under.isatty()

    def fileno(self) -> int:
        return self._under.fileno()

    def write(self, text: str) -> int:
        lines = (self._begun + text).splitlines(keepends=True)
        self._begun = lines.pop() if lines and not lines[-1].endswith("\n") else ""
        for line in lines:
            self._put(line)
        return len(text)

    def flush(self) -> None:
        begun, self._begun = self._begun, ""
        if begun:
            self._put(begun)
        self._under.flush()

    def _put(self, line: str) -> None:
        self._under.write(redacted_line(line) if self._is_on() else line)
