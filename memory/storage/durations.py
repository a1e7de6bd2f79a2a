"""How long something takes, counted in buckets, so that percentiles can be told.

There are ten buckets to a decade: a percentile is told to within a quarter.
"""

import threading
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

SEARCH_LEGS: Final = ("embedding", "keyword", "identifier", "vector", "search", "cached")
"""What takes time: making a vector of the query, the three legs, a whole search (what is between
the legs included), and an answer that was given before."""

BOUNDS_MS: Final = tuple(
    round(step * 10.0**decade, 4)
    for decade in range(-2, 4)
    for step in (1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8)
)
"""The upper bounds of all buckets but the last, from 0.01 ms to 8 s."""


def bucket_of(seconds: float) -> int:
    """The bucket that a duration counts in, len(BOUNDS_MS) beyond all bounds."""
    return bisect_left(BOUNDS_MS, seconds * 1000)


class Histogram(NamedTuple):
    """Durations: how many in each bucket that has any, and their sum in seconds."""

    counts: Mapping[int, int]
    seconds: float

    @property
    def number(self) -> int:
        return sum(self.counts.values())

    @property
    def mean_ms(self) -> float:
        """The mean, 0.0 of none."""
        return self.seconds * 1000 / self.number if self.counts else 0.0

    def percentile_ms(self, share: float) -> float:
        """The duration that a `share` of them, in (0, 1], do not exceed; 0.0 of none.

        Within a bucket they count as evenly spread.
        """
        wanted, passed = share * self.number, 0
        for bucket, count in sorted(self.counts.items()):
            if passed + count >= wanted:
                low = BOUNDS_MS[bucket - 1] if bucket else 0.0
                high = BOUNDS_MS[min(bucket, len(BOUNDS_MS) - 1)]
                return low + (max(high, low) - low) * (wanted - passed) / count
            passed += count
        return 0.0


EMPTY: Final = Histogram({}, 0.0)


class Durations:
    """Counts how long the legs of this process's searches take. Any thread may use it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: defaultdict[str, Counter[int]] = defaultdict(Counter)
        self._seconds: defaultdict[str, float] = defaultdict(float)

    def note(self, spent: Iterable[tuple[str, float]]) -> None:
        """Count what one search took, in seconds; costs some microseconds."""
        with self._lock:
            for leg, seconds in spent:
                self._counts[leg][bucket_of(seconds)] += 1
                self._seconds[leg] += seconds

    def read(self) -> dict[str, Histogram]:
        """What was counted since the process began, of each leg that there was."""
        with self._lock:
            return {
                leg: Histogram(dict(self._counts[leg]), self._seconds[leg])
                for leg in SEARCH_LEGS
                if leg in self._counts
            }
