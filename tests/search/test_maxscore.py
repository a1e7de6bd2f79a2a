"""Skipped candidates never belong to the best chunks."""

from random import Random

import numpy as np
import pytest

from search.in_memory.id_set import IdSet
from search.in_memory.keyword_index import KeywordIndex
from search.in_memory.maxscore import best_places
from search.in_memory.postings import Postings, occurrences

CHUNKS = 3_000


def random_words(chance: Random, index_of: KeywordIndex) -> list[Postings]:
    """Words of all frequencies, some in most chunks, one in none."""
    shares = [chance.choice((0.001, 0.01, 0.05, 0.2, 0.7, 0.95)) for _ in range(6)]
    words = []
    for share in (*shares, 0.0):
        places = [
            str(4 * key + column)
            for key in range(CHUNKS)
            if chance.random() < share
            for column in chance.choices((0, 0, 0, 1, 2, 3), k=chance.choice((1, 1, 2, 9)))
        ]
        words.append(index_of.postings(occurrences(" ".join(places))))
    return words


def all_scores(index: KeywordIndex, words: list[Postings]) -> np.ndarray:  # type: ignore[type-arg]
    """Every chunk's score, each word added in turn by the formula, nothing left out."""
    mean = index.words / index.chunks
    scores = np.zeros(CHUNKS)
    for word in words:
        holding = len(word)
        idf = max(np.log((CHUNKS - holding + 0.5) / (holding + 0.5)), 1e-6)
        scores[word.places] += idf * word.impacts(mean)[word.kinds]
    return scores


@pytest.mark.parametrize("seed", range(12))
def test_the_best_of_all(seed: int) -> None:
    chance = Random(seed)
    index = KeywordIndex({key: chance.randrange(1, 300) for key in range(CHUNKS)})
    words = random_words(chance, index)
    for count in range(1, len(words) + 1):
        asked = chance.choices(words, k=count)  # a word may well be asked for twice
        scores = all_scores(index, asked)
        for among in (None, chance.sample(range(CHUNKS), 2_000), chance.sample(range(CHUNKS), 20)):
            allowed = np.arange(CHUNKS) if among is None else np.sort(np.asarray(among))
            held = allowed[scores[allowed] > 0]
            for limit in (1, 10, 150, CHUNKS):
                expected = held[np.lexsort((held, -scores[held]))][:limit]
                mask = None if among is None else IdSet(allowed)
                found = index.best(asked, among=mask, limit=limit)
                assert [key for key, _ in found] == expected.tolist()
                got = np.array([score for _, score in found])
                assert (np.abs(got - scores[expected]) <= 1e-12 * scores[expected]).all()


@pytest.mark.parametrize("gap", [0.0, 1e-7, 1e-5])
def test_scores_that_rounding_cannot_tell_apart(gap: float) -> None:
    """Sums on the way have 24 bits; what differs beyond them is still told apart."""
    chance = Random(7)
    index = KeywordIndex(dict.fromkeys(range(CHUNKS), 10))
    rare, common = (
        index.postings(occurrences(" ".join(str(4 * key) for key in range(0, CHUNKS, step))))
        for step in (7, 2)
    )
    summands = [word.impacts(10.0) * factor for word, factor in ((rare, 3.0), (common, 1.0 + gap))]
    weighted = [
        index.weighted(word)._replace(impacts=added, most=float(added.max()))
        for word, added in zip((rare, common), summands, strict=True)
    ]
    chance.shuffle(weighted)
    expected = np.zeros(CHUNKS)
    for one in weighted:
        expected[one.postings.places] += one.impacts[one.postings.kinds]
    sums = np.zeros(CHUNKS, dtype=np.float32)
    places, scores = best_places(weighted, sums, None, limit=300)
    order = np.lexsort((np.arange(CHUNKS), -expected))[:300]
    assert places.tolist() == order.tolist()
    assert scores.tolist() == expected[order].tolist()


def test_frequent_words_are_looked_up_and_not_gone_through() -> None:
    """Ten chunks hold the rare word, all hold the other: the sums of few are touched."""
    index = KeywordIndex(dict.fromkeys(range(CHUNKS), 10))
    rare, common = (
        index.postings(occurrences(" ".join(str(4 * key) for key in range(0, CHUNKS, step))))
        for step in (300, 1)
    )
    sums = np.zeros(CHUNKS, dtype=np.float32)
    words = [index.weighted(common), index.weighted(rare)]
    places, _ = best_places(words, sums, None, limit=10)
    assert places.tolist() == list(range(0, CHUNKS, 300))
    assert np.count_nonzero(sums) == 10
