"""How long searches and extraction take: counted in a process, added to the database now and then.

Durations are counted in buckets ten to a decade, so that a percentile is told to within a quarter.
"""

import threading
import time
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Final, NamedTuple

from contracts import BusyError, StorageError
from memory.storage import Database

LEGS: Final = ("embedding", "keyword", "identifier", "vector", "search", "cached")
"""What takes time: making a vector of the query, the three legs, a whole search (what is between
the legs included), and an answer that was given before."""

EXTRACTION_LEGS: Final = ("rules", "llm")
"""What takes time when memories are made of a turn: looking by rules, and asking a model."""

BOUNDS_MS: Final = tuple(
    round(step * 10.0**decade, 4)
    for decade in range(-2, 4)
    for step in (1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8)
)
"""The upper bounds of all buckets but the last, from 0.01 ms to 8 s."""

WRITTEN_EVERY = 256
WRITTEN_AFTER_S = 60.0
"""So many searches, or so long after the last time, counts are added to the database."""


class Histogram(NamedTuple):
    """Durations of one leg: how many in each bucket, and their sum in seconds."""

    counts: tuple[int, ...]
    seconds: float

    @property
    def number(self) -> int:
        return sum(self.counts)

    @property
    def mean_ms(self) -> float:
        """The mean, 0.0 of none."""
        return self.seconds * 1000 / self.number if self.number else 0.0

    def percentile_ms(self, share: float) -> float:
        """The duration that a `share` of them, in (0, 1], do not exceed; 0.0 of none.

        Within a bucket they count as evenly spread.
        """
        wanted, passed = share * self.number, 0
        for bucket, count in enumerate(self.counts):
            if count and passed + count >= wanted:
                low = BOUNDS_MS[bucket - 1] if bucket else 0.0
                high = BOUNDS_MS[min(bucket, len(BOUNDS_MS) - 1)]
                return low + (max(high, low) - low) * (wanted - passed) / count
            passed += count
        return 0.0


EMPTY: Final = Histogram((0,) * (len(BOUNDS_MS) + 1), 0.0)


class LatencyBook:
    """Counts the durations of this process's searches, or other legs. Any thread may use it."""

    def __init__(self, database: Database, *, legs: tuple[str, ...] = LEGS) -> None:
        self._database = database
        self._legs = legs
        self._lock = threading.Lock()
        self._flushing = threading.Lock()
        self._counts: dict[str, list[int]] = {}
        self._seconds: dict[str, float] = {}
        self._written: dict[str, Histogram] = {}
        self._unwritten = 0
        self._next = time.monotonic() + WRITTEN_AFTER_S

    def note(self, spent: Iterable[tuple[str, float]]) -> None:
        """Count what one search took, in seconds; costs some microseconds."""
        with self._lock:
            for leg, seconds in spent:
                counts = self._counts.get(leg)
                if counts is None:
                    counts = self._counts[leg] = [0] * (len(BOUNDS_MS) + 1)
                counts[bisect_left(BOUNDS_MS, seconds * 1000)] += 1
                self._seconds[leg] = self._seconds.get(leg, 0.0) + seconds
            self._unwritten += 1
            due = self._unwritten >= WRITTEN_EVERY or time.monotonic() >= self._next
        if due:
            self.flush()

    def here(self) -> dict[str, Histogram]:
        """What this process has counted since it began."""
        with self._lock:
            return {
                leg: Histogram(tuple(counts), self._seconds[leg])
                for leg, counts in self._counts.items()
            }

    def ever(self) -> dict[str, Histogram]:
        """What all processes have counted over the life of the database, this one's newest too."""
        known = read_latencies(self._database, legs=self._legs)
        new = _differences(self.here(), self._written)
        legs = [leg for leg in self._legs if leg in known or leg in new]
        return {leg: _combined(known.get(leg, EMPTY), new.get(leg, EMPTY), sign=1) for leg in legs}

    def flush(self) -> None:
        """Add what is new to the database, unless another process is writing or nobody can."""
        if not self._flushing.acquire(blocking=False):
            return  # another thread is at it
        try:
            with self._lock:
                self._unwritten, self._next = 0, time.monotonic() + WRITTEN_AFTER_S
            here = self.here()
            new = _differences(here, self._written)
            if any(histogram.number for histogram in new.values()):
                with suppress(BusyError, StorageError):
                    _add(self._database, new)
                    self._written = here
        finally:
            self._flushing.release()


def read_latencies(database: Database, *, legs: tuple[str, ...] = LEGS) -> dict[str, Histogram]:
    """What is written down of these legs."""
    found: dict[str, Histogram] = {}
    rows = database.read("SELECT leg, bucket, number, seconds FROM latencies ORDER BY leg, bucket")
    for leg, bucket, number, seconds in rows:
        if leg not in legs or not 0 <= bucket <= len(BOUNDS_MS):
            continue  # a newer program's
        before = found.get(leg, EMPTY)
        counts = [*before.counts]
        counts[bucket] = number
        found[leg] = Histogram(tuple(counts), before.seconds + seconds)
    return found


def _add(database: Database, new: Mapping[str, Histogram]) -> None:
    sql = """INSERT INTO latencies (leg, bucket, number, seconds)
        VALUES (:leg, :bucket, :number, :seconds)
        ON CONFLICT (leg, bucket) DO UPDATE
        SET number = latencies.number + :number, seconds = latencies.seconds + :seconds"""
    rows = []
    for leg, histogram in new.items():
        left_s = histogram.seconds  # the sum is of all buckets, and stands at the first
        for bucket, number in enumerate(histogram.counts):
            if number:
                row = {"leg": leg, "bucket": bucket, "number": number, "seconds": left_s}
                rows.append(row)
                left_s = 0.0
    with database.transaction(wait=False) as tx:
        tx.run_many(sql, rows)


def _differences(
    now: Mapping[str, Histogram], before: Mapping[str, Histogram]
) -> dict[str, Histogram]:
    return {leg: _combined(value, before.get(leg, EMPTY), sign=-1) for leg, value in now.items()}


def _combined(one: Histogram, other: Histogram, *, sign: int) -> Histogram:
    counts = (a + sign * b for a, b in zip(one.counts, other.counts, strict=True))
    return Histogram(tuple(counts), max(0.0, one.seconds + sign * other.seconds))
