"""The best chunks for single words, without scoring most of those that hold a frequent word.

The chunks with the rare words are scored first. The score of the last of the best of them is one
that every chunk of the answer reaches. A frequent word adds too little to bring a chunk without a
rare one among the best, so only the chunks that can still reach it are looked up among the blocks
of the frequent words. What remains is scored exactly. The idea is that of MaxScore (Turtle, Flood:
Query evaluation: strategies and optimizations, 1995).
"""

from collections.abc import Collection, Mapping, Sequence
from heapq import nlargest
from typing import Final, NamedTuple

from contracts import Scope, Scored
from memory.storage.database import Database
from memory.storage.portable.score_bounds import Term, likely_score, score_bound
from memory.storage.postgres.keywords.blocks import LIVE, postings_sql
from memory.storage.postgres.scope import scope_sql

MOST_CHOSEN: Final = 20_000
"""The chunks that are looked up at most: of more, all are scored."""

MOST_LEFT_OUT: Final = 10_000
"""The chunks outside a scope that are left out one by one."""

FEW_CHOSEN: Final = 300
"""The number of chunks that are looked up in the blocks of all words that are left, at once."""

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
"""The same but for rounding, from the parts of a posting; `weight` is 2.2 times the idf."""

_TOTALS_SQL: Final = """
SELECT entries, words, EXISTS (SELECT 1 FROM removed_entries) FROM keyword_totals
"""
_HELD_SQL: Final = f"""
SELECT term, sum({LIVE}) FROM posting_blocks AS b WHERE term IN (:terms) GROUP BY term
"""
_ASKED: Final = """
unnest(
    :n::integer[], :terms::text[], :weights::double precision[], :held::bigint[]
) AS i (n, term, weight, held)
"""
_FIRST_SQL: Final = f"""
WITH scored AS MATERIALIZED (
    SELECT entry_id, sum({_QUICK}) AS score FROM (
        {postings_sql("i.weight", f"{_ASKED} JOIN posting_blocks AS b USING (term)")}
    ) AS two {{where}} GROUP BY entry_id
), last AS (
    SELECT score FROM scored ORDER BY score DESC OFFSET :limit - 1 LIMIT 1
)
SELECT entry_id, score, (SELECT score FROM last) FROM scored
WHERE score + :rest >= coalesce((SELECT score FROM last), 0) * (1 - {ROUNDING})
LIMIT :most
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
_AMONG: Final = f"""
chosen AS MATERIALIZED (
    SELECT DISTINCT i.n, i.term, i.weight, near.first
    FROM {_ASKED} CROSS JOIN unnest(:ids::bigint[]) AS c (entry_id)
    CROSS JOIN LATERAL (
        SELECT first, last FROM posting_blocks AS b
        WHERE b.term = i.term AND first <= c.entry_id ORDER BY first DESC LIMIT 1
    ) AS near WHERE i.held > :lookups AND near.last >= c.entry_id
    UNION ALL SELECT i.n, i.term, i.weight, b.first
    FROM {_ASKED} JOIN posting_blocks AS b USING (term) WHERE i.held <= :lookups
), found AS (
    SELECT n, weight, entry_id, tenths, length
    FROM ({postings_sql("chosen.n, chosen.weight", "chosen JOIN posting_blocks AS b USING (term, first)")}) AS two
    WHERE entry_id IN (SELECT unnest(:ids::bigint[]))
)"""
"""The postings of chosen entries. Each is in the last block that does not begin after it; of words
in few entries all blocks are read, which is quicker.
"""

_MORE_SQL: Final = f"WITH {_AMONG} SELECT entry_id, {_QUICK} FROM found"
_LAST_SQL: Final = f"""
WITH {_AMONG}, h AS (
    SELECT n, entry_id, tenths / 10.0::double precision AS frequency, length FROM found
), i AS (
    SELECT n, CASE WHEN idf > 0 THEN idf ELSE 1e-6 END AS idf, :mean::double precision AS mean
    FROM (
        SELECT n, greatest(
            ln((:entries - held + 0.5)::double precision / (held + 0.5)), 0
        ) AS idf FROM unnest(:n::integer[], :held::bigint[]) AS one (n, held)
    ) AS rarity
)
SELECT e.chunk_id, sum({SCORE} ORDER BY h.n) AS score
FROM h JOIN i USING (n) JOIN keyword_entries AS e USING (entry_id)
GROUP BY e.chunk_id ORDER BY score DESC, e.chunk_id LIMIT :limit
"""


class _Word(NamedTuple):
    """A word of a query: its place there, the number of chunks with it, the most it adds."""

    n: int
    term: str
    held: int
    bound: float


def held_by(database: Database, terms: Collection[str]) -> dict[str, int]:
    """Return the number of entries that hold each of these words, if any does."""
    rows = database.read(_HELD_SQL, {"terms": list(terms)})
    return {term: int(held) for term, held in rows if held}


def best_by_words(
    database: Database, words: Sequence[str], scope: Scope, *, limit: int
) -> list[Scored] | None:
    """Return the best chunks of an open scope by BM25, ties by id.

    None where scoring all is as quick: too many chunks would be looked up or left out.
    """
    if not words:
        return []
    _, left_out = scope_sql(scope)
    outside = left_out and database.read(_SOME_LEFT_OUT_SQL, {**left_out, "most": MOST_LEFT_OUT})
    if outside and outside[0][0] >= MOST_LEFT_OUT:
        return None
    counts = held_by(database, set(words))
    ((entries, total, some_removed),) = database.read(_TOTALS_SQL)
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
    chosen = search.chosen(asked)
    return None if chosen is None else search.best(asked, chosen)


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

    def chosen(self, asked: Sequence[_Word]) -> list[int] | None:
        """Return the entries among which the best are; None if there are too many."""
        terms = [Term(word.term, word.bound, word.held / self._entries) for word in asked]
        least = likely_score(terms, chunks=self._entries, limit=self._limit)
        rare = _rare(asked, least)
        while True:
            rest = sum(word.bound for word in asked[rare:])
            rows = self._first(asked[:rare], rest)
            if len(rows) > MOST_CHOSEN:
                return None
            reached = rows[0][2] if rows else None
            if rare == len(asked) or (reached is not None and rest < reached):
                return self._narrowed({row[0]: row[1] for row in rows}, asked[rare:])
            rare = len(asked) if reached is None else max(rare + 1, _rare(asked, reached))

    def _first(self, words: Sequence[_Word], rest: float) -> list[tuple[int, float, float | None]]:
        own = {"limit": self._limit, "rest": rest, "most": MOST_CHOSEN + 1}
        values = self._values | self._asked(words) | own
        rows = self._database.read(_FIRST_SQL.format(where=self._where), values)
        return [(row[0], row[1], row[2]) for row in rows]

    def _narrowed(self, scores: Mapping[int, float], left: Sequence[_Word]) -> list[int]:
        """Return the entries that can still be among the best once their other words are added."""
        known = dict(scores)
        for place, word in enumerate(left):
            if len(known) <= max(FEW_CHOSEN, self._limit):
                break
            values = self._asked([word]) | self._among(list(known))
            for entry_id, score in self._database.read(_MORE_SQL, values):
                known[entry_id] += score
            rest = sum(each.bound for each in left[place + 1 :])
            last = nlargest(self._limit, known.values())[-1] * (1 - ROUNDING)
            known = {entry: score for entry, score in known.items() if score + rest >= last}
        return list(known)

    def best(self, asked: Sequence[_Word], entries: Sequence[int]) -> list[Scored]:
        """Return the best of these entries by their exact scores."""
        values = self._asked(asked) | {
            **self._among(entries),
            "entries": self._entries,
            "mean": self._mean,
            "limit": self._limit,
        }
        rows = self._database.read(_LAST_SQL, values)
        return [Scored(chunk_id, float(score)) for chunk_id, score in rows]

    def _asked(self, words: Sequence[_Word]) -> dict[str, object]:
        return {
            "n": [word.n for word in words],
            "terms": [word.term for word in words],
            "weights": [word.bound for word in words],
            "held": [word.held for word in words],
            "slope": 9 / self._mean,
        }

    def _among(self, entries: Sequence[int]) -> dict[str, object]:
        return {"ids": entries, "lookups": POSTINGS_PER_LOOKUP * len(entries)}


def _rare(asked: Sequence[_Word], least: float) -> int:
    """Return how many of the first words a chunk needs one of to reach that score."""
    rest, number = 0.0, len(asked)
    while number > 1 and rest + asked[number - 1].bound < least:
        number -= 1
        rest += asked[number].bound
    return number
