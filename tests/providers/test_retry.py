"""A service is asked again: seldom for a question, long for documents, never past the end."""

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from contracts import UnavailableError
from providers.remote.retry import (
    RETRY_LIMITS,
    Clock,
    RetryLimits,
    TransientError,
    retried,
    retry_after_s,
)

TODAY_S = 1_800_000_000.0  # 2027-01-15 08:00:00 UTC


@dataclass
class Hours:
    """A clock that only sleeping moves; chance always takes the largest number it may."""

    passed_s: float = 0.0
    slept: list[float] = field(default_factory=list)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.passed_s += seconds

    @property
    def clock(self) -> Clock:
        return Clock(
            now=lambda: self.passed_s,
            date=lambda: TODAY_S,
            sleep=self.sleep,
            uniform=lambda least, most: most,
        )


def failing(times: int, *, after_s: float | None = None) -> Callable[[float], str]:
    """A call that fails so many times; what it raises counts the failures."""
    failures = 0

    def call(left_s: float) -> str:
        nonlocal failures
        if failures >= times:
            return f"answer {failures}, {left_s:g} s left"
        failures += 1
        error = UnavailableError(f"failure {failures}", hint="wait")
        raise TransientError(error, after_s=after_s)

    return call


SOME = RetryLimits(calls=4, total_s=100, first_pause_s=1, longest_pause_s=3)


@pytest.mark.parametrize(
    "failures, pauses",
    [
        pytest.param(0, [], id="at once"),
        pytest.param(1, [1], id="one failure"),
        pytest.param(3, [1, 2, 3], id="pauses double up to the longest"),
    ],
)
def test_a_call_is_asked_again_after_a_growing_pause(failures: int, pauses: list[float]) -> None:
    hours = Hours()
    left_s = SOME.total_s - sum(pauses)
    answer = retried(failing(failures), SOME, clock=hours.clock)
    assert (answer, hours.slept) == (f"answer {failures}, {left_s:g} s left", pauses)


def test_the_last_failure_is_what_is_raised() -> None:
    hours = Hours()
    with pytest.raises(UnavailableError, match="failure 4") as caught:
        retried(failing(9), SOME, clock=hours.clock)
    assert len(hours.slept) == SOME.calls - 1
    assert caught.value.__context__ is None


def test_the_pauses_are_jittered_from_nothing_on() -> None:
    asked: list[tuple[float, float]] = []

    def uniform(least: float, most: float) -> float:
        asked.append((least, most))
        return least

    clock = Clock(now=lambda: 0.0, sleep=lambda seconds: None, uniform=uniform)
    retried(failing(3), SOME, clock=clock)
    assert asked == [(0, 1), (0, 2), (0, 3)]


def test_the_server_says_how_long_and_jitter_comes_on_top() -> None:
    hours = Hours()
    retried(failing(2, after_s=20), SOME, clock=hours.clock)
    assert hours.slept == [21, 22]


@pytest.mark.parametrize("after_s", [99.0, 1e6])
def test_a_pause_past_the_end_is_not_begun(after_s: float) -> None:
    hours = Hours()
    with pytest.raises(UnavailableError, match="failure 1"):
        retried(failing(1, after_s=after_s), SOME, clock=hours.clock)
    assert hours.slept == []


def test_the_sum_is_bounded() -> None:
    hours = Hours()
    many = RetryLimits(calls=1000, total_s=100, first_pause_s=1, longest_pause_s=30)
    with pytest.raises(UnavailableError, match="failure"):
        retried(failing(1000), many, clock=hours.clock)
    assert 60 < hours.passed_s < 100


def test_slow_calls_use_up_the_patience_too() -> None:
    hours = Hours()

    def call(left_s: float) -> None:
        hours.passed_s += left_s
        raise TransientError(UnavailableError("silence", hint="wait"))

    with pytest.raises(UnavailableError, match="silence"):
        retried(call, SOME, clock=hours.clock)
    assert (hours.passed_s, hours.slept) == (SOME.total_s, [])


def test_other_errors_pass_through() -> None:
    def call(left_s: float) -> None:
        raise UnavailableError("wrong key", hint="mend it")

    hours = Hours()
    with pytest.raises(UnavailableError, match="wrong key"):
        retried(call, SOME, clock=hours.clock)
    assert hours.slept == []


def test_a_question_waits_for_seconds_and_documents_for_minutes() -> None:
    question, documents = RETRY_LIMITS["query"], RETRY_LIMITS["document"]
    assert question.calls == 2
    assert question.total_s < 10 < 60 < documents.total_s
    hours = Hours()
    with pytest.raises(UnavailableError, match="failure 2"):
        retried(failing(9), question, clock=hours.clock)
    assert hours.passed_s <= 1


@pytest.mark.parametrize(
    "headers, seconds",
    [
        pytest.param({}, None, id="none"),
        pytest.param({"retry-after": "7"}, 7, id="seconds"),
        pytest.param({"retry-after": "0.5"}, 0.5, id="half a second"),
        pytest.param({"retry-after": "7", "retry-after-ms": "250"}, 0.25, id="milliseconds first"),
        pytest.param({"retry-after": "Fri, 15 Jan 2027 08:01:00 GMT"}, 60, id="date"),
        pytest.param({"retry-after": "Fri, 15 Jan 2027 08:01:00 -0000"}, 60, id="date, no zone"),
        pytest.param({"retry-after": "Fri, 15 Jan 2027 07:00:00 GMT"}, 0, id="date gone by"),
        pytest.param({"retry-after": "soon"}, None, id="word"),
        pytest.param({"retry-after": "-1"}, None, id="negative"),
        pytest.param({"retry-after": "nan"}, None, id="no number"),
        pytest.param({"retry-after": "inf"}, None, id="for ever"),
    ],
)
def test_the_header_is_read_in_all_its_forms(
    headers: dict[str, str], seconds: float | None
) -> None:
    assert retry_after_s(headers, clock=Hours().clock) == seconds
