"""The keyword leg in PostgreSQL: BM25 over postings, in one statement."""

from collections.abc import Iterable, Sequence
from itertools import count
from typing import Any, Final

from contracts import KeywordQuery, Scope, Scored
from memory.storage.database import Database
from memory.storage.postgres.keywords.postings import BEYOND, WEIGHTS, phrases_of, tokens_of
from memory.storage.postgres.scope import scope_sql

_WEIGHT: Final = " ".join(f"WHEN {number} THEN {weight}" for number, weight in enumerate(WEIGHTS))

_WORDS_SQL: Final = """
SELECT asked.n, p.chunk_id, p.frequency
FROM unnest(:{name}_word_n::integer[], :{name}_words::text[]) AS asked (n, term)
JOIN postings AS p ON p.term = asked.term
"""
_BEGINNINGS_SQL: Final = """
SELECT asked.n, p.chunk_id, sum(p.frequency)
FROM unnest(:{name}_beginning_n::integer[], :{name}_beginnings::text[]) AS asked (n, term)
JOIN postings AS p ON p.term >= asked.term AND p.term < asked.term || :beyond
GROUP BY asked.n, p.chunk_id
"""
_PHRASES_SQL: Final = f"""
SELECT n, chunk_id, sum((CASE start >> 28 {_WEIGHT} END)::double precision) FROM (
    SELECT asked.n, p.chunk_id, place - asked.k AS start
    FROM unnest(
        :{{name}}_part_n::integer[], :{{name}}_part_k::integer[], :{{name}}_part_of::integer[],
        :{{name}}_parts::text[], :{{name}}_part_to::text[]
    ) AS asked (n, k, parts, term, upto)
    JOIN postings AS p ON p.term >= asked.term AND p.term <= asked.upto
    CROSS JOIN LATERAL unnest(p.places) AS place
    WHERE place & 268435455 >= asked.k
    GROUP BY asked.n, asked.parts, p.chunk_id, place - asked.k HAVING count(*) = asked.parts
) AS found GROUP BY n, chunk_id
"""
"""A phrase begins where each of its words has a place; no word has a place in two columns."""

_SCORE: Final = """
sum(i.idf * (h.frequency * 2.2 / (h.frequency + 1.2 * (
    0.25 + 0.75 * (e.counts[1] + e.counts[2] + e.counts[3] + e.counts[4])::double precision / i.mean
))) ORDER BY h.n)
"""


