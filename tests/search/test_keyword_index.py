"""BM25 in memory beside the formula written down once more."""

from math import log

import numpy as np
import pytest

from search.in_memory.id_set import IdSet
from search.in_memory.keyword_index import KeywordIndex
from search.in_memory.postings import Occurrences, occurrences


def occurrences_of(*places: tuple[int, int, int]) -> Occurrences:
    """Occurrences parsed from places as storage writes them, from `(chunk, column, times)`."""
    return occurrences(
        " ".join(str(chunk * 4 + column) for chunk, column, times in places for _ in range(times))
    )


def score(frequency: float, length: int, *, mean: float, chunks: int, holding: int) -> float:
    idf = max(1e-6, log((chunks - holding + 0.5) / (holding + 0.5)))
    return idf * frequency * 2.2 / (frequency + 1.2 * (0.25 + 0.75 * length / mean))


def test_columns_count_by_their_weights() -> None:
    index = KeywordIndex({key: 10 * key for key in range(1, 10)})
    word = index.postings(occurrences_of((2, 0, 3), (2, 1, 2), (5, 2, 4), (7, 3, 1)))
    found = dict(index.best([word], limit=9))
    given = {"mean": 50.0, "chunks": 9, "holding": 3}
    assert found == {
        2: pytest.approx(score(7.0, 20, **given)),
        5: pytest.approx(score(1.2, 50, **given)),
        7: pytest.approx(score(0.5, 70, **given)),
    }


@pytest.mark.parametrize("chunks", [1, 255, 256, 257, 5_000])
@pytest.mark.parametrize("limit", [0, 1, 3, 100, 10_000])
def test_the_best_of_many(chunks: int, limit: int) -> None:
    """Equal scores in the order of the ids, wherever the limit falls."""
    index = KeywordIndex(dict.fromkeys(range(10, chunks + 10), 5))
    times = {key: 1 + (key * 7919) % 5 for key in range(10, chunks + 10) if key % 3}
    word = index.postings(occurrences_of(*((key, 0, count) for key, count in times.items())))
    expected = sorted(times, key=lambda key: (-times[key], key))[:limit]
    assert [key for key, _ in index.best([word], limit=limit)] == expected


def test_nothing_holds_it() -> None:
    for lengths in ({}, {1: 3, 2: 0}):
        index = KeywordIndex(lengths)
        assert len(index) == len(lengths)
        assert index.best([index.postings(occurrences_of())], limit=5) == []
        assert index.best([], limit=5) == []


def test_changes() -> None:
    index = KeywordIndex({1: 3, 2: 3, 4: 3})
    word = index.postings(occurrences_of((1, 0, 1), (2, 0, 1), (4, 0, 1)))
    assert index.change({1, 4, 7}, {4: 5, 7: 2})
    assert (index.chunks, index.words) == (3, 10)
    word = index.changed(word, {1, 4, 7}, occurrences_of((7, 0, 1)))
    assert [key for key, _ in index.best([word], limit=5)] == [7, 2]
    assert not index.change({3}, {3: 9})  # ids only ever grow
    assert not index.change({2, 4, 7}, {})


def test_places_of_unknown_chunks_are_passed_over() -> None:
    index = KeywordIndex({2: 3, 4: 3})
    word = index.postings(occurrences_of((1, 0, 1), (2, 0, 1), (3, 0, 1), (9, 0, 1)))
    assert [key for key, _ in index.best([word], limit=5)] == [2]


def test_a_set_of_ids_follows_the_changes() -> None:
    index = KeywordIndex(dict.fromkeys(range(1, 40), 3))
    word = index.postings(occurrences_of(*((key, 0, 1) for key in range(1, 40))))
    some, few = IdSet(np.asarray([2, 3, *range(20, 60)])), IdSet(np.asarray([3, 40]))
    assert [key for key, _ in index.best([word], among=some, limit=3)] == [2, 3, 20]
    assert [key for key, _ in index.best([word], among=few, limit=3)] == [3]
    assert index.change({2, 40}, {40: 3})
    word = index.changed(word, {2, 40}, occurrences_of((40, 0, 1)))
    assert [key for key, _ in index.best([word], among=some, limit=3)] == [3, 20, 21]
    assert [key for key, _ in index.best([word], among=few, limit=3)] == [3, 40]
