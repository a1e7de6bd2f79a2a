"""Maximal marginal relevance against its definition, and in an answer."""

import math
import random
from itertools import pairwise

import pytest

from search import HybridSearch, QueryVectorInfo, SearchOptions
from search.ranking.diversity import COMPARED, candidates, diversified


def unit(chance, size=4):
    vector = [chance.gauss(0, 1) for _ in range(size)]
    return [value / math.hypot(*vector) for value in vector]


def by_definition(scores, vectors, *, first, relevance, most):
    """Carbonell and Goldstein's formula, everything computed again for every pick."""

    def similar(one, other):
        if one not in vectors or other not in vectors:
            return 0.0
        dot = sum(a * b for a, b in zip(vectors[one], vectors[other], strict=True))
        return min(1.0, max(0.0, dot))

    picked = list(first)[:most]
    while len(picked) < min(most, len(scores)):
        left = [key for key in scores if key not in picked]
        picked.append(
            max(
                left,
                key=lambda key: (
                    relevance * scores[key]
                    - (1 - relevance) * max((similar(key, p) for p in picked), default=0.0)
                ),
            )
        )
    return picked


@pytest.mark.parametrize("relevance", [0.0, 0.3, 0.7, 1.0])
@pytest.mark.parametrize("seed", range(5))
def test_the_choice_is_the_one_of_the_paper(seed, relevance):
    chance = random.Random(seed)
    ids = chance.sample(range(100), 30)
    scores = dict(zip(ids, sorted((chance.random() for _ in ids), reverse=True), strict=True))
    vectors = {key: unit(chance) for key in ids if chance.random() < 0.9}
    first = ids[: seed % 3]
    for key in first:
        scores[key] = max(scores.values())
    picks = diversified(scores, vectors, first=first, relevance=relevance, most=12)
    expected = by_definition(scores, vectors, first=first, relevance=relevance, most=12)
    assert [pick.chunk_id for pick in picks] == expected
    assert all(one.score >= other.score for one, other in pairwise(picks))
    assert all(0 <= pick.score <= 1 and 0 <= pick.novelty <= 1 for pick in picks)
    for pick in picks[len(first) :]:
        figures = relevance * scores[pick.chunk_id] + (1 - relevance) * pick.novelty
        assert pick.score == pytest.approx(figures)


def test_past_the_compared_hits_the_order_goes_on_falling():
    chance = random.Random(3)
    scores = {key: 1 - key / 500 for key in range(candidates(100))}
    vectors = {key: unit(chance) for key in scores}
    picks = diversified(scores, vectors, first=(), relevance=0.5, most=100)
    assert len({pick.chunk_id for pick in picks}) == 100 > COMPARED
    assert all(one.score >= other.score for one, other in pairwise(picks))


def test_nothing_to_choose_from():
    assert diversified({}, {}, first=(), relevance=0.7, most=3) == []


@pytest.mark.parametrize("mode", ["hybrid", "keyword", "vector"])
def test_a_hit_unlike_the_first_comes_before_its_likes(index, mode):
    for _ in range(3):
        index.add("amber birch", vector=[0.8, 0.6, 0])
    other = index.add("amber cedar", vector=[0.8, 0, 0.6])
    named = index.add("the foo_bar and an amber dune", vector=[0.4, 0.9, 0])
    options = SearchOptions(mode=mode, fold="mmr", explain=True, max_results=3)

    def found(query):
        return HybridSearch(index).search(query, options, QueryVectorInfo((1, 0, 0))).hits

    assert [hit.row.chunk_id for hit in found("amber")][:2] == [1, other]
    hits = found("amber foo_bar")
    assert hits[0].row.chunk_id == (1 if mode == "vector" else named)
    for hits in (found("amber"), found("amber foo_bar")):
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
        assert all(hit.duplicates == () for hit in hits)
        for hit in hits:
            why = hit.explanation
            relevance = (1 - why.novelty_weight) * why.fused * why.decay
            if not why.lifted:
                assert hit.score == pytest.approx(relevance + why.novelty_weight * why.novelty)


def test_without_vectors_the_order_stays(index):
    for text in ("amber amber", "amber birch", "amber birch cedar"):
        index.add(text)
    hits = HybridSearch(index).search("amber", SearchOptions(fold="mmr")).hits
    assert [hit.row.chunk_id for hit in hits] == [1, 2, 3]
