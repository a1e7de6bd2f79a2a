"""Blocks of postings: how they are written, merged, and freed of removed entries.

A word has a block for each batch of entries that was written with it, later ones behind earlier
ones, and none is changed. Small blocks beside each other are merged into one, as the segments of
other indexes are. A removed entry is only noted; its postings go when enough entries have been
removed, or something was forgotten.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import psycopg

from memory.storage.postgres.statements import escaped

COLUMNS: Final = 4
"""Text, title, neighbours, identifiers."""

TENTHS: Final = (10, 20, 3, 5)
"""Column weights, in tenths; those of the SQLite backend."""

MOST_TENTHS: Final = (1 << 6) - 1
LONGEST: Final = (1 << 10) - 1
"""The largest weighted frequency, in tenths, and length of an entry that four bytes can hold."""

LARGEST: Final = (1 << 15) - 1
"""The largest of both that eight bytes can hold."""

LAST_PLACE: Final = (1 << 14) - 1
"""The last place in a column that is stored: phrases beyond are not found."""

SPAN_BITS: Final = 16
"""A block lies within so many bits of the numbers of entries, so that a place takes four bytes."""

SIGN_BIT: Final = SPAN_BITS - 1
"""Postings rise with their entries where this bit of all is the same: it is their sign."""

ENTRIES_AT_ONCE: Final = 512
"""The most entries of a block that is written."""

FULL: Final = 128
"""The postings from which a block is not small. A search skips whole blocks, so larger ones cost it
more, and smaller ones more space."""

FEW: Final = 8
"""The number of small blocks of a word that are merged even if they do not make a full one."""

RECENT: Final = 4096
"""Entries among whose blocks a writer of few entries looks for small ones; and the entries of
larger transactions, as in a sync, after which their words' blocks are merged."""

MOST_REMOVED: Final = 5_000
"""Removed entries whose postings remain."""

_ENTRY: Final = "(first >> 16 << 16 | (p >> 16 & 65535))"
"""The entry of a posting or a place `p` in a block that begins with the entry `first`."""

_IS_LIVE: Final = "NOT IN (SELECT entry_id FROM removed_entries)"
LIVE: Final = f"""CASE WHEN EXISTS (
    SELECT 1 FROM removed_entries AS r WHERE r.entry_id BETWEEN b.first AND b.last
) THEN (
    SELECT count(*) FROM unnest(b.postings) AS p WHERE {_ENTRY} {_IS_LIVE}
) + (
    SELECT count(*) FROM unnest(b.large) AS p WHERE p >> 30 {_IS_LIVE}
) ELSE b.size END"""
"""The postings of a block `b` whose entries are still there."""

_COPY_SQL: Final = """
COPY posting_blocks (term, first, last, size, postings, places, more_places, large) FROM STDIN
"""
_IN_COPY: Final = str.maketrans({"\\": r"\\", "\t": r"\t", "\n": r"\n", "\r": r"\r"})

_REPLACE: Final = f"""
, each AS (
    SELECT term, first >> {SPAN_BITS} AS span, part, {_ENTRY} AS entry, p, place
    FROM (SELECT term, first, part, unnest(postings) AS p, unnest(places) AS place FROM old) AS one
), small AS (
    SELECT term, span, part, min(entry) AS first, max(entry) AS last, count(*) AS size,
        array_agg(p) AS postings, array_agg(place) AS places
    FROM each WHERE entry {_IS_LIVE} GROUP BY term, span, part
), sorted AS (
    SELECT term, span, part, first, last, size, one.postings, one.places
    FROM small CROSS JOIN LATERAL (
        SELECT array_agg(p ORDER BY p) AS postings, array_agg(place ORDER BY p) AS places
        FROM unnest(small.postings, small.places) AS one (p, place)
    ) AS one
), others AS (
    SELECT term, span, part, array_agg(p) AS more_places FROM (
        SELECT term, first, first >> {SPAN_BITS} AS span, part, unnest(more_places) AS p FROM old
    ) AS one WHERE {_ENTRY} {_IS_LIVE} GROUP BY term, span, part
), large AS (
    SELECT term, span, part, min(p >> 30) AS first, max(p >> 30) AS last, count(*) AS size,
        array_agg(p) AS large FROM (
        SELECT term, first >> {SPAN_BITS} AS span, part, unnest(large) AS p FROM old
    ) AS one WHERE p >> 30 {_IS_LIVE} GROUP BY term, span, part
)
INSERT INTO posting_blocks (term, first, last, size, postings, places, more_places, large)
SELECT term, least(sorted.first, large.first), greatest(sorted.last, large.last),
    coalesce(sorted.size, 0) + coalesce(large.size, 0), coalesce(postings, ARRAY[]::integer[]),
    coalesce(places, ARRAY[]::smallint[]), more_places, large.large
FROM sorted FULL JOIN large USING (term, span, part) LEFT JOIN others USING (term, span, part)
"""
"""The postings of a block rise, and each place is beside its posting."""

