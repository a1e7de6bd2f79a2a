"""The errors a caller can react to, one class per reaction.

    MemError
    ├── ConfigError         fix the configuration
    ├── InputError          fix the query, the argument or the request body
    ├── NotFoundError       name something that exists
    ├── ForbiddenError      ask for what is allowed, or allow it
    ├── BusyError           try again later
    ├── UnavailableError    install, start or reach what is needed, as the embedding provider
    ├── IncompatibleError   use another database, model or version of the program
    └── StorageError        free or repair the disk

`cli` maps a class to an exit code, `memory.api` to an HTTP status; neither looks at messages.
"""

from collections.abc import Iterable
from typing import ClassVar


class MemError(Exception):
    """An error that the user can fix.

    `message` states the fact and the value, `hint` the next thing to do. Neither guesses a cause
    and neither holds a secret.
    """

    code: ClassVar[str] = "error"

    def __init__(self, message: str, *, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})"


class ConfigError(MemError):
    """The configuration has an invalid value."""

    code = "config"


class InputError(MemError):
    """A query, an argument or a request body is invalid."""

    code = "input"


class NotFoundError(MemError):
    """No record, file or path has that name."""

    code = "not-found"


class ForbiddenError(MemError):
    """The request is understood and not allowed."""

    code = "forbidden"


class BusyError(MemError):
    """Another process holds what is needed; the same call may succeed later."""

    code = "busy"


class UnavailableError(MemError):
    """The embedding provider, the extra it needs, or the server is unavailable now."""

    code = "unavailable"


class IncompatibleError(MemError):
    """The file is not a database of this program, or one of a newer version or another model."""

    code = "incompatible"


class StorageError(MemError):
    """The disk refused: full, read-only, damaged, or not permitted."""

    code = "storage"


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The hint for an unknown `name`: the nearest of `known`, if one is near, and all of them."""
    from difflib import get_close_matches  # only a mistake pays for the import

    names = list(known)
    near = get_close_matches(name, names, n=1)
    guess = f"did you mean {near[0]!r}? " if near else ""
    return f"{guess}there are: {', '.join(names)}" if names else "there are none"
