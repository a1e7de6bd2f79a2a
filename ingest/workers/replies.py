"""What a worker sends back for a job: a reply, and a byte that says whether it takes another."""

from typing import Any, Final

from contracts.named_tuple import NamedTuple

LAST: Final = b"\0"
MORE: Final = b"\1"


class Reply(NamedTuple):
    """The answer to a job: its return value or error."""

    result: Any
    error: Exception | None
