"""Every memory can say why it is there: its score, sources, rules, rivals and what befell it."""

from datetime import datetime, timedelta

import pytest

from contracts import NotFoundError
from memory.conversations.memories.editing import MemoryChange, edit_memory, remember
from memory.conversations.memories.why import MOST_SOURCES, why
from memory.storage import utc_text
from memory.workspace import Workspace
from tests.memory.conversations.memories.conversing import memory, said, told


def test_the_whole_story_of_a_memory(workspace: Workspace) -> None:
    berlin = said(workspace, "Hello! I live in Berlin. And you?", "2026-03-04T10:00:00Z")
    told(workspace, "User lives in Berlin", berlin, rule="home", start=7, end=24)
    again = said(workspace, "I live in Berlin, as I said", "2026-04-01T10:00:00Z")
    told(workspace, "User lives in Berlin", again, rule="home", importance=1)
    oslo = said(workspace, "We moved to Oslo", "2026-05-01T10:00:00Z")
    told(workspace, "User lives in Oslo", oslo, rule="moved")

    old, new = why(workspace, 1), why(workspace, 2)

    assert (old.hits, old.rules, old.memory.status) == (1, ["home"], "archived")
    assert [(one.turn_id, one.reason, one.quote) for one in old.sources] == [
        (berlin.id, "source", "I live in Berlin."),
        (again.id, "merge", again.text),
    ]
    assert old.sources[0].citation == f"session s1 turn {berlin.id}, 2026-03-04"
    assert old.sources[0].said_at == berlin.ts
    assert old.superseded_by is not None
    assert (old.superseded_by.id, old.superseded_by.content) == (2, "User lives in Oslo")
    assert [(one.id, one.status) for one in new.supersedes] == [(1, "archived")]
    assert [one.reason for one in new.sources] == ["conflict"]
    assert [(one.action, one.code) for one in old.last_actions] == [
        ("archived", "conflict"),
        ("merged", None),
        ("created", None),
    ]
    assert old.last_actions[0].numbers == {"by": 2, "turn": oslo.id}


def test_the_terms_add_up_to_the_score_of_now(workspace: Workspace) -> None:
    remember(workspace, "User swims", importance=1)
    remember(workspace, "User swims")
    kept = memory(workspace, 1)
    # As if it had last been seen twenty days ago.
    seen = utc_text(_time(kept.last_seen_at) - timedelta(days=20))
    with workspace.storage.database.transaction() as tx:
        tx.run("UPDATE memories SET last_seen_at = :seen", {"seen": seen})

    found = why(workspace, 1)

    score = found.score
    assert score.total == pytest.approx(score.frequency + score.recency + score.importance)
    assert (score.frequency, score.importance) == (pytest.approx(0.6931, abs=1e-4), 2.0)
    assert score.recency == pytest.approx(0.3679, abs=1e-3)  # exp(-.05 * 20)
    assert score.stored == kept.score > score.total
    assert found.age_days == pytest.approx(20, abs=0.01)


def _time(text: str | None) -> datetime:
    assert text is not None
    return datetime.fromisoformat(text)


def test_a_memory_by_hand_has_actions_and_no_sources(workspace: Workspace) -> None:
    remember(workspace, "User swims")
    edit_memory(workspace, 1, MemoryChange(content="User dives"))

    found = why(workspace, 1)

    assert (found.sources, found.rules, found.supersedes) == ([], [], [])
    assert [(one.actor, one.action) for one in found.last_actions] == [
        ("user", "edited"),
        ("user", "created"),
    ]


def test_many_and_long_sources_are_told_in_part(workspace: Workspace) -> None:
    for number in range(MOST_SOURCES + 2):
        turn = said(workspace, f"{number} I like tea. {'Really. ' * 100}")
        told(workspace, "User likes tea", turn)

    found = why(workspace, 1)

    assert (len(found.sources), found.sources_total) == (MOST_SOURCES, MOST_SOURCES + 2)
    assert found.sources[0].quote.startswith("0 I like tea.")
    assert found.sources[0].quote.endswith("…")
    assert len(found.last_actions) == 20


def test_an_unknown_memory(workspace: Workspace) -> None:
    with pytest.raises(NotFoundError, match="there is no memory 7"):
        why(workspace, 7)
