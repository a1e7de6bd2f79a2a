"""Maximal marginal relevance: hits that answer and do not repeat the ones above them.

Carbonell and Goldstein, The use of MMR, diversity-based reranking for reordering documents and
producing summaries (1998).
"""

from collections.abc import Mapping, Sequence
from operator import mul

from contracts.named_tuple import NamedTuple

FEWEST_CHOICES = 50
"""The least number of candidates to choose from; twice the wanted hits if that is more."""

COMPARED = 50
"""Top hits with which the others are compared; beyond them the known novelty is used."""


class Pick(NamedTuple):
    """A chosen chunk; `novelty` is 1 less the largest similarity to a hit above it, in [0, 1]."""

    chunk_id: int
    score: float
    novelty: float


def candidates(wanted: int) -> int:
    """The number of candidates for a choice of `wanted` hits."""
    return max(FEWEST_CHOICES, 2 * wanted)


def diversified(
    scores: Mapping[int, float],
    vectors: Mapping[int, Sequence[float]],
    *,
    first: Sequence[int],
    relevance: float,
    most: int,
) -> list[Pick]:
    """The `most` best chunks of `scores`, `first` before all others, each with its new score.

    Every next one has the largest `relevance * score + (1 - relevance) * novelty`, ties by the
    order of `scores`; this is its score. It cannot be larger than that of the pick before, since
    novelty only falls with every hit above, so scores fall and stay in [0, 1]. Similarity is the
    cosine of `vectors` of unit length, at least 0; a chunk without a vector is similar to nothing.
    """
    nearest = dict.fromkeys(scores, 0.0)
    picks: list[Pick] = []

    def score(chunk_id: int) -> float:
        return relevance * scores[chunk_id] + (1 - relevance) * (1 - nearest[chunk_id])

    top = max((score(chunk_id) for chunk_id in scores), default=0.0)
    while nearest and len(picks) < most:
        is_first = len(picks) < len(first)
        chunk_id = first[len(picks)] if is_first else max(nearest, key=score)
        novelty = 1 - nearest[chunk_id]
        picks.append(Pick(chunk_id, top if is_first else score(chunk_id), novelty))
        del nearest[chunk_id]
        if len(picks) <= COMPARED and chunk_id in vectors:
            _bring_near(nearest, vectors, vectors[chunk_id])
    return picks


def _bring_near(
    nearest: dict[int, float], vectors: Mapping[int, Sequence[float]], hit: Sequence[float]
) -> None:
    """Record the similarity of the remaining chunks to one more hit."""
    for chunk_id, known in nearest.items():
        if chunk_id in vectors:
            cosine = sum(map(mul, hit, vectors[chunk_id]))
            nearest[chunk_id] = min(1.0, max(known, cosine))
