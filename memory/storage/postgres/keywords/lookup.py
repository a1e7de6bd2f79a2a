"""One posting, found by bisection in the block that may hold it."""

from typing import Final

_BEFORE: Final = "((({entry}) & 65535 # 32768) - 32768 << 16 | 65535)::integer"
"""The largest posting of an entry: postings begin with the last bits of its number, with a sign."""

_LOOKUP: Final = """CROSS JOIN LATERAL (
    SELECT (held >> 15)::integer AS tenths, (held & 32767)::integer AS length FROM (
        SELECT CASE WHEN p >> 16 = {upto} >> 16 THEN (p >> 10 & 63) << 15 | (p & 1023)
            ELSE (SELECT max(q & 1073741823) FROM unnest(large) AS q WHERE q >> 30 = {entry})
            END AS held
        FROM (
            SELECT last, large, postings[width_bucket({upto}, postings)] AS p
            FROM posting_blocks WHERE term = {term} AND first <= {entry}
            ORDER BY first DESC LIMIT 1
        ) AS near WHERE last >= {entry} OFFSET 0
    ) AS one WHERE held IS NOT NULL
) AS {name}"""


def lookup_sql(entry: str, term: str, name: str = "found") -> str:
    """Return a join with `tenths` and `length` of the posting of an entry and a word, if there is
    one.

    Each entry is in the last block that does not begin after it.
    """
    upto = _BEFORE.format(entry=entry)
    return _LOOKUP.format(entry=entry, term=term, upto=upto, name=name)
