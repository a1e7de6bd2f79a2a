"""A database file of another program, from which records are taken over."""

from collections.abc import Collection, Sequence
from typing import Any, Protocol


class ForeignFile(Protocol):
    """A file that is only read, and in which nothing is trusted."""

    def tables(self) -> set[str]:
        """The names of its tables."""
        ...

    def rows(
        self, table: str, wanted: Sequence[str], *, as_bytes: Collection[str] = ()
    ) -> list[dict[str, Any]]:
        """Those of the wanted columns that a table has; none of a table that is not there.

        `as_bytes` are columns of text that may be no UTF-8.
        """
        ...
