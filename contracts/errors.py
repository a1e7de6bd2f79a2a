"""The errors a caller can react to, one class per reaction.

    MemError
    ├── ConfigError         mend the configuration
    ├── InputError          mend the query, the argument or the request body
    ├── NotFoundError       name something that exists
    ├── ForbiddenError      ask for what is allowed, or allow it
    ├── BusyError           try again later
    ├── UnavailableError    install, start or reach what is needed, as the embedding provider
    ├── IncompatibleError   use another database, model or version of the program
    └── StorageError        free or mend the disk

`cli` maps a class to an exit code, `memory.api` to an HTTP status; neither looks at messages.
"""

from collections.abc import Iterable
from typing import ClassVar


class MemError(Exception):
    """Something the user can mend.

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
    """The configuration has a value that cannot be used."""

    code = "config"


class InputError(MemError):
    """A query, an argument or a request body cannot be used as it is."""

    code = "input"


class NotFoundError(MemError):
    """There is no record, file or path of that name."""

    code = "not-found"


class ForbiddenError(MemError):
    """The request is understood and not allowed."""

    code = "forbidden"


class BusyError(MemError):
    """Somebody else holds what is needed; the same call may succeed later."""

    code = "busy"


class UnavailableError(MemError):
    """The embedding provider, the extra it needs, or the server cannot be used just now."""

    code = "unavailable"


class IncompatibleError(MemError):
    """The file is no database of this program, or one of a newer version or another model."""

    code = "incompatible"


class StorageError(MemError):
    """The disk refused: full, read-only, damaged, or not permitted."""

    code = "storage"


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The hint for a `name` that is none of `known`: the nearest one, if one is near, and all."""
    from difflib import get_close_matches  # only a mistake pays for it

    names = list(known)
    near = get_close_matches(name, names, n=1)
    guess = f"did you mean {near[0]!r}? " if near else ""
    return f"{guess}there are: {', '.join(names)}" if names else "there are none"
