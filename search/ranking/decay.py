"""Time decay: newer memories before older ones, by a bounded factor."""

from dataclasses import dataclass
from datetime import UTC, datetime
from math import exp, floor, log
from sys import float_info

from contracts.errors import InputError

DECAYING_SOURCES = ("turn", "memory", "episode", "signal")
"""Sources that decay by default: a manual is not worth less because it is old."""

TIME_DECAY_ENABLED = True
TIME_DECAY_HALF_LIFE_DAYS = 30.0
"""Days until the weight above the floor has halved."""
TIME_DECAY_ALPHA = 0.3
"""The floor: the share of its score that even the oldest memory keeps."""

_SECONDS_PER_DAY = 86_400
_LOG_2 = log(2)


@dataclass(frozen=True, slots=True)
class TimeDecay:
    """The decay of scores: to one half (above the floor `alpha`) in `half_life_days`.

    Raises InputError for a half-life that is not positive, an `alpha` outside [0, 1], and for
    values of another type.
    """

    enabled: bool = TIME_DECAY_ENABLED
    half_life_days: float = TIME_DECAY_HALF_LIFE_DAYS
    alpha: float = TIME_DECAY_ALPHA
    sources: tuple[str, ...] = DECAYING_SOURCES

    def __post_init__(self) -> None:
        if not isinstance(self.enabled, bool):
            raise InputError(
                f"whether time decay is enabled is {self.enabled!r}", hint="give True or False"
            )
        if not is_number(self.half_life_days, float_info.min, float_info.max):
            raise InputError(
                f"the half-life of the time decay is {self.half_life_days!r} days",
                hint="give a number of days above 0",
            )
        if not is_number(self.alpha, 0, 1):
            raise InputError(
                f"the floor (alpha) of the time decay is {self.alpha!r}",
                hint="give a number from 0 to 1",
            )
        if not isinstance(self.sources, tuple | list):  # any part of a string would match
            raise InputError(
                f"the sources of the time decay are {self.sources!r}", hint="give a tuple of names"
            )

    def applies_to(self, source: str) -> bool:
        return self.enabled and source in self.sources

    def factor(self, occurred_at: str, now: datetime) -> float:
        """The weight of a chunk of that time, in [alpha, 1]; 1 if the time cannot be read."""
        age = age_days(occurred_at, now)
        if age is None:
            return 1.0
        return time_weight(age, half_life_days=self.half_life_days, alpha=self.alpha)


def is_number(value: object, low: float, high: float) -> bool:
    """Return whether it is a number between these finite ones, both included, and not a bool."""
    return isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high


def time_weight(
    age_days: float,
    *,
    half_life_days: float = TIME_DECAY_HALF_LIFE_DAYS,
    alpha: float = TIME_DECAY_ALPHA,
) -> float:
    """`alpha + (1 - alpha) * exp(-ln 2 * age_days / half_life_days)`, in [alpha, 1].

    A negative age, from a clock that runs ahead, counts as 0. The formula is sem-mem's; its floor
    keeps an old and highly relevant memory within reach.
    """
    return alpha + (1 - alpha) * exp(-_LOG_2 * max(age_days, 0.0) / half_life_days)


def time_adjusted_score(
    sim_score: float,
    timestamp: str | None,
    half_life_days: float = TIME_DECAY_HALF_LIFE_DAYS,
    alpha: float = TIME_DECAY_ALPHA,
) -> float:
    """sem-mem's function: a score times the weight of its time, by whole days.

    Without a time the score stays. Raises InputError for an invalid ISO 8601 time, and for a
    half-life that is not above 0.
    """
    if not half_life_days > 0:
        raise InputError(f"half_life_days is {half_life_days}", hint="give a number above 0")
    if not timestamp:
        return sim_score
    age = age_days(timestamp, datetime.now(UTC)) if isinstance(timestamp, str) else None
    if age is None:
        raise InputError(f"{timestamp!r} is not a time", hint="give one like 2026-03-04T10:30:00")
    return sim_score * time_weight(floor(age), half_life_days=half_life_days, alpha=alpha)


def age_days(occurred_at: str, now: datetime) -> float | None:
    """Days from an ISO 8601 time to `now`; times without a zone are UTC; None: not a time."""
    try:
        then = datetime.fromisoformat(occurred_at)
    except ValueError:
        return None
    return (_in_utc(now) - _in_utc(then)).total_seconds() / _SECONDS_PER_DAY


def _in_utc(moment: datetime) -> datetime:
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
