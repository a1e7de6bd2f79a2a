"""The queue of a watcher: paths with hints, paths that failed, and the times of retries.

Nothing here reads a clock or a disk, so that a test can play any order of events.
"""

from collections.abc import Collection, Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from math import inf
from typing import Final

from ingest.watching.base import lies_below, topmost
from memory.values.backoff import LAST_RETRY_S, Backoff

MOST_PATHS: Final = 2000
"""Limit of hints; more are answered with a complete scan, which is cheaper."""


@dataclass(slots=True)
class _Retry:
    due_s: float
    backoff: Backoff


@dataclass(slots=True)
class WatchQueue:
    """Paths to look at, and files that failed, each with the time of its next attempt.

    Times are seconds of one clock, which the caller reads.
    """

    paths: set[str] = field(default_factory=set)
    is_overflown: bool = False
    _retries: dict[str, _Retry] = field(default_factory=dict)

    def __len__(self) -> int:
        """Return the number of waiting paths, including those to be tried again later."""
        return len(self.paths) + sum(retry.due_s < inf for retry in self._retries.values())

    def add(self, paths: Collection[str], *, overflow: bool = False) -> None:
        """Add hints; past MOST_PATHS the queue only remembers that anything may have changed."""
        self.paths |= set(paths)
        if overflow or len(self.paths) > MOST_PATHS:
            self.is_overflown = True
            self.paths.clear()

    def due(self, now_s: float) -> frozenset[str]:
        """Return the paths to look at now; none is below another."""
        retried = {path for path, retry in self._retries.items() if retry.due_s <= now_s}
        return frozenset(topmost(self.paths | retried))

    def next_due_s(self) -> float:
        """Return the time of the next attempt at a file that failed; infinity when there is
        none.
        """
        return min((retry.due_s for retry in self._retries.values()), default=inf)

    def done(self, paths: AbstractSet[str], failed: Iterable[str], *, now_s: float) -> None:
        """Remove the due `paths` after a look at them, of which these files `failed`."""
        self.paths.clear()
        looked_at = {path for path in self._retries if _lies_in(path, paths)}
        before = {path: self._retries.pop(path) for path in looked_at}
        self._try_again(failed, before, now_s)

    def all_done(self, failed: Iterable[str], *, now_s: float) -> None:
        """Clear the queue after a look at everything."""
        before, self._retries = self._retries, {}
        self.paths.clear()
        self.is_overflown = False
        self._try_again(failed, before, now_s)

    def _try_again(self, failed: Iterable[str], before: dict[str, _Retry], now_s: float) -> None:
        """Plan the next attempt at each; none once pauses are long, since complete scans suffice
        then.
        """
        for path in failed:
            backoff = before[path].backoff if path in before else Backoff(most_s=inf)
            pause_s = backoff.failed()
            due_s = now_s + pause_s if pause_s <= LAST_RETRY_S else inf
            self._retries[path] = _Retry(due_s, backoff)


def _lies_in(path: str, places: AbstractSet[str]) -> bool:
    return path in places or lies_below(path, places)
