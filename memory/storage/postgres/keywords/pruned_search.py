"""The best chunks for single words, without scoring most of those that hold a frequent word.

A score that the last of the best probably reaches is taken from a sample of the entries. A frequent
word adds too little to bring a chunk without a rare one that far, so only the blocks of the rare
words are read; what can still reach the score is looked up in the blocks of the frequent words. The
idea is that of MaxScore (Turtle, Flood: Query evaluation: strategies and optimizations, 1995). What
remains is scored exactly. If the last of the best scores less, all is done again with its score.
"""

from bisect import bisect_right
from collections.abc import Callable, Collection, Sequence
from functools import partial
from math import inf
from typing import Final, Protocol, TypeVar

from contracts import Scope, Scored
from contracts.named_tuple import NamedTuple
from memory.storage.database import Database
from memory.storage.portable.score_bounds import Term, likely_score, score_bound
from memory.storage.postgres.keywords.posting_lookup import POSTINGS_PER_LOOKUP, posting_sql
from memory.storage.postgres.keywords.scoped_entries import Within, few_entries, within
from memory.storage.postgres.keywords.totals import IN_SPAN, SPANS, totals_of
from memory.storage.postgres.writing.posting_blocks import LIVE, SIGN_BIT, postings_sql

LEFT_PER_READ: Final = 3
"""The postings that are read in the time in which an entry is kept for the next word."""

FEWEST_SAMPLED: Final = 30_000
"""The postings from which the best score is taken from a sample."""

MOST_SAMPLED: Final = 500_000
"""The postings of the words, the rarest first, whose sample is read."""

WINDOW: Final = 2048
"""The entries in each sixteenth of the sample, of which one in every 32,768 begins."""

SAMPLED_RANK: Final = 0.1
"""The rank in the sample of the score that the last of so many of the best probably reaches."""

SAMPLED_RANK_IN_SCOPE: Final = 0.2
"""The same within a scope, where a score that too few reach costs more."""

MOST_FEW: Final = 5_000
"""The entries of a scope that are looked up one by one."""

LOWERED: Final = 0.6
"""The share of a score that too few chunks reach, which is tried next."""

SCORED_PER_READ: Final = 10
"""The postings that are read in the time in which one is joined with its chunk, among all."""

ROUNDING: Final = 1e-9
"""The share by which a quick score may be too small."""

FEWEST_HALVED: Final = 40_000
"""The postings whose second half is read by another connection meanwhile."""

SCORE: Final = """
i.idf * (h.frequency * 2.2 / (
    h.frequency + 1.2 * (0.25 + 0.75 * h.length::double precision / i.mean)
))
""".strip()
"""BM25 as FTS5 computes it, to the last digit."""

_QUICK: Final = "weight * tenths / (length * :slope ::double precision + 3 + tenths)"
"""The same except for rounding, from the parts of a posting; `weight` is 2.2 times the idf."""

_HELD_SQL: Final = """
SELECT term, sum({size}) FROM posting_blocks AS b WHERE term IN (:terms) GROUP BY term
"""
_RARE: Final = f"""
    unnest(:terms::text[], :weights::double precision[]) AS i (term, weight)
    JOIN posting_blocks AS b ON b.term = i.term AND {IN_SPAN}"""
_FIRST: Final = f"""
near0 AS MATERIALIZED (
    SELECT span << 16 | (entry & 65535) AS entry_id, score FROM {SPANS} CROSS JOIN LATERAL (
        SELECT entry, sum({_QUICK}) AS score FROM (
            SELECT weight, p >> 16 AS entry, p >> 10 & 63 AS tenths, p & 1023 AS length
            FROM (SELECT weight, unnest(postings) AS p FROM {_RARE}) AS one
            UNION ALL SELECT weight, ((p >> 30 & 65535 # 32768) - 32768)::integer,
                (p >> 15 & 32767)::integer, (p & 32767)::integer
            FROM (SELECT weight, unnest(large) AS p FROM {_RARE}) AS one
        ) AS two GROUP BY entry HAVING sum({_QUICK}) >= :least0
    ) AS of_span
)"""
"""An entry is the last bits of its number, with a sign, as postings begin with it."""

