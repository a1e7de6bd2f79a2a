"""The best chunks for several words, without visiting every chunk of the frequent ones.

MaxScore (Turtle and Flood, "Query evaluation: strategies and optimizations", 1995), a whole word at
a time: words with the largest contribution come first, and once the remaining words cannot lift a
new chunk into the answer, they are looked up only in the chunks that can still get there.
Intermediate sums are approximate; the remaining ones are added up again, in the order of the words.
Loads numpy.
"""

from collections.abc import Sequence
from itertools import accumulate
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from contracts.named_tuple import NamedTuple
from search.in_memory.postings import Floats, Integers, Postings

LOOKED_UP = 16
"""Chunks that a word can be added to in the time of looking it up in one."""

_SLACK = 2.0**-21
"""For each word, as a share of the largest sum: rounding the summand and the sum to 24 bits can
separate two sums by half of that.
"""

Sums: TypeAlias = NDArray[np.float32]


class Weighted(NamedTuple):
    """A word's postings, and the contribution of each of their kinds to a score, weight included.

    `most` is the largest of those.
    """

    postings: Postings
    impacts: Floats
    most: float

    def of(self, places: Integers) -> tuple[Integers, Floats]:
        """Those of these places, rising, that hold the word, by their index, and its contribution
        there.
        """
        own = self.postings.places
        if len(places) <= len(own):
            at = np.searchsorted(own, places.astype(np.int32))
            at[at == len(own)] = 0
            held = np.flatnonzero(own[at] == places)
            at = at[held]
        else:
            held = np.searchsorted(places, own)
            held[held == len(places)] = 0
            at = np.flatnonzero(places[held] == own)
            held = held[at]
        return held, self.impacts[self.postings.kinds[at]]


def best_places(
    words: Sequence[Weighted], sums: Sums, places: Integers | None, *, limit: int
) -> tuple[Integers, Floats]:
    """The places with the largest sums and those sums, falling, ties by place.

    `sums` has 0 for each place that may answer, minus infinity for the others, and is overwritten.
    No other than `places`, rising, may answer; None if they are nearly all.
    """
    words = [word for word in words if len(word.postings)]
    if limit < 1 or not words:
        return np.empty(0, dtype=np.int64), np.empty(0)
    if places is not None and len(places) * LOOKED_UP > len(sums):
        places = None
    places = _candidates(words, sums, places, limit=limit)
    scores = np.zeros(len(places))
    for word in words:
        held, added = word.of(places)
        scores[held] += added
    order = np.argsort(-scores, kind="stable")[:limit]
    return places[order], scores[order]


def _candidates(
    words: Sequence[Weighted], sums: Sums, places: Integers | None, *, limit: int
) -> Integers:
    """The places, rising, that include the best; initially the given ones."""
    ordered = sorted(words, key=lambda word: -word.most)
    after = [0.0, *accumulate(word.most for word in reversed(ordered))][::-1]
    total = after[0]
    slack = total * _SLACK * len(words)
    floor = 0.0
    for word, left in zip(ordered, after[1:], strict=True):
        reached = _add(word, sums, places)
        if left < total - left:  # otherwise it cannot exceed the rest
            floor = _raised(floor, reached, limit)
        least = floor - left - slack
        if least > 0:
            places = np.flatnonzero(sums >= least) if places is None else places[reached >= least]
    if places is None:
        return np.flatnonzero(sums > 0)
    return places[sums[places] > 0]


def _raised(floor: float, sums: Sums, limit: int) -> float:
    """The score that the best `limit` of all reach, as far as these sums tell."""
    above = sums[sums > floor]
    return float(np.partition(above, -limit)[-limit]) if len(above) >= limit else floor


def _add(word: Weighted, sums: Sums, places: Integers | None) -> Sums:
    """Add the word to the sums of all chunks, or of these alone; return their sums, or those of its
    chunks.
    """
    own, kinds = word.postings.places, word.postings.kinds
    if places is None or len(places) * LOOKED_UP > len(own):
        np.add.at(sums, own, np.take(word.impacts.astype(np.float32), kinds))
    else:
        held, added = word.of(places)
        sums[places[held]] += added.astype(np.float32)
    return np.take(sums, own if places is None else places)
