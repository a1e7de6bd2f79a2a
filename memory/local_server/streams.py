"""Standard streams that, in a thread that runs a command for a caller, are the caller's.

Commands print to `sys.stdout` and `sys.stderr`. In a server these are replaced once, for the whole
process, by streams that look at who is being served: text of a caller's command is collected, all
other text goes where it went before.
"""

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from contextvars import ContextVar
from typing import TextIO

from memory.local_server.values import CommandRequest


class Printed:
    """The text that a command prints, in order, and the streams it believes to print to."""

    def __init__(self, request: CommandRequest) -> None:
        self.request = request
        self.parts: list[tuple[str, str]] = []

    def add(self, name: str, text: str) -> None:
        """Add text of `stdout` or `stderr`."""
        self.parts.append((name, text))


_printed: ContextVar[Printed | None] = ContextVar("printed", default=None)


@contextmanager
def streams_of_callers() -> Iterator[None]:
    """Within the block, text that is printed for a caller is collected by `printing_for`."""
    out, err = _Stream("stdout", sys.stdout), _Stream("stderr", sys.stderr)
    with redirect_stdout(out), redirect_stderr(err):
        yield


@contextmanager
def printing_for(request: CommandRequest) -> Iterator[Printed]:
    """Collect what this thread prints within the block; it needs `streams_of_callers` around it."""
    printed = Printed(request)
    token = _printed.set(printed)
    try:
        yield printed
    finally:
        _printed.reset(token)


class _Stream(io.TextIOBase):
    """The stream of the present caller, or without one that of the process."""

    def __init__(self, name: str, under: TextIO) -> None:
        self._name = name
        self._under = under

    @property
    def encoding(self) -> str:  # type: ignore[override]  # it depends on the caller
        printed = _printed.get()
        return printed.request.encoding if printed else self._under.encoding

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        printed = _printed.get()
        return self._name in printed.request.terminals if printed else self._under.isatty()

    def fileno(self) -> int:
        if _printed.get():
            raise io.UnsupportedOperation("the caller's stream has no number here")
        return self._under.fileno()

    def write(self, text: str) -> int:
        printed = _printed.get()
        if not printed:
            return self._under.write(text)
        if not isinstance(text, str):  # so do the streams of the process
            raise TypeError(f"text expected, not {type(text).__name__}")
        printed.add(self._name, text)
        return len(text)

    def flush(self) -> None:
        if not _printed.get():
            self._under.flush()
