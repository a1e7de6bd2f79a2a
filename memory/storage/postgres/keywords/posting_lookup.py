"""The posting of an entry, found by bisection in the block that may hold it.

Each entry is in the last block of a word that does not begin after it.
"""

from typing import Final

POSTINGS_PER_LOOKUP: Final = 40
"""The postings that are read in the time that it takes to look up an entry in its block."""

_UPTO: Final = "((({entry}) & 65535 # 32768) - 32768 << 16 | 65535)::integer"
"""The largest posting of an entry: postings begin with the last bits of its number, with a sign."""

_BLOCK: Final = """
            FROM posting_blocks WHERE term = {term} AND first <= {entry}
            ORDER BY first DESC LIMIT 1
        ) AS near WHERE last >= {entry}"""

_POSTING: Final = f"""CROSS JOIN LATERAL (
    SELECT (held >> 15)::integer AS tenths, (held & 32767)::integer AS length FROM (
        SELECT CASE WHEN p >> 16 = {{upto}} >> 16 THEN (p >> 10 & 63) << 15 | (p & 1023)
            ELSE (SELECT max(q & 1073741823) FROM unnest(large) AS q WHERE q >> 30 = {{entry}})
            END AS held
        FROM (
            SELECT last, large, postings[width_bucket({{upto}}, postings)] AS p{_BLOCK} OFFSET 0
    ) AS one WHERE held IS NOT NULL
) AS posting"""

_PLACE: Final = f"""CROSS JOIN LATERAL (
    SELECT FROM (
        SELECT last, more_places, n, postings[n] AS p, places[n] AS place FROM (
            SELECT *, width_bucket({{upto}}, postings) AS n{_BLOCK} OFFSET 0
    ) AS one WHERE p >> 16 = {{upto}} >> 16 AND place = {{place}}
        OR CASE WHEN {{place}} <= 65535 THEN {{upto}} - 65535 + {{place}} = ANY (more_places) END
) AS {{name}}"""

_PLACES: Final = f"""CROSS JOIN LATERAL (
    SELECT CASE WHEN p >> 16 = {{upto}} >> 16 THEN place END AS place, CASE
        WHEN more_places IS NOT NULL THEN ARRAY(SELECT q & 65535 FROM unnest(more_places) AS q
            WHERE q >> 16 = {{upto}} >> 16) END AS more
    FROM (
        SELECT last, more_places, postings[n] AS p, places[n] AS place FROM (
            SELECT *, width_bucket({{upto}}, postings) AS n{_BLOCK} OFFSET 0
    ) AS one
) AS held"""


def posting_sql(entry: str, term: str) -> str:
    """Return a join with `tenths` and `length` of the posting of an entry and a word, if there is
    one.
    """
    return _POSTING.format(entry=entry, term=term, upto=_UPTO.format(entry=entry))


def place_sql(entry: str, term: str, place: str, name: str) -> str:
    """Return a join that keeps an entry which holds a word at a place."""
    upto = _UPTO.format(entry=entry)
    return _PLACE.format(entry=entry, term=term, upto=upto, place=place, name=name)


def places_in_sql(entry: str, term: str) -> str:
    """Return a join with the first place of a word in an entry, `place`, and the others, `more`."""
    return _PLACES.format(entry=entry, term=term, upto=_UPTO.format(entry=entry))
