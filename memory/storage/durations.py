"""Histograms of durations, from which percentiles are computed.

There are ten buckets to a decade: a percentile is accurate to within a quarter.
"""

import threading
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from typing import Final

from contracts.named_tuple import NamedTuple
from memory.storage.counters import CountTable, own_table

SEARCH_LEGS: Final = ("embedding", "keyword", "identifier", "vector", "search", "cached")
"""The measured steps: embedding the query, the three legs, a whole search (including the time
between the legs), and a cached answer.
"""

BOUNDS_MS: Final = tuple(
    round(step * 10.0**decade, 4)
    for decade in range(-2, 4)
    for step in (1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8)
)
"""The upper bounds of all buckets but the last, from 0.01 ms to 8 s."""


def bucket_of(seconds: float) -> int:
    """Return the bucket of a duration, len(BOUNDS_MS) beyond all bounds."""
    return bisect_left(BOUNDS_MS, seconds * 1000)


class Histogram(NamedTuple):
    """Durations: the number in each bucket that has any, and their sum in seconds."""

    counts: Mapping[int, int]
    seconds: float

    @property
    def number(self) -> int:
        return sum(self.counts.values())

    @property
    def mean_ms(self) -> float:
        """Return the mean, 0.0 without durations."""
        return self.seconds * 1000 / self.number if self.counts else 0.0

    def percentile_ms(self, share: float) -> float:
        """Return the duration that a `share` of them, in (0, 1], does not exceed; 0.0 without any.

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


_BUCKETS: Final = len(BOUNDS_MS) + 1
_COLUMNS_A_LEG: Final = _BUCKETS + 1  # the last is the sum in seconds

COLUMNS: Final = len(SEARCH_LEGS) * _COLUMNS_A_LEG
"""The columns of a table of `Durations`."""


class Durations:
    """Durations of the legs of a server's searches. Any thread may use it."""

    def __init__(self, table: CountTable | None = None) -> None:
        """Count in `table`, which other processes of the server may share; else here alone."""
        self._lock = threading.Lock()
        self._table = table or own_table(COLUMNS)

    def note(self, spent: Iterable[tuple[str, float]]) -> None:
        """Count the durations of one search, in seconds; costs some microseconds."""
        own = self._table.own
        with self._lock:
            for leg, seconds in spent:
                first = _first_column(leg)
                own[first + bucket_of(seconds)] += 1
                own[first + _BUCKETS] += seconds

    def read(self) -> dict[str, Histogram]:
        """Return the durations since the server began, for each leg that ran."""
        with self._lock:
            totals = self._table.totals()
        found = {}
        for leg in SEARCH_LEGS:
            first = _first_column(leg)
            numbers = map(int, totals[first : first + _BUCKETS])
            counts = {bucket: number for bucket, number in enumerate(numbers) if number}
            if counts:
                found[leg] = Histogram(counts, totals[first + _BUCKETS])
        return found


def _first_column(leg: str) -> int:
    return SEARCH_LEGS.index(leg) * _COLUMNS_A_LEG
