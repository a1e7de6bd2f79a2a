"""Patterns, open loops and signals: what is counted, resolved, and observed over time."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts import InputError, NotFoundError
from memory.conversations.turns.adding import add_turns
from memory.conversations.turns.values import NewTurn
from memory.records.open_loops import (
    Resolution,
    list_open_loops,
    resolve_open_loop,
    write_open_loop,
)
from memory.records.patterns import get_pattern, list_patterns, raised, write_pattern
from memory.records.signals import get_signal, list_signals, write_signal
from memory.retrieval.searching import search
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.records.stated import MOOD, NOW, PASSPORT, RUNS

LATER = NOW + timedelta(days=7)
KEYWORD = SearchOptions(mode="keyword")


def test_an_observation_raises_frequency_and_confidence(memory: Workspace) -> None:
    first = write_pattern(memory, RUNS)
    assert (first.frequency, first.confidence) == (1, 0.6)
    spelled = "runs around  the Reservoir on sundays."
    again = write_pattern(memory, replace(RUNS, description=spelled, now=LATER))
    assert (again.id, again.frequency, again.confidence) == (first.id, 2, 0.68)
    assert again.last_observed == "2050-03-11T10:00:00.000Z"
    past = replace(RUNS, observed_at="2050-01-01T08:00:00+01:00", confidence=0.9)
    third = write_pattern(memory, past)
    assert (third.frequency, third.confidence) == (3, 0.92)
    assert third.last_observed == again.last_observed
    other = write_pattern(memory, replace(RUNS, pattern_type="schedule"))
    assert other.id != first.id


@given(st.floats(0, 1), st.integers(1, 200))
def test_confidence_rises_and_stays_a_share(confidence: float, times: int) -> None:
    for _ in range(times):
        higher = raised(confidence)
        assert confidence - 1e-6 <= higher <= 1
        confidence = higher


def test_patterns_are_listed_by_confidence(memory: Workspace) -> None:
    for number, confidence in enumerate((0.3, 0.8, 0.5)):
        write_pattern(memory, replace(RUNS, description=f"Habit {number}", confidence=confidence))
    write_pattern(memory, replace(RUNS, pattern_type="schedule", confidence=0.1))
    assert [one.confidence for one in list_patterns(memory)] == [0.8, 0.5, 0.3, 0.1]
    assert [one.id for one in list_patterns(memory, pattern_type="schedule")] == [4]
    with pytest.raises(InputError, match="there is no pattern_type 'mood'"):
        list_patterns(memory, pattern_type="mood")
    with pytest.raises(NotFoundError, match="there is no pattern 9"):
        get_pattern(memory, 9)


def test_a_topic_is_counted_resolved_and_open_again(memory: Workspace) -> None:
    turn = add_turns(memory, [NewTurn("s1", "The passport came", ts=NOW.isoformat())])[0].turn.id
    first = write_open_loop(memory, PASSPORT)
    again = write_open_loop(memory, replace(PASSPORT, topic="renew THE passport!", priority=None))
    assert (again.id, again.mention_count, again.priority) == (first.id, 2, 4)
    assert again.first_mentioned == first.first_mentioned
    done = Resolution(evidence=[turn], note="It came by post", now=LATER)
    resolved = resolve_open_loop(memory, first.id, done)
    assert (resolved.resolved, resolved.resolved_at) == (1, "2050-03-11T10:00:00.000Z")
    assert [(each.turn_id, each.reason) for each in resolved.evidence] == [(turn, "resolution")]
    assert [hit.citation for hit in search(memory, "post", KEYWORD).results] == ["loop 1"]
    assert list_open_loops(memory) == []
    assert [loop.id for loop in list_open_loops(memory, resolved=True)] == [1]
    twice = resolve_open_loop(memory, first.id, Resolution())
    assert twice == resolved
    opened = write_open_loop(memory, replace(PASSPORT, priority=5, now=LATER))
    assert (opened.resolved, opened.resolved_at, opened.resolution) == (0, None, "")
    assert (opened.mention_count, opened.priority) == (3, 5)


def test_the_most_urgent_and_most_mentioned_loop_is_first(memory: Workspace) -> None:
    for topic, priority in (("a", 1), ("b", 3), ("c", 3), ("c", 3)):
        write_open_loop(memory, replace(PASSPORT, topic=topic, priority=priority))
    assert [loop.topic for loop in list_open_loops(memory)] == ["c", "b", "a"]


@pytest.mark.parametrize("priority", [-1, 6, 2.5, True])
def test_a_priority_is_0_to_5(memory: Workspace, priority: Any) -> None:
    with pytest.raises(InputError, match="the priority is"):
        write_open_loop(memory, replace(PASSPORT, priority=priority))


def test_an_unknown_loop_is_named(memory: Workspace) -> None:
    with pytest.raises(NotFoundError, match="there is no open loop 9"):
        resolve_open_loop(memory, 9, Resolution())


def test_signals_are_series_by_type(memory: Workspace) -> None:
    for day, kind in ((3, "mood"), (1, "Mood"), (2, "sleep")):
        at = (NOW + timedelta(days=day)).isoformat()
        write_signal(memory, replace(MOOD, signal_type=kind, value=f"day {day}", observed_at=at))
    series = list_signals(memory, signal_type="mood")
    assert [(one.signal_type, one.value) for one in series] == [
        ("mood", "day 1"),
        ("mood", "day 3"),
    ]
    assert [one.value for one in list_signals(memory, limit=2)] == ["day 2", "day 3"]
    some = list_signals(memory, since="2050-03-05", until="2050-03-06")
    assert [one.value for one in some] == ["day 1", "day 2"]
    with pytest.raises(InputError, match="the limit is 0"):
        list_signals(memory, limit=0)
    with pytest.raises(NotFoundError, match="there is no signal 9"):
        get_signal(memory, 9)


def test_the_same_observation_is_stored_once(memory: Workspace) -> None:
    assert write_signal(memory, MOOD).id == write_signal(memory, MOOD).id
    assert write_signal(memory, replace(MOOD, now=LATER)).id == 2


def test_lists_have_a_limit(memory: Workspace) -> None:
    for number in range(3):
        write_pattern(memory, replace(RUNS, description=f"Runs {number} miles"))
        write_open_loop(memory, replace(PASSPORT, topic=f"Call {number}", priority=number))
    assert [one.topic for one in list_open_loops(memory, limit=2)] == ["Call 2", "Call 1"]
    assert len(list_patterns(memory, limit=1)) == 1
    with pytest.raises(InputError, match="the limit is 0"):
        list_patterns(memory, limit=0)
