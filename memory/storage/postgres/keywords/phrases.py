"""Phrases: words that follow each other in a column of an entry.

A phrase begins where each of its words has a place: places are four times the number in a column,
plus that of the column, and no word has a place in two columns. The places of the rarest word are
read, and those of the others beside them are looked up, or read where that is quicker.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from contracts.named_tuple import NamedTuple
from memory.storage.postgres.keywords.entries import BEYOND
from memory.storage.postgres.keywords.posting_lookup import POSTINGS_PER_LOOKUP, place_sql
from memory.storage.postgres.keywords.totals import IN_SPAN, SPANS
from memory.storage.postgres.writing.posting_blocks import TENTHS

_WEIGHT: Final = " ".join(f"WHEN {number} THEN {tenths}" for number, tenths in enumerate(TENTHS))

_WORD: Final = f"posting_blocks AS b WHERE b.term = :{{term}} AND {IN_SPAN}"
_BEGINNING: Final = f"""(
    SELECT * FROM posting_blocks AS b
    WHERE b.term >= :{{term}} AND b.term < :{{term}} || :beyond AND {IN_SPAN} OFFSET 0
) AS b"""
"""Without OFFSET the server expects so many words that it would rather read all blocks."""

_STARTS: Final = """
    SELECT (p >> 16 << 16) + place - {offset} AS start FROM (
        SELECT unnest(postings) AS p, unnest(places) AS place FROM {source}
    ) AS one WHERE place >= {offset}
    UNION ALL SELECT p - {offset} FROM (SELECT unnest(more_places) AS p FROM {source}) AS one
    WHERE p & 65535 >= {offset}"""
"""The phrases that may begin: the last bits of an entry's number, and a place."""

_READ: Final = """
    WITH rare AS MATERIALIZED ({rare})
    SELECT start FROM ({others} OFFSET 0) AS others
    WHERE (start IN (SELECT start FROM rare)) IS TRUE AND EXISTS (SELECT 1 FROM rare)
    GROUP BY start HAVING count(*) = {number}"""
"""The condition is a lookup in a hash, whatever number of rows the server expects."""

_LOOKED_UP: Final = """
    SELECT start FROM (
        SELECT start, span << 16 | (start >> 16 & 65535) AS entry_id, start & 65535 AS place
        FROM ({rare} OFFSET 0) AS rare
    ) AS c {lookups}"""

_PHRASE_SQL: Final = f"""
SELECT {{n}}, span << 16 | (entry & 65535), tenths / 10.0::double precision FROM {SPANS}
CROSS JOIN LATERAL (
    SELECT start >> 16 AS entry, sum(CASE start & 3 {_WEIGHT} END) AS tenths
    FROM ({{starts}}) AS begun GROUP BY start >> 16
) AS found
"""
_NONE_SQL: Final = "SELECT 0, 0::bigint, 0::double precision WHERE FALSE"


class Phrase(NamedTuple):
    """Words that follow each other, or begin so if `is_prefix`; and how many entries hold each."""

    tokens: Sequence[str]
    is_prefix: bool
    held: Mapping[str, int]

    def sql(self, n: int, name: str) -> tuple[str, dict[str, Any]]:
        """Return the statement for the number `n`, the entry and the frequency of each one found,
        and its parameters, whose names begin with `name`.
        """
        whole = range(len(self.tokens) - self.is_prefix)
        counts = [self.held.get(self.tokens[k], 0) for k in whole]
        if 0 in counts:
            return _NONE_SQL, {}
        rarest = counts.index(min(counts))
        others = [k for k in range(len(self.tokens)) if k != rarest]
        rare = self._starts(rarest, name)
        reading = sum(counts) - counts[rarest]
        if not self.is_prefix and counts[rarest] * len(others) * POSTINGS_PER_LOOKUP < reading:
            lookups = [
                place_sql("c.entry_id", f":{name}{k}", f"(c.place + {4 * k})", f"word{k}")
                for k in others
            ]
            starts = _LOOKED_UP.format(rare=rare, lookups=" ".join(lookups))
        else:
            read = " UNION ALL ".join(self._starts(k, name) for k in others)
            starts = _READ.format(rare=rare, others=read, number=len(others))
        values = {f"{name}{k}": token for k, token in enumerate(self.tokens)}
        return _PHRASE_SQL.format(n=n, starts=starts), {**values, "beyond": BEYOND}

    def _starts(self, k: int, name: str) -> str:
        is_beginning = self.is_prefix and k == len(self.tokens) - 1
        source = (_BEGINNING if is_beginning else _WORD).format(term=f"{name}{k}")
        return _STARTS.format(offset=4 * k, source=source)
