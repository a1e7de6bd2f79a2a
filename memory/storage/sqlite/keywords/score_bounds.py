"""Pruning of chunks whose words cannot bring them among the best.

FTS5 finds the chunks that hold a word in a tenth of the time it needs to score them, so a search
mostly waits for frequent words. A word adds less than `(k1 + 1) * idf` to a chunk's score, however
often it occurs there: chunks whose bounds do not exceed the last of the best need no score, and the
answer is the same. The idea is that of MaxScore (Turtle, Flood: Query evaluation: strategies and
optimizations, 1995).
"""

from collections.abc import Sequence

import apsw

from contracts import Scope
from memory.storage.portable.score_bounds import Term, likely_score, score_bound
from memory.storage.portable.tokens import tokenizer
from memory.storage.sqlite.keywords.fts import document_frequencies, keyword_sql, quoted, totals
from memory.storage.values import Row

FEWEST_HELD = 4_000
"""The sum of the words' chunks below which scoring all is as quick as choosing."""

MOST_WORDS = 12
"""The number of words above which choosing takes as long as scoring."""


def pruned_rows(
    connection: apsw.Connection,
    words: Sequence[str],
    *,
    match: str,
    scope: Scope,
    limit: int,
    fewest_held: int = FEWEST_HELD,
) -> list[Row] | None:
    """Return ids and scores of the best chunks of a scope for `match`, a MATCH expression of any of
    these words.

    None where this would not be quicker, or where fewer chunks than `limit` hold enough.
    """
    if len(words) > MOST_WORDS:
        return None
    chunks, _ = totals(connection)
    terms = terms_of(connection, words, chunks)
    if len(terms) < 2 or sum(term.share for term in terms) * chunks < fewest_held:
        return None
    sql, parameters = keyword_sql(scope, None, pruned=True)
    parameters |= {"match": match, "limit": limit}
    least = likely_score(terms, chunks=chunks, limit=limit)
    while least and (expression := reaching(terms, least)):
        parameters["reaching"] = expression
        rows: list[Row] = connection.execute(sql, parameters).fetchall()
        last = rows[-1][1] if len(rows) == limit else 0.0
        if last >= least:
            return rows
        least = last  # the best of all chunks score at least as high as the best of some
    return None


def terms_of(connection: apsw.Connection, words: Sequence[str], chunks: int) -> list[Term]:
    """Return those of the words that occur in any of so many chunks, by falling bound.

    A word that occurs twice counts twice.
    """
    tokens = tokenizer(connection)
    counts = document_frequencies(connection, words)
    terms = []
    for word in words:
        count = counts[word]
        # The number of chunks with several tokens together is unknown; fewer mean a higher score.
        holding = count if len(list(filter(None, tokens(word)))) == 1 else 1
        if count:
            terms.append(Term(quoted(word), score_bound(holding, chunks), count / chunks))
    return sorted(terms, key=lambda term: -term.bound)


def reaching(terms: Sequence[Term], least: float) -> str:
    """Return an expression matched by every chunk whose words together have a bound of `least`.

    Empty where they all have less. `terms` have falling bounds. The first word of a chunk is
    tested, and if its bound is too small the second, with all that could follow: others may match,
    too.
    """
    parts = []
    for place, (expression, bound, _) in enumerate(_first_of(terms, least), start=1):
        seconds = _first_of(terms[place:], least - bound) if bound < least else []
        others = " OR ".join(second.expression for second in seconds)
        parts.append(f"({expression} AND ({others}))" if others else expression)
    return " OR ".join(parts)


def _first_of(terms: Sequence[Term], least: float) -> list[Term]:
    """Return the terms that can come first in a chunk with a bound of `least`."""
    found = []
    left = sum(term.bound for term in terms)
    for term in terms:
        if left < least:
            break
        found.append(term)
        left -= term.bound
    return found
