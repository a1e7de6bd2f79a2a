"""The chunks that hold a word, in five or six bytes each, with what BM25 needs of them.

A word's contribution to a chunk's score depends only on its frequency there and on the chunk's
length. Even a word in most of a million chunks has only a few thousand such pairs, so each chunk is
stored with the number of its pair, and the formula is computed once for each pair. Loads numpy.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

K1 = 1.2
B = 0.75
"""FTS5's constants (`ext/fts5/fts5_aux.c`)."""

WHOLE_WEIGHTS = (1.0, 2.0)
REPEATED_WEIGHTS = (0.3, 0.5)
"""Weights of text and title, of neighbours and identifiers. FTS5 adds the weights place by place,
which for those in the second row differs from multiplying them.
"""

COLUMNS = len(WHOLE_WEIGHTS + REPEATED_WEIGHTS)

PIECE = 1 << 18
"""Characters read at once: numpy blocks all other threads meanwhile, for 2 ms."""

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
Places: TypeAlias = NDArray[np.int32]
Kinds: TypeAlias = NDArray[np.unsignedinteger[Any]]


@dataclass(frozen=True, slots=True)
class Occurrences:
    """The ids of the chunks that hold a word, rising, each with the number of its frequency.

    `frequencies` has the distinct weighted frequencies under their numbers.
    """

    ids: Integers
    numbers: Integers
    frequencies: Floats


@dataclass(frozen=True, slots=True)
class Postings:
    """The places of the chunks that hold a word, rising, each with its kind.

    A kind is a frequency of the word and a length of the chunk, found in `frequencies` and
    `lengths` under its number. No two kinds are the same.
    """

    places: Places
    kinds: Kinds
    frequencies: Floats
    lengths: Floats

    def __len__(self) -> int:
        return len(self.places)

    @property
    def size_bytes(self) -> int:
        arrays = (self.places, self.kinds, self.frequencies, self.lengths)
        return sum(array.nbytes for array in arrays)

    def impacts(self, mean_length: float) -> Floats:
        """BM25 of each kind, without the weight of the word: in `[0, K1 + 1)`."""
        norms = K1 * (1 - B + B * self.lengths / mean_length)
        impacts: Floats = self.frequencies * (K1 + 1.0) / (self.frequencies + norms)
        return impacts

    def hold(self, places: Places) -> NDArray[np.bool_]:
        """Return whether each of these places, rising, holds the word."""
        if not len(self.places):
            return np.zeros(len(places), dtype=np.bool_)
        at = np.searchsorted(self.places, places)
        at[at == len(self.places)] = 0
        held: NDArray[np.bool_] = self.places[at] == places
        return held

    def without(self, places: Integers) -> "Postings":
        """The postings without these places, rising."""
        at = np.searchsorted(self.places, places)
        at = at[at < len(self.places)]
        gone = at[np.isin(self.places[at], places)]
        if not len(gone):
            return self
        kept = np.delete(self.places, gone), np.delete(self.kinds, gone)
        return Postings(*kept, self.frequencies, self.lengths)

    def joined(self, other: "Postings") -> "Postings":
        """The postings with a few more, in places not there yet."""
        if not len(other):
            return self
        number = {pair: kind for kind, pair in enumerate(self._pairs())}
        renumbered = np.asarray([number.setdefault(pair, len(number)) for pair in other._pairs()])
        smallest = _smallest(len(number))
        at = np.searchsorted(self.places, other.places)
        pairs = np.asarray(list(number), dtype=np.float64)
        return Postings(
            np.insert(self.places, at, other.places),
            np.insert(self.kinds.astype(smallest), at, renumbered[other.kinds].astype(smallest)),
            np.ascontiguousarray(pairs[:, 0]),
            np.ascontiguousarray(pairs[:, 1]),
        )

    def _pairs(self) -> Iterator[tuple[float, float]]:
        return zip(self.frequencies.tolist(), self.lengths.tolist(), strict=True)


def make_postings(
    places: Integers, numbers: Integers, frequencies: Floats, lengths: NDArray[np.int32]
) -> Postings:
    """Postings of these places, rising, with the number of the frequency and the length there."""
    base = int(lengths.max(initial=0)) + 1
    pairs, kinds = _numbered(numbers * base + lengths)
    return Postings(
        places.astype(np.int32),
        kinds.astype(_smallest(len(pairs))),
        frequencies[pairs // base],
        (pairs % base).astype(np.float64),
    )


def occurrences(codes: str) -> Occurrences:
    """A word's occurrences from all its places.

    Each place is `chunk_id * 4 + column`, in decimal, separated by blanks, in any order.
    """
    if not codes:  # as of most words in a few chunks that changed
        none = np.empty(0, dtype=np.int64)
        return Occurrences(none, none, np.empty(0))
    found = _numbers(codes)
    if np.any(found[1:] < found[:-1]):
        found.sort()
    ids, columns = np.divmod(found, COLUMNS)
    first = np.flatnonzero(np.diff(ids, prepend=-1))
    numbers, counts = np.zeros(len(first), dtype=np.int64), np.zeros((1, 0), dtype=np.int64)
    for column in range(COLUMNS):
        count = np.add.reduceat((columns == column).astype(np.int64), first)
        base = int(count.max(initial=0)) + 1
        pairs, numbers = _numbered(numbers * base + count)
        counts = np.column_stack([counts[pairs // base], pairs % base])
    frequencies, number = np.unique(_frequencies(counts), return_inverse=True)
    return Occurrences(ids[first], number[numbers], frequencies)


def _numbers(codes: str) -> Integers:
    parts = [np.empty(0, dtype=np.int64)]
    start = 0
    while start < len(codes):
        end = codes.find(" ", start + PIECE)
        end = len(codes) if end < 0 else end
        parts.append(np.fromstring(codes[start:end], dtype=np.int64, sep=" "))
        start = end
    return np.concatenate(parts)


def _numbered(values: Integers) -> tuple[Integers, Integers]:
    """The distinct values, none negative, in rising order, and the number of each among them."""
    size = int(values.max(initial=0)) + 1
    if size > 4 * len(values) + PIECE:  # a table of all possible values is quicker than sorting
        distinct, numbers = np.unique(values, return_inverse=True)
        return distinct, numbers
    known = np.zeros(size, dtype=np.bool_)
    known[values] = True
    return np.flatnonzero(known), (np.cumsum(known) - 1)[values]


def _frequencies(counts: Integers) -> Floats:
    """The weighted number of places, from those in each column, added up in FTS5's order."""
    frequencies: Floats = counts[:, : len(WHOLE_WEIGHTS)] @ np.asarray(WHOLE_WEIGHTS)
    for column, weight in enumerate(REPEATED_WEIGHTS, start=len(WHOLE_WEIGHTS)):
        left = counts[:, column]
        more = np.flatnonzero(left)
        for times in range(1, int(left.max(initial=0)) + 1):
            frequencies[more] += weight
            more = more[left[more] > times]
    return frequencies


def _smallest(count: int) -> np.dtype[Any]:
    """The smallest type that can number so many kinds."""
    return np.min_scalar_type(max(count - 1, 0))
