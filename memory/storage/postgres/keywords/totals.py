"""The facts about all entries that a search reads once."""

from typing import Final

from contracts.named_tuple import NamedTuple
from memory.storage.database import Database
from memory.storage.postgres.writing.posting_blocks import SPAN_BITS

_TOTALS_SQL: Final = """
SELECT entries, words, EXISTS (SELECT 1 FROM removed_entries),
    coalesce((SELECT min(entry_id) FROM keyword_entries), 0),
    coalesce((SELECT max(entry_id) FROM keyword_entries), 0)
FROM keyword_totals
"""

SPANS: Final = f"""generate_series(
    :first_entry ::bigint >> {SPAN_BITS}, :last_entry ::bigint >> {SPAN_BITS}
) AS span"""
"""The spans of all entries; a block lies in one. The server sums up the few entries of a span
several times quicker than all at once.
"""

IN_SPAN: Final = f"b.first >= span << {SPAN_BITS} AND b.first < span + 1 << {SPAN_BITS}"


class Totals(NamedTuple):
    """The numbers of entries and of their words, whether some removed ones may still be in blocks,
    and the first and the last entry.
    """

    entries: int
    words: int
    some_removed: bool
    first: int
    last: int

    @property
    def ends(self) -> dict[str, int]:
        """The parameters of `SPANS`."""
        return {"first_entry": self.first, "last_entry": self.last}

    @property
    def halves(self) -> tuple[dict[str, int], dict[str, int]]:
        """The same for the spans of the first and of the second half; one may have none."""
        middle = ((self.first >> SPAN_BITS) + (self.last >> SPAN_BITS) >> 1) + 1 << SPAN_BITS
        lower = {"first_entry": self.first, "last_entry": min(self.last, middle - 1)}
        return lower, {"first_entry": middle, "last_entry": self.last}


def totals_of(database: Database) -> Totals:
    """Return the totals of the current snapshot."""
    return Totals(*database.read_once(_TOTALS_SQL)[0])