_TO_VERSION_2_SQL: Final = """
ALTER TABLE posting_blocks RENAME COLUMN more TO more_places;
ALTER TABLE posting_blocks
    DROP CONSTRAINT posting_blocks_pkey, ADD PRIMARY KEY (term, first) INCLUDE (size);
UPDATE posting_blocks AS b SET (postings, places) = (
    SELECT array_agg(p ORDER BY p), array_agg(place ORDER BY p)
    FROM unnest(b.postings, b.places) AS one (p, place)
) WHERE cardinality(postings) > 1
    AND postings <> (SELECT array_agg(p ORDER BY p) FROM unnest(postings) AS p)
"""

_MERGE_SQL: Final = f"""
WITH near AS (
    SELECT term, first, first >> {SPAN_BITS} AS span,
        (sum(size) OVER (PARTITION BY term, first >> {SPAN_BITS} ORDER BY first) - size) / {FULL}
        AS part
    FROM posting_blocks WHERE {{which}}
), grouped AS (
    SELECT term, first, part, count(*) OVER (PARTITION BY term, span, part) AS number,
        max(part) OVER (PARTITION BY term, span) AS last_part FROM near
), old AS (
    DELETE FROM posting_blocks AS b USING grouped AS g
    WHERE b.term = g.term AND b.first = g.first AND g.number > 1
        AND (g.part < g.last_part OR g.number >= %(few)s)
    RETURNING b.term, b.first, b.postings, b.places, b.more_places, b.large, g.part
) {_REPLACE}
"""
_RECENT_SQL: Final = _MERGE_SQL.format(which="term = ANY (%(terms)s::text[]) AND first >= %(from)s")
_ALL_SQL: Final = _MERGE_SQL.format(which="term > %(after)s AND term <= %(upto)s")
_UPTO_SQL: Final = """
SELECT max(term) FROM (
    SELECT term FROM posting_blocks WHERE term > %s ORDER BY term LIMIT 20000
) AS next
"""
_DROP_REMOVED_SQL: Final = f"""
WITH old AS (
    DELETE FROM posting_blocks AS b WHERE EXISTS (
        SELECT 1 FROM removed_entries AS r WHERE r.entry_id BETWEEN b.first AND b.last
    ) AND {LIVE} < b.size RETURNING term, first, postings, places, more_places, large, first AS part
) {_REPLACE}
"""


@dataclass(slots=True)
class Unmerged:
    """The words of a row of transactions whose blocks are not merged yet, and their entries.

    `is_vacuum_due`: so many blocks have been replaced that their space should be used again.
    """

    terms: set[str] = field(default_factory=set)
    entries: int = 0
    first: int | None = None
    is_vacuum_due: bool = False

    def clear(self) -> None:
        """Forget them."""
        self.terms, self.entries, self.first = set(), 0, None


def postings_sql(columns: str, source: str) -> str:
    """Return the statement for the entry, ten times the weighted frequency, and the entry's words
    of each posting in `source`, a FROM clause with `posting_blocks AS b`; after some columns.
    """
    names = _names(columns)
    return f"""
    SELECT {names}, {_ENTRY} AS entry_id, p >> 10 & 63 AS tenths, p & 1023 AS length
    FROM (SELECT {columns}, b.first, unnest(b.postings) AS p FROM {source}) AS one
    UNION ALL SELECT {names}, p >> 30, (p >> 15 & 32767)::integer, (p & 32767)::integer
    FROM (SELECT {columns}, unnest(b.large) AS p FROM {source}) AS one"""


def places_sql(columns: str, source: str) -> str:
    """Return the same for the entry and place of each occurrence: four times the number in its
    column, plus that of the column.
    """
    names = _names(columns)
    return f"""
    SELECT {names}, {_ENTRY} AS entry_id, place::integer AS place FROM (
        SELECT {columns}, b.first, unnest(b.postings) AS p, unnest(b.places) AS place FROM {source}
    ) AS one
    UNION ALL SELECT {names}, {_ENTRY}, p & 65535
    FROM (SELECT {columns}, b.first, unnest(b.more_places) AS p FROM {source}) AS one"""


def _names(columns: str) -> str:
    return ", ".join(column.split()[-1].split(".")[-1] for column in columns.split(", "))


def write_blocks(
    connection: psycopg.Connection[Any], entries: Mapping[int, Sequence[Sequence[str]]]
) -> set[str]:
    """Write the postings of new entries, given as the words of their columns; return the words."""
    written: set[str] = set()
    with psycopg.Cursor(connection).copy(_COPY_SQL) as copy:
        for batch in _batches(entries):
            blocks = _Blocks(batch, entries)
            copy.write("".join(blocks.lines()))
            written.update(blocks.sizes)
    return written


