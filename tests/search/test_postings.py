"""Postings take a few bytes for each chunk, and stay right when some chunks change."""

from random import Random

import numpy as np
import pytest

from search.in_memory.keyword_index import KeywordIndex
from search.in_memory.postings import PIECE, Postings, make_postings, occurrences


def pairs(postings: Postings) -> list[tuple[int, float, float]]:
    """Place, frequency and length, written out."""
    columns = (
        postings.places,
        postings.frequencies[postings.kinds],
        postings.lengths[postings.kinds],
    )
    return list(zip(*(column.tolist() for column in columns), strict=True))


@pytest.mark.parametrize(
    "places, ids, frequencies",
    [
        ("", [], []),
        ("20", [5], [1.0]),
        ("21 8 20 20", [2, 5], [1.0, 4.0]),
        ("8 10 10 10 15", [2, 3], [1.0 + 0.3 + 0.3 + 0.3, 0.5]),
        ("36 37 38 39", [9], [1.0 + 2.0 + 0.3 + 0.5]),
    ],
    ids=["none", "one", "in any order", "added place by place", "every column"],
)
def test_what_places_mean(places: str, ids: list[int], frequencies: list[float]) -> None:
    found = occurrences(places)
    assert found.ids.tolist() == ids
    assert found.frequencies[found.numbers].tolist() == frequencies


def test_more_places_than_are_read_at_once() -> None:
    ids = range(1, PIECE // 3, 2)
    found = occurrences(" ".join(str(4 * key) for key in ids))
    assert found.ids.tolist() == list(ids)
    assert found.frequencies.tolist() == [1.0]


@pytest.mark.slow
def test_a_count_that_no_table_has_room_for() -> None:
    found = occurrences(" ".join(["7"] * 400_000))
    assert found.ids.tolist() == [1]
    assert found.frequencies[0] == pytest.approx(200_000)
    far = make_postings(
        np.asarray([3]), np.asarray([0]), np.asarray([1.5]), np.asarray([2_000_000_000], np.int32)
    )
    assert pairs(far) == [(3, 1.5, 2e9)]


@pytest.mark.parametrize("kinds, size", [(1, 1), (256, 1), (257, 2), (70_000, 4)])
def test_a_posting_is_as_small_as_its_kinds_allow(kinds: int, size: int) -> None:
    lengths = {key: key for key in range(kinds)}
    word = KeywordIndex(lengths).postings(occurrences(" ".join(str(4 * k) for k in lengths)))
    assert word.kinds.itemsize == size
    assert word.size_bytes == kinds * (4 + size + 16)
    assert pairs(word) == [(key, 1.0, float(key)) for key in lengths]


def test_thousands_of_changes_of_a_word() -> None:
    """Removing and adding gives the same as rebuilding."""
    chance = Random(3)
    lengths = {key: chance.randrange(1, 400) for key in range(1_000)}
    holding = {key: chance.randrange(1, 9) for key in range(0, 1_000, 3)}
    index = KeywordIndex(lengths)

    def places(keys: set[int]) -> str:
        return " ".join(str(4 * key) for key in sorted(keys) for _ in range(holding.get(key, 0)))

    word = index.postings(occurrences(places(set(holding))))
    for _ in range(300):
        last = max(lengths)
        changed = {chance.randint(0, last + 3) for _ in range(chance.randrange(8))}
        changed |= set(range(last + 1, max(changed, default=0) + 1))
        for key in changed:
            holding.pop(key, None)
            if chance.random() < 0.1:
                lengths.pop(key, None)
            elif key in lengths or key > last:
                lengths[key] = chance.randrange(1, 400)
                holding[key] = chance.randrange(0, 30)
        holding = {key: times for key, times in holding.items() if times and key in lengths}
        assert index.change(changed, {k: lengths[k] for k in changed & lengths.keys()})
        word = index.changed(word, changed, occurrences(places(changed)))
        anew = index.postings(occurrences(places(set(holding))))
        assert pairs(word) == pairs(anew)
    assert len(word.kinds) > 300
