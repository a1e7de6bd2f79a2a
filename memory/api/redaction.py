"""Masks personal data in what a server writes to stderr, which is its log.

Whatever writes there passes: the server's own lines, warnings and errors of libraries, and what an
unforeseen failure leaves. It is masked line by line, so a key of many lines is found only in part.
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
"""Of a longer line the rest is left out."""


def redacted_line(line: str) -> str:
    """A line with what it holds of personal data and secrets masked, in encoded URLs too."""
    if len(line) > MOST_CHARS:
        line = f"{line[:MOST_CHARS]} ...\n"
    return redacted(_ENCODED.sub(_decoded, line))


def _decoded(found: re.Match[str]) -> str:
    plain = unquote_plus(found[0])
    return plain if find_pii(plain) else found[0]


@contextmanager
def redacted_stderr(stderr: TextIO, *, is_on: Callable[[], bool]) -> Iterator[None]:
    """Have everything that is written to stderr within it masked while `is_on` says so."""
    stream = _Masking(stderr, is_on)
    try:
        with redirect_stderr(stream):
            yield
    finally:
        stream.flush()


class _Masking(io.TextIOBase):
    """Writes on to another stream line by line; what a line lacks yet is kept until it is flushed.

    Written to by any thread: a line may then be mixed of two, but none is lost.
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
