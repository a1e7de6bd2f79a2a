"""The protocol of another program's database file, from which records are imported."""

from collections.abc import Collection, Sequence
from typing import Any, Protocol


class ForeignFile(Protocol):
    """A file that is only read, and whose contents are not trusted."""

    def tables(self) -> set[str]:
        """Return the names of its tables."""
        ...

    def rows(
        self, table: str, wanted: Sequence[str], *, as_bytes: Collection[str] = ()
    ) -> list[dict[str, Any]]:
        """Return those of the wanted columns that a table has; nothing for a missing table.

        `as_bytes` are columns of text that may be invalid UTF-8.
        """
        ...

    def between(
        self, table: str, wanted: Sequence[str], *, column: str, low: object, high: object
    ) -> list[dict[str, Any]]:
        """Return the rows whose `column` is at least `low` and less than `high`, by that column.

        Texts come as bytes: they may be invalid UTF-8. Nothing for a missing table or column.
        """
        ...