_SAMPLE_SQL: Final = f"""
SELECT score FROM (
    SELECT half >> 1 << 16 | (entry & 65535) AS entry_id, score
    FROM generate_series(:first_half ::bigint, :last_half) AS half CROSS JOIN LATERAL (
        SELECT entry, sum({_QUICK}) AS score FROM (
            SELECT weight, p >> 16 AS entry, p >> 10 & 63 AS tenths, p & 1023 AS length FROM (
                SELECT weight, unnest(postings) AS p
                FROM unnest(:terms::text[], :weights::double precision[], :reaches::bigint[])
                    AS i (term, weight, reach)
                JOIN posting_blocks AS b ON b.term = i.term AND last >= half << 15
                    AND first >= greatest(half >> 1 << 16, (half << 15) - reach)
                    AND first < (half << 15) + {WINDOW}
            ) AS one WHERE (p >> 16 & 32767) < {WINDOW}
        ) AS two GROUP BY entry
    ) AS of_half ORDER BY score DESC
) AS one {{within}} ORDER BY score DESC OFFSET :rank LIMIT 1
"""
_AMONG: Final = """
kept AS MATERIALIZED (
    SELECT few.entry_id, 0::double precision AS score
    FROM unnest(:few::bigint[]) AS few (entry_id) {lookup}
)"""
_MANY: Final = "(SELECT size FROM size{k}) * :lookup > :held{k}"
_ALL_BLOCKS: Final = f"posting_blocks AS b WHERE b.term = :term{{k}} AND {_MANY}"
_NEXT: Final = f"""
top{{k}} AS MATERIALIZED (
    SELECT entry_id, score FROM near{{k}} WHERE score + :rest{{k}} >= :least * (1 - {ROUNDING})
)"""
_FOUND: Final = f"""
size{{k}} AS MATERIALIZED (SELECT count(*) AS size FROM top{{k}}),
near{{next}} AS MATERIALIZED (
    SELECT entry_id, sum(score) AS score FROM (
        SELECT entry_id, score FROM top{{k}}
        UNION ALL SELECT entry_id, {_QUICK.replace("weight", ":weight{k}")}
        FROM ({postings_sql("b.term", _ALL_BLOCKS)}) AS two
        WHERE (entry_id IN (SELECT entry_id FROM top{{k}})) IS TRUE
        UNION ALL SELECT c.entry_id, {_QUICK.replace("weight", ":weight{k}")}
        FROM top{{k}} AS c {posting_sql("c.entry_id", ":term{k}")} WHERE NOT {_MANY}
    ) AS added GROUP BY entry_id
)"""
"""The condition is a lookup in a hash, whatever number of rows the server expects."""

_KEPT: Final = f"""
kept AS MATERIALIZED (
    SELECT one.entry_id, score FROM (
        SELECT entry_id, score FROM near{{k}} WHERE score >= :least * (1 - {ROUNDING})
    ) AS one {{within}}
)"""
_LAST: Final = f"""
best AS MATERIALIZED (
    SELECT entry_id FROM kept WHERE score >= coalesce((
        SELECT score FROM kept ORDER BY score DESC OFFSET :limit - 1 LIMIT 1
    ), 0) * (1 - {ROUNDING})
), i AS (
    SELECT n, term, CASE WHEN idf > 0 THEN idf ELSE 1e-6 END AS idf,
        :mean::double precision AS mean
    FROM (
        SELECT n, term, greatest(
            ln((:entries - held + 0.5)::double precision / (held + 0.5)), 0
        ) AS idf
        FROM unnest(:every_n::integer[], :every_term::text[], :every_held::bigint[])
            AS one (n, term, held)
    ) AS rarity
), h AS (
    SELECT n, idf, mean, c.entry_id, tenths / 10.0::double precision AS frequency, length
    FROM best AS c CROSS JOIN i {posting_sql("c.entry_id", "i.term")}
)
SELECT e.chunk_id, sum({SCORE.replace("i.", "h.")} ORDER BY h.n) AS score
FROM h JOIN keyword_entries AS e USING (entry_id)
GROUP BY e.chunk_id ORDER BY score DESC, e.chunk_id LIMIT :limit
"""

