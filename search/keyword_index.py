"""BM25 over words held in memory, to the last bit as SQLite's FTS5 computes it.

A pure structure: it knows neither SQL nor where words come from. It loads numpy, so only a
long-lived process loads it.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

K1 = 1.2
B = 0.75
LEAST_IDF = 1e-6
"""FTS5's constants (`ext/fts5/fts5_aux.c`); the last is for words in more than half of the rows."""

WHOLE_WEIGHTS = (1.0, 2.0)
REPEATED_WEIGHTS = (0.3, 0.5)
"""Weights of text and title, of neighbours and identifiers. FTS5 adds the weights up place by
place, which for those in the second row is not the same as multiplying them."""

COLUMNS = len(WHOLE_WEIGHTS + REPEATED_WEIGHTS)

BYTES_PER_CHUNK = 40
"""Of the table of lengths, with what a query needs besides."""

_BLOCK = 256

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(slots=True)
class Postings:
    """The chunks that hold a word: their places in the index, and the word's frequency in each.

    `impact` is what BM25 makes of the frequencies, as of the index's `moment`.
    """

    places: NDArray[np.int32]
    frequencies: Floats
    impact: Floats
    moment: int

    @property
    def size_bytes(self) -> int:
        return int(self.places.nbytes + self.frequencies.nbytes + self.impact.nbytes)


