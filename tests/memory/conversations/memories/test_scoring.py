"""The score of a memory, against the formula worked by hand."""

from datetime import UTC, datetime, timedelta
from math import e, log

import pytest

from memory.conversations.memories.scoring import Decomposition, Weights, age_in_days, decompose
from memory.storage import utc_text

NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    "hits, importance, age_days, expected",
    [
        pytest.param(0, 0, 0.0, (0.0, 1.0, 0.0), id="new"),
        pytest.param(3, 0, 0.0, (log(4), 1.0, 0.0), id="said-again"),
        pytest.param(0, 1, 0.0, (0.0, 1.0, 2.0), id="important"),
        pytest.param(0, 0, 20.0, (0.0, 1 / e, 0.0), id="twenty-days-are-one-over-e"),
        pytest.param(7, 1, 40.0, (log(8), 1 / e**2, 2.0), id="all-three"),
    ],
)
def test_the_default_weights(
    hits: int, importance: int, age_days: float, expected: tuple[float, float, float]
) -> None:
    found = decompose(hits=hits, importance=importance, age_days=age_days)
    assert found[:3] == pytest.approx(expected)
    assert found.total == pytest.approx(sum(expected))
    assert found.age_days == age_days


def test_every_weight_weighs_its_own_part() -> None:
    weights = Weights(frequency=2.0, recency=3.0, importance=5.0, decay_per_day=0.1)
    found = decompose(hits=1, importance=1, age_days=10.0, weights=weights)
    assert found == pytest.approx(
        Decomposition(2 * log(2), 3 / e, 5.0, 2 * log(2) + 3 / e + 5.0, 10.0)
    )


def test_an_unimportant_memory_falls_below_a_half_after_two_weeks() -> None:
    assert decompose(hits=0, importance=0, age_days=13.8).total > 0.5
    assert decompose(hits=0, importance=0, age_days=13.9).total < 0.5


def test_a_great_age_is_no_overflow() -> None:
    assert decompose(hits=0, importance=0, age_days=1e9).total == 0.0


@pytest.mark.parametrize(
    "last_seen_at, created_at, expected",
    [
        pytest.param(timedelta(days=2), timedelta(days=9), 2.0, id="last-seen-wins"),
        pytest.param(None, timedelta(hours=6), 0.25, id="never-seen-again"),
        pytest.param(timedelta(days=-1), timedelta(days=9), 0.0, id="the-future-is-now"),
    ],
)
def test_age_runs_from_the_last_sight(
    last_seen_at: timedelta | None, created_at: timedelta, expected: float
) -> None:
    seen = None if last_seen_at is None else utc_text(NOW - last_seen_at)
    assert age_in_days(seen, utc_text(NOW - created_at), now=NOW) == pytest.approx(expected)
