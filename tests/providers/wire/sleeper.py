"""A clock for tests of what waits and tries again."""

from dataclasses import dataclass, field

from providers.remote.retry import Clock

TODAY_S = 1_800_000_000.0  # 2027-01-15 08:00:00 UTC


@dataclass
class Sleeper:
    """A clock that moves only by the sleep it is asked for, without chance."""

    slept: list[float] = field(default_factory=list)

    @property
    def clock(self) -> Clock:
        return Clock(
            now=lambda: sum(self.slept),
            date=lambda: TODAY_S,
            sleep=self.slept.append,
            uniform=lambda least, most: least,
        )
