"""The keyword leg in PostgreSQL: BM25 over blocks of postings."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final

from contracts import KeywordQuery, Scope, Scored
from memory.storage.database import Database
from memory.storage.postgres.keywords.entries import BEYOND, phrases_of, tokens_of
from memory.storage.postgres.keywords.phrases import Phrase
from memory.storage.postgres.keywords.posting_lookup import places_in_sql
from memory.storage.postgres.keywords.pruned_search import SCORE, Source, best_by_words, held_by
from memory.storage.postgres.keywords.totals import totals_of
from memory.storage.postgres.scope import has_files_sql, scope_sql
from memory.storage.postgres.writing.posting_blocks import postings_sql

MOST_OF_WORDS: Final = 2_000
"""The largest answer for which frequent words need not be scored."""

_WORDS: Final = """
    unnest(:{name}_word_n::integer[], :{name}_words::text[]) AS asked (n, term)
    JOIN posting_blocks AS b ON b.term = asked.term"""
_WORDS_SQL: Final = f"""
SELECT n, entry_id, tenths / 10.0::double precision FROM (
    {postings_sql("asked.n", _WORDS)}
) AS two
"""
_BY_BEGINNING: Final = """CROSS JOIN LATERAL (
        SELECT * FROM posting_blocks WHERE term >= asked.term AND term < asked.term || :beyond
        OFFSET 0
    ) AS b"""
"""Without OFFSET the server expects so many words that it would rather read all blocks."""

_BEGINNINGS: Final = f"""
    unnest(:{{name}}_beginning_n::integer[], :{{name}}_beginnings::text[]) AS asked (n, term)
    {_BY_BEGINNING}"""
_BEGINNINGS_SQL: Final = f"""
SELECT n, entry_id, sum(tenths) / 10.0::double precision FROM (
    {postings_sql("asked.n", _BEGINNINGS)}
) AS two GROUP BY n, entry_id
"""
_PLACES_IN_SQL: Final = f"""
SELECT e.chunk_id, asked.term, held.place, held.more
FROM keyword_entries AS e CROSS JOIN unnest(:terms::text[]) AS asked (term)
{places_in_sql("e.entry_id", "asked.term")} WHERE e.chunk_id IN (:ids)
"""
_HELD: Final = " (n, entry_id, frequency)"


class _Asked:
    """The words, beginnings and phrases of one part of a query, as parameters."""

    def __init__(self, name: str, database: Database) -> None:
        self.name = name
        self.size = 0
        self.values: dict[str, Any] = {}
        self._database = database
        self._phrases: list[str] = []

    def add(self, phrases: Iterable[tuple[Sequence[str], bool]]) -> int:
        """Add phrases; return the number of all so far."""
        given = list(phrases)
        parts = {token for tokens, _ in given for token in tokens if len(tokens) > 1}
        held = held_by(self._database, parts)
        for tokens, is_prefix in given:
            if len(tokens) > 1:
                phrase = Phrase(tokens, is_prefix, held)
                sql, values = phrase.sql(self.size, f"{self.name}_{self.size}_")
                self._phrases.append(sql)
                self.values |= values
            else:
                kind = f"{self.name}_{'beginning' if is_prefix else 'word'}"
                self.values.setdefault(f"{kind}s", []).append(tokens[0])
                self.values.setdefault(f"{kind}_n", []).append(self.size)
            self.size += 1
        if self._phrases:
            self.values |= totals_of(self._database).ends
        return self.size

    def sql(self) -> str:
        """Return the statement for the number, entry and frequency of each one found."""
        kinds = {"word": _WORDS_SQL, "beginning": _BEGINNINGS_SQL}
        used = [sql for kind, sql in kinds.items() if f"{self.name}_{kind}s" in self.values]
        return " UNION ALL ".join([*used, *self._phrases]).replace("{name}", self.name)


def keyword_candidates(
    source: Source, query: KeywordQuery, scope: Scope, *, generation: str | None, limit: int
) -> list[Scored]:
    """Return the best chunks by BM25, ties by id; of one generation, or of all for None."""
    database = source.database
    # Most patterns are of a module that a query may mean and that is not indexed.
    if scope.globs and not database.read(*has_files_sql(scope))[0][0]:
        return []
    words = _words_of(query) if generation is None and 0 < limit <= MOST_OF_WORDS else None
    if words is not None:
        (required,) = set(words[len(words) - len(query.required) :]) or (None,)
        found = best_by_words(source, words, scope, limit=limit, required=required)
        if found is not None:
            return found
    return _best(database, query, scope, generation=generation, limit=limit)


def _words_of(query: KeywordQuery) -> list[str] | None:
    """Return the tokens of a query of single words, one of which at most is required and then also
    among the others; None for another query.
    """
    if query.prefixes or query.excluded or len(query.required) > 1:
        return None
    optional = (*((word,) for word in (*query.words, *query.stems)), *query.phrases)
    phrases = [tokens for tokens, _ in phrases_of((*optional, *query.required))]
    if any(len(tokens) > 1 for tokens in phrases):
        return None
    words = [word for (word,) in phrases]
    if query.required and (
        not any(tokens_of(" ".join(query.required[0]))) or words[-1] not in words[:-1]
    ):
        return None
    return words


def _best(
    database: Database, query: KeywordQuery, scope: Scope, *, generation: str | None, limit: int
) -> list[Scored]:
    """Return the best chunks for any query, by scoring all that it finds."""
    asked, banned = _Asked("asked", database), _Asked("banned", database)
    asked.add(phrases_of((word,) for word in (*query.words, *query.stems)))
    asked.add(phrases_of(((prefix,) for prefix in query.prefixes), is_prefix=True))
    optional = asked.add(phrases_of(query.phrases))
    every = asked.add(phrases_of(query.required))
    if not every:
        return []
    conditions, values = scope_sql(scope, generation)
    if banned.add(phrases_of(query.excluded)):
        conditions.append(f"h.entry_id NOT IN (SELECT entry_id FROM ({banned.sql()}) AS b{_HELD})")
    having = [f"count(*) FILTER (WHERE h.n >= {optional}) = {every - optional}"]
    if optional:
        having.append(f"count(*) FILTER (WHERE h.n < {optional}) > 0")
    where = f"WHERE {' AND '.join(conditions)}" if conditions else ""
    join = "JOIN chunks AS c ON c.id = h.chunk_id" if conditions else ""
    sql = f"""
        WITH held AS MATERIALIZED (
            SELECT f.n, f.entry_id, f.frequency, e.chunk_id,
                e.counts[1] + e.counts[2] + e.counts[3] + e.counts[4] AS length
            FROM ({asked.sql()}) AS f{_HELD} JOIN keyword_entries AS e USING (entry_id)
        ), rarity AS (
            SELECT n, greatest(
                ln((t.entries - count(*) + 0.5)::double precision / (count(*) + 0.5)), 0
            ) AS idf, t.words::double precision / t.entries AS mean
            FROM held CROSS JOIN keyword_totals AS t GROUP BY n, t.entries, t.words
        ),
        weighed AS (
            SELECT n, CASE WHEN idf > 0 THEN idf ELSE 1e-6 END AS idf, mean FROM rarity
        )
        SELECT h.chunk_id, sum({SCORE} ORDER BY h.n) AS score
        FROM held AS h JOIN weighed AS i ON i.n = h.n
        {join} {where} GROUP BY h.chunk_id HAVING {" AND ".join(having)}
        ORDER BY score DESC, h.chunk_id LIMIT :limit"""
    parameters = {**values, **asked.values, **banned.values, "limit": limit, "beyond": BEYOND}
    return [Scored(chunk_id, float(score)) for chunk_id, score in database.read(sql, parameters)]


def rarest_tokens(database: Database, words: Iterable[str]) -> dict[str, int]:
    """Return the number of chunks that hold each word's rarest token, over all generations."""
    tokens = {word: [token for token in tokens_of(word) if token] for word in words}
    every = list({token for found in tokens.values() for token in found})
    counts = held_by(database, every)
    return {
        word: min((counts.get(token, 0) for token in found), default=0)
        for word, found in tokens.items()
    }


