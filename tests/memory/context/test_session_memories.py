"""The context of a session: its window, and the memories that matter now or for a question."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from contracts import InputError
from memory.config.sections.conversations import ShortTermConfig
from memory.context.building import build_context
from memory.context.request import MOST_K, ContextRequest
from memory.context.session_memories import HINTS
from memory.conversations.memories import ranking
from memory.conversations.memories.editing import remember
from memory.conversations.memories.gc import policy_of
from memory.conversations.memories.gc_policy import worth
from memory.conversations.memories.scoring import Weights
from memory.conversations.memories.values import Memory
from memory.conversations.turns.adding import add_turns
from memory.conversations.turns.values import NewTurn, Turn
from memory.storage import utc_text
from memory.workspace import Workspace
from tests.memory.conversations.memories.made import make, make_all, new, stored
from tests.memory.databases import opened


def said(turns: list[Turn]) -> list[str]:
    return [turn.text for turn in turns]


def contents(memories: list[Memory]) -> list[str]:
    return [memory.content for memory in memories]


def test_the_last_turns_of_the_session_in_their_order(tmp_path: Path) -> None:
    with opened(tmp_path, short_term=ShortTermConfig(size=3)) as workspace:
        turns = [
            NewTurn("s1", f"word {number}", ts=f"2026-03-0{number}") for number in (2, 5, 1, 4)
        ]
        add_turns(workspace, [*turns, NewTurn("s2", "elsewhere")])
        assert said(build_context(workspace, ContextRequest("s1")).short_term) == [
            "word 2",
            "word 4",
            "word 5",
        ]
        assert said(build_context(workspace, ContextRequest("s2")).short_term) == ["elsewhere"]
        assert said(build_context(workspace, ContextRequest("never begun")).short_term) == []


def test_what_came_before_the_retention_time_is_left_out(memory: Workspace) -> None:
    """However long ago it was said: a history that is imported now is there."""
    old = NewTurn("s1", "said in another year", ts="2019-05-01T10:00:00Z")
    add_turns(memory, [NewTurn("s1", "yesterday morning"), old])
    day_before = utc_text(datetime.now(UTC) - timedelta(hours=25))
    with memory.storage.database.transaction() as tx:
        tx.run("UPDATE turns SET recorded_at = :at WHERE ts > '2020'", {"at": day_before})
    assert said(build_context(memory, ContextRequest("s1")).short_term) == ["said in another year"]


def test_the_strongest_memories_by_what_they_are_worth_now(memory: Workspace) -> None:
    make(memory, "User likes tea", age_days=10)
    make(memory, "User is called Ada", importance=1, age_days=30)
    make(memory, "User owns a boat")
    make(memory, "User plays chess", hits=2, age_days=3)
    make(memory, "User had a cat", status="archived")
    make(memory, "User lives in Bergen", layer="long", hits=4)
    found = build_context(memory, ContextRequest("s1", k=3))
    assert contents(found.mid_term) == [
        "User is called Ada",
        "User plays chess",
        "User owns a boat",
    ]
    assert contents(found.long_term_hint) == ["User lives in Bergen"]
    policy = policy_of(memory)
    for one in found.mid_term:
        row = stored(memory, one.id)
        assert row is not None
        assert one.score == pytest.approx(worth(row, policy).total, abs=1e-6)


@pytest.mark.parametrize(
    "weights",
    [Weights(), Weights(frequency=0), Weights(importance=0), Weights(0, 0, 0), Weights(0.1, 9, 1)],
    ids=["usual", "hits do not count", "importance does not", "nothing does", "recency does"],
)
def test_the_ranking_is_that_of_all_memories(memory: Workspace, weights: Weights) -> None:
    """What rows say a memory was worth when they were written does not count."""
    kinds = [(number % 31, number % 4 * (number % 3), number % 5 == 0) for number in range(60)]
    made = make_all(
        memory,
        [
            new(f"User knows {number}", age_days=age, hits=hits, importance=int(important))
            for number, (age, hits, important) in enumerate(kinds)
        ],
    )
    policy = policy_of(memory)._replace(weights=weights)
    expected = sorted((worth(one, policy).total for one in made), reverse=True)
    for limit in (1, 5, 20, 70):
        found = ranking.strongest(memory, "mid", limit, policy=policy)
        assert [one.score for one in found] == pytest.approx(expected[:limit])
        assert [worth(one, policy).total for one in found] == [one.score for one in found]
        assert len({one.id for one in found}) == min(limit, 60)


@pytest.mark.sqlite_only(reason="reads SQLite's plan of a query")
def test_the_strongest_are_looked_up(memory: Workspace) -> None:
    values = {"layer": "mid", "importance": 0, "below": 9, "limit": 5}
    steps = memory.storage.database.read(f"EXPLAIN QUERY PLAN {ranking.first_sql()}", values)
    assert "USING INDEX memories_strength (layer=? AND importance=? AND hits<?)" in steps[0][-1]
    assert not [step for step in steps if "TEMP B-TREE" in step[-1]]


def test_a_query_gives_what_is_relevant_to_it(memory: Workspace) -> None:
    make(memory, "User is called Ada", importance=1)
    make(memory, "User drinks green tea in the morning")
    make(memory, "User grows tea in Assam", layer="long")
    make(memory, "User had tea with the queen", status="archived")
    found = build_context(memory, ContextRequest("s1", query="which tea do I drink in the morning"))
    assert contents(found.mid_term)[0] == "User drinks green tea in the morning"
    assert contents(found.long_term_hint) == ["User grows tea in Assam"]
    assert "User had tea with the queen" not in contents(found.mid_term)
    assert found.mid_term[0].score == pytest.approx(1.0, abs=0.01)


def test_many_long_term_memories_leave_room_for_the_others(memory: Workspace) -> None:
    for number in range(HINTS + 3):
        make(memory, f"User grows tea of kind {number}", layer="long")
    make(memory, "User drinks tea at work, where the kettle is old and nobody cleans it ever")
    found = build_context(memory, ContextRequest("s1", k=2, query="tea"))
    assert len(found.long_term_hint) == HINTS
    assert contents(found.mid_term) == [
        "User drinks tea at work, where the kettle is old and nobody cleans it ever"
    ]


def test_reading_strengthens_nothing(memory: Workspace) -> None:
    made = make(memory, "User likes tea", age_days=5)
    before = stored(memory, made)
    build_context(memory, ContextRequest("s1"))
    build_context(memory, ContextRequest("s1", query="tea"))
    assert stored(memory, made) == before


def test_hints_are_few(memory: Workspace) -> None:
    for number in range(HINTS + 2):
        make(memory, f"User knows {number}", layer="long")
    assert len(build_context(memory, ContextRequest("s1", k=1)).long_term_hint) == HINTS


@pytest.mark.parametrize("k", [0, -1, MOST_K + 1, True, 2.0, "3"])
def test_unusable_numbers(memory: Workspace, k: int) -> None:
    with pytest.raises(InputError, match="k is"):
        build_context(memory, ContextRequest("s1", k=k))


def test_a_query_without_words_is_none(memory: Workspace) -> None:
    make(memory, "User likes tea")
    assert contents(build_context(memory, ContextRequest("s1", query="  ")).mid_term) == [
        "User likes tea"
    ]


def test_a_session_without_a_name(memory: Workspace) -> None:
    with pytest.raises(InputError, match="session_id is ''"):
        build_context(memory, ContextRequest(""))


def test_sessions_may_be_called_by_numbers(memory: Workspace) -> None:
    add_turns(memory, [NewTurn(7, "seven")])
    assert said(build_context(memory, ContextRequest(7)).short_term) == ["seven"]


@pytest.mark.parametrize("query", [None, "password pump colour"])
def test_what_has_an_unwanted_tag_is_left_out(memory: Workspace, query: str | None) -> None:
    add_turns(memory, [NewTurn("s1", "my password is hunter2"), NewTurn("s1", "what a day")])
    remember(memory, "the pump's password is hunter2")
    remember(memory, "the colour of the pump is red")
    whole = build_context(memory, ContextRequest("s1", query=query, without_tags=()))
    assert (len(whole.short_term), len(whole.mid_term)) == (2, 2)

    found = build_context(memory, ContextRequest("s1", query=query))

    assert said(found.short_term) == ["what a day"]
    assert contents(found.mid_term) == ["the colour of the pump is red"]