T = TypeVar("T")


class Source(Protocol):
    """The part of `Storage` that a search reads with."""

    @property
    def database(self) -> Database: ...

    def start_read(self, read: Callable[[], T]) -> Callable[[], T]: ...


class _Word(NamedTuple):
    """A word of a query: its place there, the number of chunks with it, the most it adds."""

    n: int
    term: str
    held: int
    bound: float


def held_by(database: Database, terms: Collection[str]) -> dict[str, int]:
    """Return the number of entries that hold each of these words, if any does."""
    if not terms:
        return {}
    sql = _HELD_SQL.format(size=LIVE if totals_of(database).some_removed else "size")
    return {term: int(held) for term, held in database.read(sql, {"terms": list(terms)}) if held}


def best_by_words(
    source: Source,
    words: Sequence[str],
    scope: Scope,
    *,
    limit: int,
    required: str | None = None,
    fewest_sampled: int = FEWEST_SAMPLED,
) -> list[Scored] | None:
    """Return the best chunks of a scope by BM25, ties by id; all hold the required word.

    None where scoring all is as quick.
    """
    if not words:
        return []
    database = source.database
    counts = held_by(database, set(words))
    totals = totals_of(database)
    asked = sorted(
        (
            _Word(n, word, counts[word], score_bound(counts[word], totals.entries))
            for n, word in enumerate(words)
            if word in counts
        ),
        key=lambda word: (word.term != required, word.held),
    )
    if not asked or required not in (None, asked[0].term):
        return []
    search = _Search(source, within(database, scope), limit)
    postings = sum(word.held for word in asked[: 1 if required else None])
    most = SCORED_PER_READ * postings // (len(asked) * POSTINGS_PER_LOOKUP)
    few = few_entries(database, scope, most=min(most, MOST_FEW))
    if few is not None:
        return search.among(few, asked, required)
    if required is None:
        return search.best(asked, search.likely(asked, fewest_sampled=fewest_sampled))
    return None if search.within.leaves_out_many else search.scored(asked, first=1, least=0)