def _batches(entries: Iterable[int]) -> Iterator[list[int]]:
    """Return the numbers of entries, rising, in parts that a block may hold."""
    batch: list[int] = []
    for entry in sorted(entries):
        if batch and (len(batch) == ENTRIES_AT_ONCE or batch[0] >> SIGN_BIT != entry >> SIGN_BIT):
            yield batch
            batch = []
        batch.append(entry)
    if batch:
        yield batch


class _Blocks:
    """The postings and places of each word in a batch of entries."""

    def __init__(
        self, batch: Sequence[int], entries: Mapping[int, Sequence[Sequence[str]]]
    ) -> None:
        self.sizes: dict[str, int] = {}
        self._firsts: dict[str, int] = {}
        self._lasts: dict[str, int] = {}
        self._postings: defaultdict[str, list[int]] = defaultdict(list)
        self._places: defaultdict[str, list[int]] = defaultdict(list)
        self._more: defaultdict[str, list[int]] = defaultdict(list)
        self._large: defaultdict[str, list[int]] = defaultdict(list)
        for entry in batch:
            self._add(entry, entries[entry])

    def _add(self, entry: int, columns: Sequence[Sequence[str]]) -> None:
        tenths: dict[str, int] = {}
        places: dict[str, int] = {}
        offset = entry & 0xFFFF
        base = offset - (1 << 16 if offset >> 15 else 0) << 16  # the server's integers have a sign
        for column, tokens in enumerate(columns):
            weight, code = TENTHS[column], column
            for token in tokens[: LAST_PLACE + 1]:
                if token in tenths:
                    tenths[token] += weight
                    self._more[token].append(base | code)
                else:
                    tenths[token], places[token] = weight, code
                code += 4
            for token in tokens[LAST_PLACE + 1 :]:
                tenths[token] = tenths.get(token, 0) + weight
        self._put(entry, base, tenths, places, length=sum(map(len, columns)))

    def _put(
        self,
        entry: int,
        base: int,
        tenths: Mapping[str, int],
        places: Mapping[str, int],
        *,
        length: int,
    ) -> None:
        for token, frequency in tenths.items():
            self._firsts.setdefault(token, entry)
            self._lasts[token] = entry
            self.sizes[token] = self.sizes.get(token, 0) + 1
            if frequency <= MOST_TENTHS and length <= LONGEST:
                self._postings[token].append(base | frequency << 10 | length)
                self._places[token].append(places[token])
                continue
            held = min(frequency, LARGEST) << 15 | min(length, LARGEST)
            self._large[token].append(entry << 30 | held)
            if token in places:
                self._more[token].append(base | places[token])

    def lines(self) -> Iterator[str]:
        """Return the blocks as lines of COPY."""
        for term, size in self.sizes.items():
            written = escaped(term)
            if not written.isalnum():
                written = written.translate(_IN_COPY)
            postings, places = (
                array_text(self._postings.get(term, ())),
                array_text(self._places.get(term, ())),
            )
            more = array_text(self._more[term]) if term in self._more else "\\N"
            large = array_text(self._large[term]) if term in self._large else "\\N"
            span = f"{self._firsts[term]}\t{self._lasts[term]}\t{size}"
            yield f"{written}\t{span}\t{postings}\t{places}\t{more}\t{large}\n"


def array_text(numbers: Iterable[int]) -> str:
    """Return an array of integers as PostgreSQL writes it."""
    return f"{{{','.join(map(str, numbers))}}}"


def merge_written(connection: psycopg.Connection[Any], unmerged: Unmerged) -> None:
    """Merge small blocks of the words that were written, if it is time to."""
    if unmerged.entries >= RECENT and unmerged.first is not None:
        values = {"terms": list(unmerged.terms), "from": unmerged.first, "few": 2}
        connection.execute(_RECENT_SQL, values)
        unmerged.clear()
        unmerged.is_vacuum_due = True


def merge_recent(connection: psycopg.Connection[Any], terms: Iterable[str], *, last: int) -> None:
    """Merge small blocks of these words among those of the entries just before and at `last`."""
    values = {"terms": list(terms), "from": last - RECENT, "few": FEW}
    connection.execute(_RECENT_SQL, values)


def merge_next(connection: psycopg.Connection[Any], after: str) -> str | None:
    """Merge all small blocks of some words after that one; return the last of them, or None."""
    row = connection.execute(_UPTO_SQL, (after,)).fetchone()
    if row is None or row[0] is None:
        return None
    upto = str(row[0])
    connection.execute(_ALL_SQL, {"after": after, "upto": upto, "few": 2})
    return upto


def drop_removed(connection: psycopg.Connection[Any]) -> None:
    """Remove the postings of all removed entries."""
    connection.execute(_DROP_REMOVED_SQL)
    connection.execute("DELETE FROM removed_entries")


def to_version_2(connection: psycopg.Connection[Any]) -> None:
    """Sort the postings of all blocks, and let the index answer how many hold a word.

    A column gets another name, so that a process of the older version, which may have the schema
    open, writes no more blocks.
    """
    connection.execute(_TO_VERSION_2_SQL)
