"""Points in time as people type them."""

from datetime import UTC, datetime

import pytest

from cli.times import read_time
from contracts import InputError

NOW = datetime(2026, 3, 4, 12, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    "typed, start, end",
    [
        ("2026", "2026-01-01T00:00:00+00:00", "2026-12-31T23:59:59.999000+00:00"),
        ("2026-02", "2026-02-01T00:00:00+00:00", "2026-02-28T23:59:59.999000+00:00"),
        ("2024-2", "2024-02-01T00:00:00+00:00", "2024-02-29T23:59:59.999000+00:00"),
        ("2025-12", "2025-12-01T00:00:00+00:00", "2025-12-31T23:59:59.999000+00:00"),
        ("2026-03-04", "2026-03-04T00:00:00+00:00", "2026-03-04T23:59:59.999000+00:00"),
        ("9999", "9999-01-01T00:00:00+00:00", "9999-12-31T23:59:59.999000+00:00"),
        (" 2026-3-4 ", "2026-03-04T00:00:00+00:00", "2026-03-04T23:59:59.999000+00:00"),
    ],
    ids=str,
)
def test_a_period_has_a_beginning_and_an_end(typed: str, start: str, end: str) -> None:
    assert read_time(typed).isoformat() == start
    assert read_time(typed, end=True).isoformat() == end


@pytest.mark.parametrize(
    "typed, moment",
    [
        ("2026-03-04T10:00", "2026-03-04T10:00:00+00:00"),
        ("2026-03-04 10:00:01", "2026-03-04T10:00:01+00:00"),
        ("2026-03-04T10:00:00Z", "2026-03-04T10:00:00+00:00"),
        ("2026-03-04T10:00:00.250+02:00", "2026-03-04T08:00:00.250000+00:00"),
        ("90min", "2026-03-04T11:00:00+00:00"),
        ("12h", "2026-03-04T00:30:00+00:00"),
        ("7d", "2026-02-25T12:30:00+00:00"),
        ("2 W", "2026-02-18T12:30:00+00:00"),
        ("1y", "2025-03-04T12:30:00+00:00"),
    ],
    ids=str,
)
def test_a_moment_is_the_same_at_both_ends(typed: str, moment: str) -> None:
    assert read_time(typed, now=NOW).isoformat() == moment
    assert read_time(typed, end=True, now=NOW).isoformat() == moment


def test_an_age_counts_from_now() -> None:
    before = datetime.now(UTC)
    assert before <= read_time("0d") <= datetime.now(UTC)


@pytest.mark.parametrize(
    "typed",
    ["", "yesterday", "2026-13", "2026-02-30", "7", "7x", "-7d", "99999999d", "0000-01"],
)
def test_no_time(typed: str) -> None:
    with pytest.raises(InputError, match="is no time"):
        read_time(typed, end=True)
