import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search import Fused, convex, rrf
from search.ranking.fusion import ranked

ids = st.integers(1, 30)
bm25 = st.dictionaries(ids, st.floats(0.001, 100), max_size=20)
cosines = st.dictionaries(ids, st.floats(-1, 1), max_size=20)


def test_convex_by_hand():
    fused = convex({1: 8.0, 2: 4.0}, {1: 0.2, 2: 0.6, 3: 0.4}, weight=0.25)
    assert fused[1] == pytest.approx(Fused(0.75, 1.0, 0.0))
    assert fused[2] == pytest.approx(Fused(0.625, 0.5, 1.0))
    assert fused[3] == pytest.approx(Fused(0.125, 0.0, 0.5))


@pytest.mark.parametrize("cosine", [{}, {2: 0.4}], ids=["none has a vector", "another has one"])
def test_a_chunk_without_a_vector_has_no_vector_part(cosine):
    assert convex({1: 2.0}, cosine, weight=0.3)[1] == Fused(1.0, 1.0, 0.0)


@pytest.mark.parametrize(
    "keyword,cosine,scores",
    [
        ({}, {}, {}),
        ({1: 3.0}, {}, {1: 1.0}),
        ({1: 3.0, 2: 1.5}, {}, {1: 1.0, 2: 0.5}),
        ({1: 3.0}, {1: 0.4}, {1: 1.0}),
        ({}, {1: 0.4}, {1: 0.3}),
        ({}, {1: 0.4, 2: 0.4}, {1: 0.3, 2: 0.3}),
        ({}, {1: -0.4, 2: -0.4}, {1: 0.0, 2: 0.0}),
        ({1: 2.0, 2: 2.0}, {1: 0.1}, {1: 1.0, 2: 1.0}),
        ({1: 4.0, 2: 2.0}, {3: 0.1, 4: 0.2}, {1: 1.0, 2: 0.5, 3: 0.0, 4: 0.3}),
        ({1: 0.0}, {1: 0.0}, {1: 0.0}),
    ],
    ids=[
        "nothing",
        "one word",
        "words",
        "one",
        "one meaning",
        "equal",
        "unlike",
        "no vector",
        "new",
        "0",
    ],
)
def test_convex_where_little_was_found(keyword, cosine, scores):
    fused = convex(keyword, cosine, weight=0.3)
    assert {key: item.score for key, item in fused.items()} == pytest.approx(scores)


@given(bm25, cosines, st.floats(0, 1))
def test_convex_stays_in_range_and_respects_both_orders(keyword, cosine, weight):
    fused = convex(keyword, cosine, weight=weight)
    assert fused.keys() == keyword.keys() | cosine.keys()
    for item in fused.values():
        assert 0 <= item.score <= 1
        assert 0 <= item.keyword <= 1
        assert 0 <= item.vector <= 1
    for a in cosine.keys() & keyword.keys():
        for b in cosine.keys() & keyword.keys():
            if keyword[a] >= keyword[b] and cosine[a] >= cosine[b]:
                assert fused[a].score >= fused[b].score - 1e-12


@given(bm25, cosines)
def test_rrf_stays_in_range_and_the_best_of_both_legs_is_first(keyword, cosine):
    fused = rrf(keyword, cosine)
    assert all(0 < item.score <= 1 for item in fused.values())
    firsts = {min(leg, key=lambda key: (-leg[key], key)) for leg in (keyword, cosine) if leg}
    if len(firsts) == 1:
        assert ranked(fused)[0] in firsts
        assert fused[ranked(fused)[0]].score == pytest.approx(1)


def test_rrf_by_hand():
    fused = rrf({1: 9.0, 2: 5.0}, {2: 0.9, 3: 0.1})
    assert fused[1].score == pytest.approx(61 / 2 * (1 / 61))
    assert fused[2].score == pytest.approx(61 / 2 * (1 / 62 + 1 / 61))
    assert fused[3].score == pytest.approx(61 / 2 * (1 / 62))
    assert rrf({}, {}) == {}


@given(bm25, cosines, st.randoms(use_true_random=False))
def test_the_order_of_the_candidates_does_not_matter(keyword, cosine, chance):
    shuffled = [_shuffled(leg, chance) for leg in (keyword, cosine)]
    assert convex(*shuffled, weight=0.4) == convex(keyword, cosine, weight=0.4)
    assert rrf(*shuffled) == rrf(keyword, cosine)
    assert ranked(rrf(*shuffled)) == ranked(rrf(keyword, cosine))


def test_ties_are_ranked_by_id():
    assert ranked(convex({5: 1.0, 2: 1.0, 9: 2.0}, {}, weight=0)) == [9, 2, 5]
    assert ranked(rrf({5: 1.0, 2: 1.0}, {})) == [2, 5]


def _shuffled(leg: dict[int, float], chance: random.Random) -> dict[int, float]:
    items = list(leg.items())
    chance.shuffle(items)
    return dict(items)