class _Asked:
    """The words, beginnings and phrases of one part of a query, as parameters."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.numbers = count()
        self.size = 0
        self.values: dict[str, list[Any]] = {}

    def add(self, phrases: Iterable[tuple[Sequence[str], bool]]) -> int:
        """Add phrases; return the number of all so far."""
        for tokens, is_prefix in phrases:
            number, last = self.size, len(tokens) - 1
            self.size += 1
            if last:
                for k, token in enumerate(tokens):
                    upto = token + BEYOND if is_prefix and k == last else token
                    self._put(part_n=number, part_k=k, part_of=last + 1, parts=token, part_to=upto)
            elif is_prefix:
                self._put(beginning_n=number, beginnings=tokens[0])
            else:
                self._put(word_n=number, words=tokens[0])
        return self.size

    def sql(self) -> str:
        """Return the statement for the number, chunk and frequency of each one found."""
        kinds = (("words", _WORDS_SQL), ("beginnings", _BEGINNINGS_SQL), ("parts", _PHRASES_SQL))
        used = [sql for kind, sql in kinds if f"{self.name}_{kind}" in self.values]
        return " UNION ALL ".join(used).format(name=self.name)

    def _put(self, **values: Any) -> None:
        for name, value in values.items():
            self.values.setdefault(f"{self.name}_{name}", []).append(value)


def keyword_candidates(
    database: Database, query: KeywordQuery, scope: Scope, *, generation: str | None, limit: int
) -> list[Scored]:
    """Return the best chunks by BM25, ties by id; of one generation, or of all for None."""
    asked, banned = _Asked("asked"), _Asked("banned")
    asked.add(phrases_of((word,) for word in (*query.words, *query.stems)))
    asked.add(phrases_of(((prefix,) for prefix in query.prefixes), is_prefix=True))
    optional = asked.add(phrases_of(query.phrases))
    every = asked.add(phrases_of(query.required))
    if not every:
        return []
    conditions, values = scope_sql(scope, generation)
    if banned.add(phrases_of(query.excluded)):
        conditions.append(
            f"h.chunk_id NOT IN (SELECT chunk_id FROM ({banned.sql()}) AS b (n, chunk_id, f))"
        )
    having = [f"count(*) FILTER (WHERE h.n >= {optional}) = {every - optional}"]
    if optional:
        having.append(f"count(*) FILTER (WHERE h.n < {optional}) > 0")
    where = f"WHERE {' AND '.join(conditions)}" if conditions else ""
    join = "JOIN chunks AS c ON c.id = h.chunk_id" if conditions else ""
    sql = f"""
        WITH held (n, chunk_id, frequency) AS MATERIALIZED ({asked.sql()}),
        rarity AS (
            SELECT n, greatest(
                ln((t.entries - count(*) + 0.5)::double precision / (count(*) + 0.5)), 0
            ) AS idf, t.words::double precision / t.entries AS mean
            FROM held CROSS JOIN keyword_totals AS t GROUP BY n, t.entries, t.words
        ),
        weighed AS (
            SELECT n, CASE WHEN idf > 0 THEN idf ELSE 1e-6 END AS idf, mean FROM rarity
        )
        SELECT h.chunk_id, {_SCORE} AS score
        FROM held AS h JOIN weighed AS i ON i.n = h.n
        JOIN keyword_entries AS e ON e.chunk_id = h.chunk_id
        {join} {where} GROUP BY h.chunk_id HAVING {" AND ".join(having)}
        ORDER BY score DESC, h.chunk_id LIMIT :limit"""
    parameters = {**values, **asked.values, **banned.values, "limit": limit, "beyond": BEYOND}
    return [Scored(chunk_id, float(score)) for chunk_id, score in database.read(sql, parameters)]


def rarest_tokens(database: Database, words: Iterable[str]) -> dict[str, int]:
    """Return the number of chunks that hold each word's rarest token, over all generations."""
    tokens = {word: [token for token in tokens_of(word) if token] for word in words}
    every = list({token for found in tokens.values() for token in found})
    sql = "SELECT term, count(*) FROM postings WHERE term IN (:terms) GROUP BY term"
    counts: dict[str, int] = dict(database.read(sql, {"terms": every}))
    return {
        word: min((counts.get(token, 0) for token in found), default=0)
        for word, found in tokens.items()
    }


def counted_frequencies(
    database: Database, words: Iterable[str], *, most: int, generation: str | None
) -> dict[str, int]:
    """Return the number of chunks, of that generation or of all, that hold each word, up to `most`.

    A word of several tokens counts where they are adjacent.
    """
    found = {}
    for word in words:
        asked = _Asked("asked")
        found[word] = 0
        if asked.add(phrases_of([(word,)])):
            join = ""
            if generation is not None:
                join = "JOIN chunks AS c ON c.id = chunk_id AND c.generation IN (:generation, '')"
            sql = f"""SELECT count(*) FROM (
                SELECT 1 FROM ({asked.sql()}) AS held (n, chunk_id, f) {join} LIMIT :most
            ) AS counted"""
            values = {**asked.values, "generation": generation, "most": most}
            found[word] = int(database.read(sql, values)[0][0])
    return found


def words_in(
    database: Database, chunk_ids: Sequence[int], words: Iterable[str]
) -> dict[int, frozenset[str]]:
    """Return those of `words` that the entry of each of these chunks holds in any column."""
    tokens = {word: tokens_of(word) for word in words}
    every = list({token for found in tokens.values() for token in found})
    sql = """
    SELECT chunk_id, term, places FROM postings WHERE chunk_id IN (:ids) AND term IN (:terms)
    """
    places: dict[int, dict[str, frozenset[int]]] = {chunk_id: {} for chunk_id in chunk_ids}
    for chunk_id, term, found in database.read(sql, {"ids": list(chunk_ids), "terms": every}):
        places[chunk_id][term] = frozenset(found)
    return {
        chunk_id: frozenset(
            word for word, found in tokens.items() if any(found) and _holds(of_chunk, found)
        )
        for chunk_id, of_chunk in places.items()
    }


def _holds(places: dict[str, frozenset[int]], tokens: Sequence[str]) -> bool:
    """Return whether these words follow each other anywhere."""
    none: frozenset[int] = frozenset()
    return any(
        all(start + k in places.get(token, none) for k, token in enumerate(tokens))
        for start in places.get(tokens[0], none)
    )
