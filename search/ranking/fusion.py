"""Fusion of two rankings: pure functions of scores by chunk id.

A convex combination of normalised scores beats reciprocal rank fusion on 27 of 29 BEIR collections
(Bruch, Gai, Ingber: An Analysis of Fusion Functions for Hybrid Retrieval, 2023), so it is the
default; reciprocal rank fusion can be selected.
"""

from collections.abc import Mapping

from contracts.named_tuple import NamedTuple

RRF_K = 60
"""The constant of reciprocal rank fusion (Cormack, Clarke, Büttcher, 2009)."""


class Fused(NamedTuple):
    """A fused score in [0, 1], and each leg's part of it before weighting, in [0, 1] as well."""

    score: float
    keyword: float
    vector: float

    def weighed(self, weight: float) -> "Fused":
        """The convex combination of the same parts with another weight of the vectors."""
        score = (1 - weight) * self.keyword + weight * self.vector
        return Fused(min(1.0, score), self.keyword, self.vector)  # quicker than `_replace`


def convex(
    keyword: Mapping[int, float], cosine: Mapping[int, float], *, weight: float
) -> dict[int, Fused]:
    """`(1 - weight) * keyword part + weight * vector part` for every chunk of either leg.

    `keyword` holds BM25 scores, divided by the largest; a chunk without one has part 0, which is as
    good as its true score. `cosine` must hold the cosine of every chunk that has a vector, also of
    those only the keyword leg found; it is scaled from the lowest to the highest among them. A
    chunk without a vector, as one that was just written has none, is scored by its keyword part
    alone, and its vector part is 0. Where all cosines are equal their part is 1 if they are
    positive, else 0. `weight` is in [0, 1].
    """
    top = max(keyword.values(), default=0.0) or 1.0
    low = min(cosine.values(), default=0.0)
    span = max(cosine.values(), default=0.0) - low
    if not span:
        low, span = (low - 1, 1.0) if low > 0 else (low, 1.0)
    rest = 1 - weight
    fused: dict[int, Fused] = {}
    for chunk_id in keyword.keys() | cosine.keys():
        words = keyword.get(chunk_id, 0.0) / top
        found = cosine.get(chunk_id)
        meaning = 0.0 if found is None else (found - low) / span
        score = words if found is None else rest * words + weight * meaning
        fused[chunk_id] = Fused(score if score < 1.0 else 1.0, words, meaning)
    return fused


def rrf(
    keyword: Mapping[int, float], cosine: Mapping[int, float], *, k: int = RRF_K
) -> dict[int, Fused]:
    """Reciprocal rank fusion, `sum of 1 / (k + rank)`, divided by its largest possible value.

    Equal scores of a leg are ranked by chunk id. The parts are `(k + 1) / (k + rank)`. A leg
    without any candidate does not count.
    """
    legs = [_reciprocal_ranks(scores, k) for scores in (keyword, cosine)]
    count = sum(1 for leg in legs if leg) or 1
    words, meaning = legs
    return {
        chunk_id: Fused(
            (words.get(chunk_id, 0.0) + meaning.get(chunk_id, 0.0)) / count,
            words.get(chunk_id, 0.0),
            meaning.get(chunk_id, 0.0),
        )
        for chunk_id in words.keys() | meaning.keys()
    }


def ranked(fused: Mapping[int, Fused]) -> list[int]:
    """The chunk ids by falling score, ties by rising id."""
    return [chunk_id for _, chunk_id in sorted([(-item.score, key) for key, item in fused.items()])]


def _reciprocal_ranks(scores: Mapping[int, float], k: int) -> dict[int, float]:
    order = sorted((-score, chunk_id) for chunk_id, score in scores.items())
    return {chunk_id: (k + 1) / (k + rank) for rank, (_, chunk_id) in enumerate(order, start=1)}
