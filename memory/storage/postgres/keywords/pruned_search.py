"""The best chunks for single words, without scoring most of those that hold a frequent word.

The chunks with the rare words are scored first. The score of the last of the best of them is one
that every chunk of the answer reaches. A frequent word adds too little to bring a chunk without a
rare one among the best, so only the chunks that can still reach it are looked up among the blocks
of the frequent words. What remains is scored exactly. The idea is that of MaxScore (Turtle, Flood:
Query evaluation: strategies and optimizations, 1995).
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from contracts import Scope, Scored
from contracts.named_tuple import NamedTuple
from memory.storage.database import Database
from memory.storage.portable.score_bounds import Term, likely_score, score_bound
from memory.storage.postgres.scope import scope_sql
from memory.storage.postgres.writing.posting_blocks import LIVE, postings_sql

MOST_LEFT_OUT: Final = 10_000
"""The chunks outside a scope that are left out one by one."""

POSTINGS_PER_LOOKUP: Final = 40
"""The postings that are read in the time that it takes to find the block of an entry."""

ROUNDING: Final = 1e-9
"""The share by which a quick score may be too small."""

SCORE: Final = """
i.idf * (h.frequency * 2.2 / (
    h.frequency + 1.2 * (0.25 + 0.75 * h.length::double precision / i.mean)
))
""".strip()
"""BM25 as FTS5 computes it, to the last digit."""

_QUICK: Final = "weight * tenths / (tenths + 3.0 + length * :slope ::double precision)"
"""The same except for rounding, from the parts of a posting; `weight` is 2.2 times the idf."""

_TOTALS_SQL: Final = """
SELECT entries, words, EXISTS (SELECT 1 FROM removed_entries) FROM keyword_totals
"""
_HELD_SQL: Final = f"""
SELECT term, sum({LIVE}) FROM posting_blocks AS b WHERE term IN (:terms) GROUP BY term
"""
_RARE: Final = """
    unnest(:n::integer[], :terms::text[], :weights::double precision[]) AS i (n, term, weight)
    JOIN posting_blocks AS b USING (term)"""
_FIRST: Final = f"""
each0 AS MATERIALIZED (
    SELECT n, entry_id, tenths, length, {_QUICK} AS score
    FROM ({postings_sql("i.n, i.weight", _RARE)}) AS two {{where}}
), near0 AS MATERIALIZED (SELECT entry_id, sum(score) AS score FROM each0 GROUP BY entry_id)"""

_MANY: Final = "(SELECT count(*) FROM top{k}) * :lookup > :held{k}"
_ALL_BLOCKS: Final = f"posting_blocks AS b WHERE b.term = :term{{k}} AND {_MANY}"
_NEAR_BLOCKS: Final = f"""(
    SELECT DISTINCT near.first FROM top{{k}} AS c CROSS JOIN LATERAL (
        SELECT first, last FROM posting_blocks AS b
        WHERE b.term = :term{{k}} AND first <= c.entry_id ORDER BY first DESC LIMIT 1
    ) AS near WHERE near.last >= c.entry_id AND NOT {_MANY}
) AS found JOIN posting_blocks AS b ON b.term = :term{{k}} AND b.first = found.first"""
"""Each entry is in the last block that does not begin after it; for many, all blocks are read."""

_NEXT: Final = f"""
top{{k}} AS MATERIALIZED (
    SELECT entry_id, score FROM near{{k}} WHERE score + :rest{{k}} >= coalesce((
        SELECT score FROM near{{k}} ORDER BY score DESC OFFSET :limit - 1 LIMIT 1
    ), 0) * (1 - {ROUNDING})
)"""
_FOUND: Final = f"""
each{{next}} AS MATERIALIZED (
    SELECT :n{{k}} AS n, entry_id, tenths, length,
        {_QUICK.replace("weight", ":weight{k}")} AS score
    FROM (
        {postings_sql("b.term", _ALL_BLOCKS)}
        UNION ALL {postings_sql("b.term", _NEAR_BLOCKS)}
    ) AS two WHERE (entry_id IN (SELECT entry_id FROM top{{k}})) IS TRUE
), near{{next}} AS MATERIALIZED (
    SELECT entry_id, sum(score) AS score FROM (
        SELECT entry_id, score FROM top{{k}} UNION ALL SELECT entry_id, score FROM each{{next}}
    ) AS two GROUP BY entry_id
)"""
"""The condition is a lookup in a hash, whatever number of rows the server expects."""

_LAST: Final = f"""
i AS (
    SELECT n, CASE WHEN idf > 0 THEN idf ELSE 1e-6 END AS idf, :mean::double precision AS mean
    FROM (
        SELECT n, greatest(
            ln((:entries - held + 0.5)::double precision / (held + 0.5)), 0
        ) AS idf FROM unnest(:every_n::integer[], :every_held::bigint[]) AS one (n, held)
    ) AS rarity
), h AS (
    SELECT n, entry_id, tenths / 10.0::double precision AS frequency, length
    FROM ({{each}}) AS found WHERE (entry_id IN (SELECT entry_id FROM top{{k}})) IS TRUE
)
SELECT e.chunk_id, sum({SCORE} ORDER BY h.n) AS score,
    (SELECT score FROM near0 ORDER BY score DESC OFFSET :limit - 1 LIMIT 1) AS reached
