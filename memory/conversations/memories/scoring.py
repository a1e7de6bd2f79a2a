"""The score of a memory: frequency, recency and importance.

Pure arithmetic, shared by ranking, garbage collection and explanation.
"""

from datetime import datetime
from math import exp, log1p

from contracts.named_tuple import NamedTuple
from memory.values.inserted_values import moment_of

SECONDS_PER_DAY = 86_400


class Weights(NamedTuple):
    """The weights of the parts of a score; `decay_per_day` is the formula's lambda."""

    frequency: float = 1.0
    recency: float = 1.0
    importance: float = 2.0
    decay_per_day: float = 0.05


class Decomposition(NamedTuple):
    """A score and its three parts, each with its weight in it; they add up to `total`."""

    frequency: float
    recency: float
    importance: float
    total: float
    age_days: float


def age_in_days(last_seen_at: str | None, created_at: str, *, now: datetime) -> float:
    """Return the days since a memory was last seen, else since it was created; never negative.

    A clock that was set back gives an age of 0, and so does a row without a readable time, which
    another program inserted.
    """
    since = moment_of(last_seen_at or created_at) or now
    return max(0.0, (now - since).total_seconds() / SECONDS_PER_DAY)


def decompose(
    *, hits: int, importance: int, age_days: float, weights: Weights | None = None
) -> Decomposition:
    """Return the score of a memory with its parts.

    `w_freq * ln(1 + hits) + w_recency * exp(-lambda * age_days) + w_importance * importance`
    """
    by = weights or Weights()
    frequency = by.frequency * log1p(hits)
    recency = by.recency * exp(-by.decay_per_day * age_days)
    important = by.importance * importance
    return Decomposition(frequency, recency, important, frequency + recency + important, age_days)
