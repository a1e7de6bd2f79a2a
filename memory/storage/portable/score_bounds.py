"""Upper bounds of BM25 scores, from which a search knows that chunks cannot be among the best.

A word adds less than `(k1 + 1) * idf` to a chunk's score, however often it occurs there.
"""

from collections.abc import Sequence
from math import log

from contracts.named_tuple import NamedTuple

MOST_OF_IDF = 2.2
"""The upper bound of BM25 in units of a word's idf: `k1 + 1` of FTS5 (`ext/fts5/fts5_aux.c`)."""

LEAST_IDF = 1e-6
"""FTS5's idf of a word that occurs in more than half of the chunks."""

LIKELY_OF_BOUND = 0.55
"""The usual ratio of a chunk's score to its bound: it decides how often the first try suffices (93
of 100 questions over 100,000 chunks), not which chunks are found.
"""

_STEP = 0.5


class Term(NamedTuple):
    """A word of a query: its score stays below `bound`, `share` of the chunks hold it."""

    expression: str
    bound: float
    share: float


def score_bound(holding: int, chunks: int) -> float:
    """Return what a word that so many of the chunks hold adds to a score at most."""
    return MOST_OF_IDF * _idf(holding, chunks)


def _idf(holding: int, chunks: int) -> float:
    return log((chunks - holding + 0.5) / (holding + 0.5)) if 2 * holding < chunks else LEAST_IDF


def likely_score(terms: Sequence[Term], *, chunks: int, limit: int) -> float:
    """Return a score that the last of the `limit` best probably has; 0 if fewer chunks may have
    any.

    It assumes that words occur independently of each other; more chunks may hold several.
    """
    expected = {0: float(chunks)}
    for term in terms:
        more = round(term.bound / _STEP)
        held = {bound: count * (1 - term.share) for bound, count in expected.items()}
        for bound, count in expected.items():
            held[bound + more] = held.get(bound + more, 0.0) + count * term.share
        expected = held
    reached = 0.0
    for bound in sorted(expected, reverse=True):
        reached += expected[bound]
        if reached >= 2 * limit:
            return LIKELY_OF_BOUND * bound * _STEP
    return 0.0