class _Search:
    """The steps of one search."""

    def __init__(self, source: Source, within: Within, limit: int) -> None:
        self._start_read = source.start_read
        self._database = source.database
        self._totals = totals_of(self._database)
        self._entries = self._totals.entries
        self._mean = self._totals.words / self._entries
        self.within = within
        self._limit = limit
        self._values: dict[str, object] = {
            "slope": 9 / self._mean,
            "limit": limit,
            **self._totals.ends,
            **within.values,
        }

    def among(
        self, few: Sequence[int], asked: Sequence[_Word], required: str | None
    ) -> list[Scored]:
        """Return the best of these entries, by looking up each of them."""
        lookup = "" if required is None else posting_sql("few.entry_id", ":required")
        values = self._parameters(asked, len(asked), 0) | {"few": few, "required": required}
        sql = f"WITH {_AMONG.format(lookup=lookup)}, {_LAST}"
        rows = self._database.read(sql, values)
        return [Scored(chunk_id, float(score)) for chunk_id, score in rows]

    def best(self, asked: Sequence[_Word], least: float) -> list[Scored] | None:
        """Return the best chunks for these words, the rarest first, if the last of them probably
        reaches the score `least`; None where all of them would be looked up in the scope.
        """
        lowered = least * LOWERED
        while least or not self.within.leaves_out_many:
            found = self.scored(asked, first=_read_first(asked, least), least=least)
            reached = found[-1].score * (1 - ROUNDING) if len(found) == self._limit else 0.0
            if reached >= least:
                return found
            least, lowered = reached or lowered, 0.0
        return None

    def scored(self, asked: Sequence[_Word], *, first: int, least: float) -> list[Scored]:
        """Return the best chunks with one of the first words, if they score at least so much."""
        values = self._parameters(asked, first, least)
        read = partial(self._database.read, self._sql(len(asked) - first))
        if sum(word.held for word in asked[:first]) < FEWEST_HALVED:
            rows = read(values)
        else:
            lower, upper = self._totals.halves
            later = self._start_read(lambda: read(values | upper))
            rows = [*read(values | lower), *later()]
        found = [Scored(chunk_id, float(score)) for chunk_id, score in rows]
        return sorted(found, key=lambda hit: (-hit.score, hit.chunk_id))[: self._limit]

    def likely(self, asked: Sequence[_Word], *, fewest_sampled: int) -> float:
        """Return a score that the last of the best probably reaches."""
        upto = [sum(one.held for one in asked[: n + 1]) for n in range(len(asked))]
        words = asked[: bisect_right(upto, MOST_SAMPLED)]
        is_narrow = self.within.leaves_out_many
        if words and (is_narrow or upto[-1] >= fewest_sampled):
            sql = _SAMPLE_SQL.format(within=self.within.sql if is_narrow else "")
            found = self._database.read(sql, self._sample(words))
            if found:
                return float(found[0][0])
        if is_narrow:
            return 0.0
        terms = [Term(word.term, word.bound, word.held / self._entries) for word in asked]
        return likely_score(terms, chunks=self._entries, limit=self._limit)

    def _sample(self, words: Sequence[_Word]) -> dict[str, object]:
        share = SAMPLED_RANK_IN_SCOPE if self.within.leaves_out_many else SAMPLED_RANK
        return self._values | {
            "terms": [word.term for word in words],
            "weights": [word.bound for word in words],
            "reaches": [300 * self._entries // word.held for word in words],
            "first_half": self._totals.first >> SIGN_BIT,
            "last_half": self._totals.last >> SIGN_BIT,
            "rank": round(self._limit * share),
        }

    def _sql(self, steps: int) -> str:
        """Return the statement for so many frequent words."""
        parts = [_FIRST]
        for k in range(steps):
            parts += (_NEXT.format(k=k), _FOUND.format(k=k, next=k + 1))
        parts += (_KEPT.format(k=steps, within=self.within.sql), _LAST)
        return f"WITH {', '.join(parts)}"

    def _parameters(self, asked: Sequence[_Word], first: int, least: float) -> dict[str, object]:
        few, many = asked[:first], asked[first:]
        rest = sum(word.bound for word in many)
        values = self._values | {
            "terms": [word.term for word in few],
            "weights": [word.bound for word in few],
            "every_n": [word.n for word in asked],
            "every_term": [word.term for word in asked],
            "every_held": [word.held for word in asked],
            "mean": self._mean,
            "entries": self._entries,
            "lookup": POSTINGS_PER_LOOKUP,
            "least": least,
            "least0": (least - rest) * (1 - ROUNDING),
        }
        for k, word in enumerate(many):
            values |= {
                f"term{k}": word.term,
                f"weight{k}": word.bound,
                f"held{k}": word.held,
                f"rest{k}": sum(each.bound for each in many[k:]),
            }
        return values


def _read_first(asked: Sequence[_Word], least: float) -> int:
    """Return the number of the first words whose blocks are all read, so that the search takes the
    least time: a chunk needs one of them to reach that score.
    """
    rest, read = sum(word.bound for word in asked), 0
    best, cheapest = len(asked), inf
    for number, word in enumerate(asked, start=1):
        rest -= word.bound
        read += word.held
        if rest >= least:
            continue
        left = sum(one.held * _likely_share((least - rest) / one.bound) for one in asked[:number])
        cost = read + LEFT_PER_READ * left
        if number < len(asked):
            cost += min(left * POSTINGS_PER_LOOKUP / 2, asked[number].held / 2)
        if cost < cheapest:
            best, cheapest = number, cost
    return best


def _likely_share(impact: float) -> float:
    """Return the usual share of the postings of a word that have so much of its bound."""
    return min(1.0, max(0.0, (0.85 - impact) / 0.6))
