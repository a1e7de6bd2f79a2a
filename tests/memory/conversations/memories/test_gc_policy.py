"""What becomes of memories, case by case, and against a simpler way to decide it."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from math import exp, log
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.config.sections.conversations import MidConfig
from memory.conversations.memories.gc_policy import GcCandidate, GcDecision, Policy, decide
from memory.conversations.memories.scoring import Weights
from memory.storage import utc_text

NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)


def candidate(
    memory_id: int = 1,
    *,
    layer: str = "mid",
    status: str = "active",
    hits: int = 0,
    importance: int = 0,
    age_days: float = 0.0,
    tags: Sequence[str] = (),
) -> GcCandidate:
    seen = utc_text(NOW - timedelta(days=age_days))
    made = utc_text(NOW - timedelta(days=age_days + 100))
    return GcCandidate(memory_id, layer, status, hits, importance, seen, made, json.dumps(tags))


def policy(**mid: Any) -> Policy:
    return Policy(MidConfig(**mid), Weights(), NOW)


def decision(one: GcCandidate, **mid: Any) -> tuple[str, str]:
    (found,) = decide([one], policy(**mid))
    return found.outcome, found.reason


@pytest.mark.parametrize(
    "one, expected",
    [
        pytest.param(candidate(), ("kept", ""), id="new"),
        pytest.param(candidate(hits=3), ("promoted", "hits"), id="three-hits"),
        pytest.param(candidate(hits=2), ("kept", ""), id="two-hits"),
        pytest.param(candidate(hits=3, age_days=7), ("promoted", "hits"), id="within-a-week"),
        pytest.param(candidate(hits=3, age_days=7.1), ("kept", ""), id="a-week-is-over"),
        pytest.param(candidate(age_days=14), ("deleted", "score"), id="faded"),
        pytest.param(candidate(hits=1, age_days=29), ("kept", ""), id="a-hit-carries-on"),
        pytest.param(candidate(hits=1, age_days=31), ("deleted", "age"), id="not-seen-for-a-month"),
        pytest.param(candidate(importance=1, age_days=999), ("kept", ""), id="important"),
        pytest.param(candidate(tags=["place"], age_days=999), ("kept", ""), id="core-fact"),
        pytest.param(candidate(tags=["work", "pii"], age_days=99), ("kept", ""), id="core-tagged"),
        pytest.param(
            candidate(tags=["plan", "work"], age_days=99), ("deleted", "score"), id="plan"
        ),
        pytest.param(candidate(tags=["place"], hits=3), ("promoted", "hits"), id="core-promoted"),
        pytest.param(
            candidate(tags=["place"], status="deleted"), ("deleted", "status"), id="marked-core"
        ),
        pytest.param(candidate(layer="long", age_days=9999), ("kept", ""), id="long-stays"),
        pytest.param(candidate(layer="long", hits=9), ("kept", ""), id="long-is-not-promoted"),
        pytest.param(
            candidate(status="deleted", importance=1, hits=9), ("deleted", "status"), id="marked"
        ),
        pytest.param(
            candidate(layer="long", status="deleted"), ("deleted", "status"), id="marked-long"
        ),
    ],
)
def test_one_memory(one: GcCandidate, expected: tuple[str, str]) -> None:
    assert decision(one) == expected


def test_expired_memories_are_archived_where_that_is_configured() -> None:
    assert decision(candidate(age_days=40), on_expire="archive") == ("archived", "score")
    marked = candidate(status="deleted")
    assert decision(marked, on_expire="archive") == ("deleted", "status")


def test_archived_memories_are_passed_over() -> None:
    assert decide([candidate(status="archived")], policy()) == []


def test_capacity_takes_the_lowest_scores_first() -> None:
    memories = [
        candidate(1, age_days=3),
        candidate(2, hits=2, age_days=9),
        candidate(3, age_days=1),
        candidate(4, hits=3),
        candidate(5, layer="long"),
        candidate(6, age_days=20),
    ]
    found = {
        one.candidate.id: (one.outcome, one.reason) for one in decide(memories, policy(capacity=1))
    }
    assert found == {
        1: ("deleted", "capacity"),
        2: ("kept", ""),
        3: ("deleted", "capacity"),
        4: ("promoted", "hits"),
        5: ("kept", ""),
        6: ("deleted", "score"),
    }


def test_lasting_memories_take_no_room_from_the_others() -> None:
    lasting = [candidate(number, importance=1, age_days=number) for number in (1, 2)]
    lasting += [candidate(3, tags=["relation"], age_days=3)]
    fading = [candidate(4, age_days=4), candidate(5, age_days=5)]
    outcomes = [one.outcome for one in decide([*lasting, *fading], policy(capacity=1))]
    assert outcomes == ["kept", "kept", "kept", "kept", "deleted"]


def test_of_equal_scores_the_longest_unseen_goes_first() -> None:
    equal = Policy(MidConfig(capacity=1, delete_below=0.0), Weights(recency=0.0), NOW)
    memories = [candidate(number, age_days=age) for number, age in ((1, 5), (2, 8), (3, 2))]
    kept = [one.candidate.id for one in decide(memories, equal) if one.outcome == "kept"]
    assert kept == [3]


def expected_ids(memories: list[GcCandidate], mid: MidConfig) -> dict[str, set[int]]:
    """The design's four steps, one after the other over sets of ids."""
    age = {
        one.id: (NOW - datetime.fromisoformat(one.last_seen_at or "")).total_seconds() / 86_400
        for one in memories
    }
    score = {
        one.id: log(1 + one.hits) + exp(-0.05 * age[one.id]) + 2 * one.importance
        for one in memories
    }
    active = [one for one in memories if one.status == "active"]
    promoted = {
        one.id
        for one in active
        if one.layer == "mid" and one.hits >= mid.promote_hits
        if age[one.id] <= mid.promote_within_days
    }
    left = {one.id for one in active if one.layer == "mid" and not one.importance} - promoted
    expired = {
        number
        for number in left
        if score[number] < mid.delete_below or age[number] > mid.demote_age_days
    }
    by_score = sorted(left - expired, key=lambda number: (score[number], -age[number], number))
    beyond = set(by_score[: max(0, len(by_score) - mid.capacity)])
    marked = {one.id for one in memories if one.status == "deleted"}
    return {"promoted": promoted, "removed": expired | beyond | marked}


@given(
    rows=st.lists(
        st.tuples(
            st.sampled_from(["mid", "long"]),
            st.sampled_from(["active", "active", "active", "archived", "deleted"]),
            st.integers(0, 5),
            st.integers(0, 1),
            st.integers(0, 40),
        ),
        max_size=30,
    ),
    capacity=st.integers(1, 8),
)
def test_decisions_are_those_of_the_four_steps(
    rows: list[tuple[str, str, int, int, int]], capacity: int
) -> None:
    memories = [
        candidate(number, layer=layer, status=status, hits=hits, importance=important, age_days=age)
        for number, (layer, status, hits, important, age) in enumerate(rows)
    ]
    mid = MidConfig(capacity=capacity)
    decisions = decide(memories, Policy(mid, Weights(), NOW))
    expected = expected_ids(memories, mid)
    assert _ids(decisions, "promoted") == expected["promoted"]
    assert _ids(decisions, "deleted", "archived") == expected["removed"]
    assert [one.candidate for one in decisions] == [
        one for one in memories if one.status != "archived"
    ]


def _ids(decisions: list[GcDecision], *outcomes: str) -> set[int]:
    return {one.candidate.id for one in decisions if one.outcome in outcomes}