def counted_frequencies(
    database: Database, words: Collection[str], *, most: int, generation: str | None
) -> dict[str, int]:
    """Return the number of chunks, of that generation or of all, that hold each word, up to `most`.

    A word of several tokens counts where they are adjacent.
    """
    tokens = {word: found for word in words for found, _ in phrases_of([(word,)])}
    found = dict.fromkeys(words, 0)
    if generation is None:
        single = {word: one for word, (one, *more) in tokens.items() if not more}
        held = held_by(database, set(single.values()))
        found |= {word: min(most, held.get(token, 0)) for word, token in single.items()}
        tokens = {word: every for word, every in tokens.items() if word not in single}
    for word, every in tokens.items():
        asked = _Asked("asked", database)
        asked.add([(every, False)])
        join = ""
        if generation is not None:
            join = "JOIN chunks AS c ON c.id = chunk_id AND c.generation IN (:generation, '')"
        sql = f"""SELECT count(*) FROM (
            SELECT 1 FROM ({asked.sql()}) AS held{_HELD} JOIN keyword_entries USING (entry_id)
            {join} LIMIT :most
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
    places: dict[int, dict[str, frozenset[int]]] = {chunk_id: {} for chunk_id in chunk_ids}
    values = {"ids": list(chunk_ids), "terms": every}
    for chunk_id, term, place, more in database.read(_PLACES_IN_SQL, values):
        found = frozenset(more or ()) if place is None else frozenset((place, *(more or ())))
        if found:
            places[chunk_id][term] = found
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
        all(start + 4 * k in places.get(token, none) for k, token in enumerate(tokens))
        for start in places.get(tokens[0], none)
    )
