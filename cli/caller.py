"""The process for which a command runs: this one, or one that handed it to a running server.

A server runs commands as they are, in its threads and with its open database. What they ask the
process about, they ask here.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory.local_server.values import CommandRequest
    from memory.workspace import Workspace

VARIABLES = ("NO_COLOR", "FORCE_COLOR", "TERM", "COLUMNS", "LINES")
"""The variables of the environment that change what is printed."""


class NotServedError(Exception):
    """The server does not run this command; nothing was done, and the caller does it."""


class Caller:
    """The caller of a command that a server runs, and the server's open database."""

    def __init__(self, request: "CommandRequest", workspace: "Workspace") -> None:
        self.request = request
        self.has_opened = False
        self._workspace = workspace

    def open(self, config: Path | None, database: Path | None) -> "Workspace":
        """Return the open database.

        Raises NotServedError when the command names other files than those of which the caller
        knows that they are the server's.
        """
        if (config, database) != (_path(self.request.config), _path(self.request.database)):
            raise NotServedError
        self.has_opened = True
        return self._workspace


_caller: ContextVar[Caller | None] = ContextVar("caller", default=None)


def caller() -> Caller | None:
    """Return the caller; None for this process."""
    return _caller.get()


def environment() -> Mapping[str, str]:
    """Return the caller's environment; of another process these VARIABLES only."""
    elsewhere = _caller.get()
    return os.environ if elsewhere is None else elsewhere.request.variables


@contextmanager
def called_from(elsewhere: Caller) -> Iterator[None]:
    """Run a command for another process."""
    token = _caller.set(elsewhere)
    try:
        yield
    finally:
        _caller.reset(token)


def _path(typed: str | None) -> Path | None:
    return None if typed is None else Path(typed)
