"""A real source of hints made bad: it loses some, delays some and invents some."""

import random

from ingest.watching import EventSource, Hints


class LossyEvents:
    """Wraps a source of hints. `share` of the paths is lost, as many come one wait later."""

    def __init__(self, source: EventSource, chance: random.Random, *, share: float) -> None:
        self._source = source
        self._chance = chance
        self._share = share
        self._late: frozenset[str] = frozenset()
        self.lost = 0

    @property
    def method(self) -> str:
        return self._source.method

    @property
    def reason(self) -> str | None:
        return self._source.reason

    @property
    def watched(self) -> int:
        return self._source.watched

    def wait(self, timeout_s: float) -> Hints:
        hints = self._source.wait(timeout_s)
        kept, late = set(self._late), set()
        for path in hints.paths:
            if self._chance.random() < self._share:
                self.lost += 1
            elif self._chance.random() < self._share:
                late.add(path)
            else:
                kept.add(path)
        if hints.paths and self._chance.random() < self._share:
            kept.add(f"{min(hints.paths)}/nothing here")
        self._late = frozenset(late)
        return Hints(frozenset(kept), overflow=False)

    def wake(self) -> None:
        self._source.wake()

    def renew(self) -> None:
        self._source.renew()

    def close(self) -> None:
        self._source.close()
