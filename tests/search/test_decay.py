from datetime import UTC, datetime

import pytest

from contracts import InputError
from search import DECAYING_SOURCES, SOURCE_NAMES, TimeDecay, time_weight
from search.ranking.decay import age_days

NOW = datetime(2026, 3, 31, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    "age,weight",
    [(0, 1.0), (7, 0.8955), (30, 0.65), (60, 0.475), (90, 0.3875), (365, 0.3002), (-5, 1.0)],
    ids=["now", "week", "half-life", "two", "three", "year", "future"],
)
def test_the_published_curve(age, weight):
    assert time_weight(age) == pytest.approx(weight, abs=5e-5)


def test_half_life_and_floor_are_honoured():
    assert time_weight(10, half_life_days=10, alpha=0) == pytest.approx(0.5)
    assert time_weight(10, half_life_days=10, alpha=1) == 1


@pytest.mark.parametrize(
    "written,age",
    [
        ("2026-03-30T12:00:00Z", 1.0),
        ("2026-03-30T12:00:00.000000+00:00", 1.0),
        ("2026-03-30T12:00:00", 1.0),
        ("2026-03-30T14:00:00+02:00", 1.0),
        ("2026-03-31", 0.5),
        ("2026-04-01T12:00:00Z", -1.0),
        ("yesterday", None),
        ("", None),
    ],
)
def test_age_of_a_written_time(written, age):
    assert age_days(written, NOW) == age
    assert age_days(written, NOW.replace(tzinfo=None)) == age


def test_only_conversational_sources_fade_unless_configured():
    decay = TimeDecay()
    assert {name for name in SOURCE_NAMES if decay.applies_to(name)} == set(DECAYING_SOURCES)
    assert TimeDecay(sources=("file",)).applies_to("file")
    assert not TimeDecay(enabled=False).applies_to("turn")


def test_factor_uses_its_settings_and_ignores_what_is_no_time():
    decay = TimeDecay(half_life_days=1, alpha=0.5)
    assert decay.factor("2026-03-30T12:00:00Z", NOW) == pytest.approx(0.75)
    assert decay.factor("long ago", NOW) == 1


@pytest.mark.parametrize("days", [0, -1, float("inf"), float("nan"), None, "30", True, 10**400])
def test_a_half_life_that_is_none(days):
    with pytest.raises(InputError, match="half-life of the time decay is"):
        TimeDecay(half_life_days=days)


@pytest.mark.parametrize("alpha", [-0.1, 1.1, float("nan"), None, True])
def test_a_floor_outside_its_range(alpha):
    with pytest.raises(InputError, match=r"floor \(alpha\)"):
        TimeDecay(alpha=alpha)


@pytest.mark.parametrize("settings", [{"enabled": "no"}, {"sources": "turn"}, {"sources": None}])
def test_settings_of_another_kind(settings):
    with pytest.raises(InputError, match=r"time decay (is enabled )?(is|are) ('no'|'turn'|None)"):
        TimeDecay(**settings)
