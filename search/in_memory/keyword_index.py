"""BM25 over words held in memory, with scores identical to those of SQLite's FTS5.

A pure structure: it knows neither SQL nor the source of its words. It loads numpy, so only
long-lived processes load it.
"""

from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from math import log
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from contracts.named_tuple import NamedTuple
from contracts.values import Scored
from search.in_memory.id_set import IdSet
from search.in_memory.maxscore import LOOKED_UP, Sums, Weighted, best_places
from search.in_memory.postings import Integers, Occurrences, Postings, make_postings

LEAST_IDF = 1e-6
"""FTS5's weight of words in more than half of the rows (`ext/fts5/fts5_aux.c`)."""

BYTES_PER_CHUNK = 40
"""Bytes a chunk takes in the table of lengths, including the working memory of a query, without
four for each set of chunks that queries are limited to.
"""


class _Start(NamedTuple):
    """The sums before any word, minus infinity for chunks that may not answer; and the places of
    those that may, if they are few.
    """

    sums: Sums
    places: Integers | None


class KeywordIndex:
    """The lengths of all chunks, and the scores of chunks with given words.

    Not safe to share between threads without a lock.
    """

    def __init__(self, lengths: Mapping[int, int]) -> None:
        """`lengths` has the number of words of each chunk by its id, in rising order."""
        count = len(lengths)
        self._ids: Integers = np.fromiter(lengths.keys(), dtype=np.int64, count=count)
        self._lengths = np.fromiter(lengths.values(), dtype=np.int32, count=count)
        self._count()

    def __len__(self) -> int:
        return self.chunks

    def _count(self) -> None:
        present = self._lengths >= 0
        self.chunks = int(np.count_nonzero(present))
        self.words = int(self._lengths.sum(where=present, dtype=np.int64))
        self._sums: Sums = np.empty(len(self._ids), dtype=np.float32)
        self._starts: WeakKeyDictionary[IdSet, _Start] = WeakKeyDictionary()

    def change(self, changed: AbstractSet[int], lengths: Mapping[int, int]) -> bool:
        """Apply changed chunks; `lengths` has those of them that still exist.

        False if the index must be rebuilt: new ids must be larger than all earlier ones, and at
        most half of the table may belong to removed chunks.
        """
        last = int(self._ids[-1]) if len(self._ids) else -1
        new = sorted(key for key in lengths if key > last)
        places = self._places(_rising(changed))
        known = self._ids[places]
        if len(new) + np.count_nonzero(np.isin(known, list(lengths))) != len(lengths):
            return False
        self._lengths[places] = [lengths.get(int(key), -1) for key in known]
        if new:
            self._ids = np.concatenate([self._ids, np.asarray(new, dtype=np.int64)])
            added = np.asarray([lengths[key] for key in new], dtype=np.int32)
            self._lengths = np.concatenate([self._lengths, added])
        self._count()
        return len(self._ids) <= 2 * self.chunks

    def postings(self, found: Occurrences) -> Postings:
        """A word's postings. Chunks without a length are skipped."""
        places = self._places(found.ids)
        places = places[self._lengths[places] >= 0]
        numbers = found.numbers
        if len(places) < len(numbers):
            numbers = numbers[np.isin(found.ids, self._ids[places])]
        return make_postings(places, numbers, found.frequencies, self._lengths[places])

    def changed(self, old: Postings, changed: AbstractSet[int], found: Occurrences) -> Postings:
        """A word's postings after these chunks changed; `found` is their part of it now."""
        kept = old.without(self._places(_rising(changed)))
        return kept.joined(self.postings(found)) if len(found.ids) else kept

    def holding(self, words: Sequence[Postings], chunk_ids: Sequence[int]) -> list[set[int]]:
        """Return those of these chunks that hold each word."""
        places = self._places(_rising(chunk_ids)).astype(np.int32)  # another type would be copied
        return [set(self._ids[places[postings.hold(places)]].tolist()) for postings in words]

    def best(
        self,
        any_of: Sequence[Postings],
        *,
        all_of: Sequence[Postings] = (),
        none_of: Sequence[Postings] = (),
        among: IdSet | None = None,
        limit: int,
    ) -> list[Scored]:
        """The best chunks by their scores, ties by id.

        They hold one of `any_of`, unless it is empty, all of `all_of`, and none of `none_of`.
        `among` are the chunks that may answer; None is all.
        """
        sums, places = self._sums, None
        if among is None:
            sums.fill(0)
        else:
            start = self._start(among)
            np.copyto(sums, start.sums)
            places = start.places
        for wanted in [any_of, *([postings] for postings in all_of)]:
            if all_of and wanted:
                sums[self._without(wanted)] = -np.inf
        for postings in none_of:
            sums[postings.places] = -np.inf
        words = [self.weighted(postings) for postings in (*any_of, *all_of)]
        best, scores = best_places(words, sums, places, limit=limit)
        return list(map(Scored, self._ids[best].tolist(), scores.tolist()))

    def _start(self, among: IdSet) -> "_Start":
        """The state that a query among these chunks begins with, made once for each set."""
        if among not in self._starts:
            may_answer = among.of(self._ids)
            sums = np.where(may_answer, np.float32(0), np.float32(-np.inf))
            few = np.count_nonzero(may_answer) * LOOKED_UP <= len(sums)
            self._starts[among] = _Start(sums, np.flatnonzero(may_answer) if few else None)
        return self._starts[among]

    def _places(self, ids: Integers) -> Integers:
        """The places of those of these ids, in rising order, that have one."""
        places = np.searchsorted(self._ids, ids)
        places[places == len(self._ids)] = 0
        found: Integers = places[self._ids[places] == ids] if len(self._ids) else places[:0]
        return found

    def weighted(self, postings: Postings) -> Weighted:
        """The word with its contribution to a score, which depends on all chunks."""
        holding = len(postings)
        idf = log((self.chunks - holding + 0.5) / (holding + 0.5))
        mean = self.words / self.chunks if self.chunks else 1.0
        impacts = (idf if idf > 0 else LEAST_IDF) * postings.impacts(mean)
        return Weighted(postings, impacts, float(impacts.max(initial=0)))

    def _without(self, wanted: Sequence[Postings]) -> NDArray[np.bool_]:
        """The chunks that hold none of these words."""
        without = np.ones(len(self._ids), dtype=np.bool_)
        for postings in wanted:
            without[postings.places] = False
        return without


def _rising(ids: Collection[int]) -> Integers:
    return np.asarray(sorted(ids), dtype=np.int64)
