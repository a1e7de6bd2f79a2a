"""The answer of a worker to a job, and the byte after it: whether it takes another job."""

from typing import Any, Final

from contracts.named_tuple import NamedTuple

LAST: Final = b"\0"
MORE: Final = b"\1"


class Reply(NamedTuple):
    """The answer to a job: its return value or error."""

    result: Any
    error: Exception | None
