"""The filters of a search, as a model gives them."""

from contracts.named_tuple import NamedTuple
from search.options import Mode


class Filters(NamedTuple):
    """The scope and mode of a search; None: as configured."""

    sources: list[str] | None
    since: str | None
    until: str | None
    tags: list[str] | None
    mode: Mode | None
    collection: str | None = None