FROM h JOIN i USING (n) JOIN keyword_entries AS e USING (entry_id)
GROUP BY e.chunk_id ORDER BY score DESC, e.chunk_id LIMIT :limit
"""

_LIVE: Final = "entry_id NOT IN (SELECT entry_id FROM removed_entries)"
_LEFT_OUT: Final = """(
    SELECT id FROM chunks WHERE source = ANY (:scope_without_sources::text[])
    UNION SELECT id FROM chunks WHERE hidden_from <= :scope_shown_after
)"""
_WITHIN: Final = f"""entry_id NOT IN (
    SELECT e.entry_id FROM {_LEFT_OUT} AS c JOIN keyword_entries AS e ON e.chunk_id = c.id
)"""
_SOME_LEFT_OUT_SQL: Final = f"""
SELECT count(*) FROM (SELECT 1 FROM {_LEFT_OUT} AS c LIMIT :most) AS few
"""


class _Word(NamedTuple):
    """A word of a query: its place there, the number of chunks with it, the most it adds."""

    n: int
    term: str
    held: int
    bound: float


def held_by(database: Database, terms: Collection[str]) -> dict[str, int]:
    """Return the number of entries that hold each of these words, if any does."""
    rows = database.read(_HELD_SQL, {"terms": list(terms)}) if terms else []
    return {term: int(held) for term, held in rows if held}


def best_by_words(
    database: Database, words: Sequence[str], scope: Scope, *, limit: int
) -> list[Scored] | None:
    """Return the best chunks of an open scope by BM25, ties by id.

    None where scoring all is as quick: too many chunks would be left out.
    """
    if not words:
        return []
    _, left_out = scope_sql(scope)
    outside = left_out and database.read(_SOME_LEFT_OUT_SQL, {**left_out, "most": MOST_LEFT_OUT})
    if outside and outside[0][0] >= MOST_LEFT_OUT:
        return None
    counts = held_by(database, set(words))
    ((entries, total, some_removed),) = database.read_once(_TOTALS_SQL)
    asked = sorted(
        (
            _Word(n, word, counts[word], score_bound(counts[word], entries))
            for n, word in enumerate(words)
            if word in counts
        ),
        key=lambda word: word.held,
    )
    if not asked:
        return []
    conditions = [_LIVE] if some_removed else []
    if outside and outside[0][0]:
        conditions.append(_WITHIN)
    search = _Search(database, entries, total, limit)
    search.limit_to(conditions, left_out)
    return search.best(asked)


class _Search:
    """The steps of one search, over so many entries with so many words."""

    def __init__(self, database: Database, entries: int, words: int, limit: int) -> None:
        self._database = database
        self._entries = entries
        self._mean = words / entries
        self._limit = limit
        self._where = ""
        self._values: dict[str, object] = {}

    def limit_to(self, conditions: Sequence[str], values: Mapping[str, object]) -> None:
        """Find no entries but those that meet these conditions."""
        if conditions:
            self._where = f"WHERE {' AND '.join(conditions)}"
            self._values = dict(values)

    def best(self, asked: Sequence[_Word]) -> list[Scored]:
        """Return the best chunks for these words, the rarest first."""
        terms = [Term(word.term, word.bound, word.held / self._entries) for word in asked]
        least = likely_score(terms, chunks=self._entries, limit=self._limit)
        rare = _rare(asked, least)
        while True:
            rows = self._database.read(self._sql(len(asked) - rare), self._parameters(asked, rare))
            reached = rows[0][2] if rows else None
            rest = sum(word.bound for word in asked[rare:])
            if rare == len(asked) or (reached is not None and rest < reached):
                return [Scored(chunk_id, float(score)) for chunk_id, score, _ in rows]
            rare = len(asked) if reached is None else max(rare + 1, _rare(asked, reached))

    def _sql(self, steps: int) -> str:
        """Return the statement for so many frequent words."""
        parts = [_FIRST.format(where=self._where)]
        for k in range(steps):
            parts += (_NEXT.format(k=k), _FOUND.format(k=k, next=k + 1))
        columns = "n, entry_id, tenths, length"
        each = " UNION ALL ".join(f"SELECT {columns} FROM each{k}" for k in range(steps + 1))
        parts += (_NEXT.format(k=steps), _LAST.format(k=steps, each=each))
        return f"WITH {', '.join(parts)}"

    def _parameters(self, asked: Sequence[_Word], rare: int) -> dict[str, object]:
        few, many = asked[:rare], asked[rare:]
        values = self._values | {
            "n": [word.n for word in few],
            "terms": [word.term for word in few],
            "weights": [word.bound for word in few],
            "every_n": [word.n for word in asked],
            "every_held": [word.held for word in asked],
            "slope": 9 / self._mean,
            "mean": self._mean,
            "entries": self._entries,
            "limit": self._limit,
            "lookup": POSTINGS_PER_LOOKUP,
            f"rest{len(many)}": 0,
        }
        for k, word in enumerate(many):
            values |= {
                f"n{k}": word.n,
                f"term{k}": word.term,
                f"weight{k}": word.bound,
                f"held{k}": word.held,
                f"rest{k}": sum(each.bound for each in many[k:]),
            }
        return values


def _rare(asked: Sequence[_Word], least: float) -> int:
    """Return how many of the first words a chunk needs one of to reach that score."""
    rest, number = 0.0, len(asked)
    while number > 1 and rest + asked[number - 1].bound < least:
        number -= 1
        rest += asked[number].bound
    return number
