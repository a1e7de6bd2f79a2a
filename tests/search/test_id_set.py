"""Sets of chunk ids, beside Python's."""

from random import Random

import numpy as np
import pytest

from search.in_memory.id_set import IdSet
from search.in_memory.postings import Integers


def ids_of(numbers: set[int]) -> Integers:
    return np.asarray(sorted(numbers), dtype=np.int64)


@pytest.mark.parametrize("begin", [0, 1, 2**40])
@pytest.mark.parametrize("seed", range(5))
def test_it_holds_what_a_set_holds_after_every_change(begin: int, seed: int) -> None:
    chance, known = Random(seed), set(range(begin, begin + 40, 3))
    ids = IdSet(ids_of(known))
    for most in (30, 50, 90, 200, 10):
        changed = {begin + number for number in (*chance.sample(range(most), 9), most + 500)}
        now = {number for number in changed if chance.random() < 0.5}
        ids, before = ids.changed(changed, ids_of(now)), ids
        asked = ids_of({0, 10**12, 2**62} | set(range(begin, begin + 800)))
        assert set(asked[before.of(asked)].tolist()) == known
        known = (known - changed) | now
        assert set(asked[ids.of(asked)].tolist()) == known
        assert len(ids) == len(known)


def test_the_empty_one_holds_nothing() -> None:
    empty = IdSet(ids_of(set()))
    for ids in (empty, empty.changed([], ids_of(set())), empty.changed([3], ids_of(set()))):
        assert not ids.of(ids_of({0, 1, 7})).any()
        assert len(ids) == 0
    assert empty.changed([3, 5], ids_of({5})).of(ids_of({3, 5, 6})).tolist() == [False, True, False]