class KeywordIndex:
    """The lengths of all chunks, and the scores of those that hold given words.

    Not safe to share between threads without a lock.
    """

    def __init__(self, lengths: Mapping[int, int]) -> None:
        """`lengths` has the number of words of each chunk by its id, in rising order."""
        count = len(lengths)
        self._ids: Integers = np.fromiter(lengths.keys(), dtype=np.int64, count=count)
        self._lengths: Floats = np.fromiter(lengths.values(), dtype=np.float64, count=count)
        self._moment = 0
        self._count()

    def __len__(self) -> int:
        return self.chunks

    def _count(self) -> None:
        present = self._lengths >= 0
        self.chunks = int(np.count_nonzero(present))
        self.words = int(self._lengths[present].sum())
        self._norms: Floats | None = None
        self._moment += 1

    def change(self, changed: AbstractSet[int], lengths: Mapping[int, int]) -> bool:
        """Take over chunks that changed; `lengths` has those of them that are still there.

        False when it has to be made anew: new ids have to be larger than all before, and no more
        than half of the table may be of chunks that are gone.
        """
        last = int(self._ids[-1]) if len(self._ids) else -1
        new = sorted(key for key in lengths if key > last)
        places = self._places(np.asarray(sorted(changed), dtype=np.int64))
        known = self._ids[places]
        if len(new) + np.count_nonzero(np.isin(known, list(lengths))) != len(lengths):
            return False
        self._lengths[places] = [lengths.get(int(key), -1) for key in known]
        if new:
            self._ids = np.concatenate([self._ids, np.asarray(new, dtype=np.int64)])
            added = np.asarray([lengths[key] for key in new], dtype=np.float64)
            self._lengths = np.concatenate([self._lengths, added])
        self._count()
        return len(self._ids) <= 2 * self.chunks

    def postings(self, codes: str) -> Postings:
        """A word's postings from every place where it stands.

        Each place is `chunk_id * 4 + column`, in decimal, separated by blanks, in any order. Places
        in chunks without a length are passed over.
        """
        columns, ids = self._counted(codes)
        places = self._places(ids)
        frequencies = _frequencies(columns[np.isin(ids, self._ids[places])])
        return self._made(places.astype(np.int32), frequencies)

    def changed(self, old: Postings, changed: AbstractSet[int], codes: str) -> Postings:
        """A word's postings after these chunks changed; `codes` are its places in them now."""
        gone = self._places(np.asarray(sorted(changed), dtype=np.int64))
        kept = ~np.isin(old.places, gone)
        new = self.postings(codes)
        return self._made(
            np.concatenate([old.places[kept], new.places]),
            np.concatenate([old.frequencies[kept], new.frequencies]),
        )

    def best(
        self,
        any_of: Sequence[Postings],
        *,
        all_of: Sequence[Postings] = (),
        none_of: Sequence[Postings] = (),
        among: Integers | None = None,
        limit: int,
    ) -> list[tuple[int, float]]:
        """The ids and scores of the best chunks, ties by id.

        They hold one of `any_of`, unless there is none, all of `all_of`, and none of `none_of`.
        `among` are the ids, in rising order, of the chunks that may answer; None is all.
        """
        scores = np.zeros(len(self._ids))
        for postings in (*any_of, *all_of):
            scores[postings.places] += self._idf(postings) * self._impact(postings)
        for wanted in [any_of, *([postings] for postings in all_of)]:
            if all_of and wanted:
                scores[self._without(*wanted)] = 0
        for postings in none_of:
            scores[postings.places] = 0
        if among is not None:
            allowed = np.zeros(len(scores), dtype=np.bool_)
            allowed[self._places(among)] = True
            scores[~allowed] = 0
        best = _largest(scores, limit)
        return list(zip(self._ids[best].tolist(), scores[best].tolist(), strict=True))

    def _places(self, ids: Integers) -> Integers:
        """The places of those of these ids, in rising order, that have one."""
        places = np.searchsorted(self._ids, ids)
        places[places == len(self._ids)] = 0
        found: Integers = places[self._ids[places] == ids] if len(self._ids) else places[:0]
        return found

    def _counted(self, codes: str) -> tuple[Integers, Integers]:
        """How often the word stands in each column, `(n, 4)`, and the ids of those n chunks."""
        found = np.sort(np.fromstring(codes, dtype=np.int64, sep=" "), kind="stable")
        ids, rows = np.unique(found // COLUMNS, return_inverse=True)
        counts = np.bincount(rows * COLUMNS + found % COLUMNS, minlength=len(ids) * COLUMNS)
        return counts.reshape(-1, COLUMNS), ids

    def _made(self, places: NDArray[np.int32], frequencies: Floats) -> Postings:
        return Postings(places, frequencies, self._impacts(places, frequencies), self._moment)

    def _impact(self, postings: Postings) -> Floats:
        if postings.moment != self._moment:
            postings.impact = self._impacts(postings.places, postings.frequencies)
            postings.moment = self._moment
        return postings.impact

    def _impacts(self, places: NDArray[np.int32], frequencies: Floats) -> Floats:
        if self._norms is None:
            mean = self.words / self.chunks if self.chunks else 1.0
            self._norms = K1 * (1 - B + B * self._lengths / mean)
        impact: Floats = frequencies * (K1 + 1.0) / (frequencies + self._norms[places])
        return impact

    def _idf(self, postings: Postings) -> float:
        holding = len(postings.places)
        idf = log((self.chunks - holding + 0.5) / (holding + 0.5))
        return idf if idf > 0 else LEAST_IDF

    def _without(self, *wanted: Postings) -> NDArray[np.bool_]:
        """Which chunks hold none of these words."""
        without = np.ones(len(self._ids), dtype=np.bool_)
        for postings in wanted:
            without[postings.places] = False
        return without


def _frequencies(columns: Integers) -> Floats:
    """The weighted number of places in each chunk, added up in FTS5's order."""
    frequencies: Floats = columns[:, : len(WHOLE_WEIGHTS)] @ np.asarray(WHOLE_WEIGHTS)
    for column, weight in enumerate(REPEATED_WEIGHTS, start=len(WHOLE_WEIGHTS)):
        left = columns[:, column]
        more = np.flatnonzero(left)
        for times in range(1, int(left.max(initial=0)) + 1):
            frequencies[more] += weight
            more = more[left[more] > times]
    return frequencies


def _largest(scores: Floats, limit: int) -> Integers:
    """Where the `limit` largest positive scores are, falling, ties by place."""
    if limit < 1 or not len(scores):
        return np.empty(0, dtype=np.int64)
    # As many blocks as results are wanted have a maximum of at least the least of theirs.
    maxima = np.maximum.reduceat(scores, np.arange(0, len(scores), _BLOCK))
    least = np.partition(maxima, -limit)[-limit] if limit <= len(maxima) else 0.0
    found = np.flatnonzero(scores >= least if least > 0 else scores > 0)
    order: Integers = found[np.argsort(-scores[found], kind="stable")[:limit]]
    return order
