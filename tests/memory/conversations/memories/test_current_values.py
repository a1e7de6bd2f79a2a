"""A records fact and a memory of one slot show one current value, wherever they are shown."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from ingest import Candidate, slot_of
from memory.context.building import build_context
from memory.context.request import ContextRequest
from memory.conversations.memories.editing import MemoryChange, edit_memory, remember
from memory.conversations.memories.listing import list_memories
from memory.conversations.memories.slots.fact_keys import FACT_KEYS, keys_of_slot, slot_of_key
from memory.conversations.memories.why import Why
from memory.conversations.turns.adding import add_turns
from memory.conversations.turns.showing import TurnContent
from memory.conversations.turns.values import NewTurn, Turn
from memory.episodes.triples.values import TripleContent
from memory.index.indexing import embed_missing
from memory.operations.forget.removal import forget
from memory.operations.forget.values import ForgetRequest
from memory.operations.manage import get_record, show
from memory.records.facts import NewFact, list_facts, read_fact, write_fact
from memory.records.topics import read_topic
from memory.records.values import WrittenFact
from memory.retrieval.searching import search
from memory.values.record_kinds import RecordName
from memory.values.results import SearchResult
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.conversations.memories.conversing import consolidate_turn
from tests.memory.databases import opened
from tests.memory.episodes.facts import learn, tell

HOME = "fact identity/home_city"
NOW = datetime.now(UTC)
VALUES = {
    "user/age": "34",
    "user/birthday": "3 March 1990",
    "user/children": "two",
    "user/diet": "vegetarian",
    "user/e-mail": "ana@example.org",
    "user/relationship": "married",
    "user/year of birth": "1990",
}
"""A value of each slot that takes no name; others take one."""


def day(ago: float) -> datetime:
    return NOW - timedelta(days=ago)


def said(
    workspace: Workspace, text: str, *facts: str, ago: float = 1, certain: bool = True
) -> Turn:
    """A turn of that many days ago, and what is remembered of it."""
    new = NewTurn("s1", text, ts=day(ago).isoformat(), auto_extract=False)
    (added,) = add_turns(workspace, [new])
    found = [Candidate(fact, certain=certain) for fact in facts]
    consolidate_turn(workspace, added.turn, found, origin="rules")
    embed_missing(workspace)
    return added.turn


def stated(
    workspace: Workspace, value: str, *, key: str = "home_city", ago: float = 1, **more: Any
) -> WrittenFact:
    return write_fact(
        workspace, NewFact(category="identity", key=key, value=value, now=day(ago), **more)
    )


def found(
    workspace: Workspace, query: str = "in which home city do I live", **more: Any
) -> list[SearchResult]:
    return search(workspace, query, SearchOptions(min_score=0.0, **more)).results


def over(workspace: Workspace) -> dict[str, str | None]:
    """What each hit names as current in its place."""
    return {hit.citation: hit.superseded_by for hit in found(workspace, fold="none")}


def home(workspace: Workspace) -> str:
    """The state of the fact, by its hooks, its reader and its list, which are to agree."""
    (listed,) = [one for one in list_facts(workspace, archived=True) if one.key == "home_city"]
    assert listed == read_fact(workspace, "identity/home_city")
    state = get_record(workspace, f"fact:{listed.id}").state
    assert state == {"current": "indexed"}.get(listed.state, listed.state)
    assert (listed.superseded is not None) == (listed.state == "superseded")
    return listed.state


def test_every_slot_of_the_table_is_one_of_memories() -> None:
    for each in FACT_KEYS:
        held = slot_of(each.sentence.replace("{}", VALUES.get(each.slot, "Leiden")))
        assert held is not None
        assert held.name == each.slot
        assert keys_of_slot(each.slot) is not None
        assert {slot_of_key(category, each.keys[0]) for category in ("user", *each.categories)} == {
            each.slot
        }


@pytest.mark.parametrize(
    "category, key, slot",
    [
        ("preference", "favorite_color", "user/favourite/colour"),
        ("profile", "favourite_tea", "user/favourite/tea"),
        ("work", "employer", "user/job/employer"),
        ("work", "city", None),
        ("sister", "home_city", None),
        ("preference", "coffee_order", None),
        ("preference", "favourite_", None),
    ],
)
def test_few_names_of_facts_have_a_counterpart(category: str, key: str, slot: str | None) -> None:
    assert slot_of_key(category, key) == slot
    assert slot is None or key in (keys_of_slot(slot) or FACT_KEYS[0]).keys


def test_a_later_fact_replaces_a_memory_everywhere(memory: Workspace) -> None:
    turn = said(memory, "I live in Utrecht, near the canal", "User lives in Utrecht", ago=9)
    said(memory, "I play the cello", "User plays the cello", ago=8)
    stated(memory, "Leiden")

    first, second, *_ = found(memory, fold="none", sources=["memory", "fact"])
    assert (first.citation, first.superseded) == (HOME, ())
    (past,) = second.superseded
    assert (second.citation, past.statement) == ("memory 1", "User lives in Utrecht")
    assert (past.by, past.now, past.date) == (HOME, "Leiden", day(1).isoformat()[:10])
    assert (past.slot, past.memory_id, second.superseded_by) == ("user/home", None, HOME)
    assert over(memory)[f"session s1 turn {turn.id}, {turn.ts[:10]}"] == HOME
    assert home(memory) == "current"
    why, spoken = show(memory, "memory 1"), show(memory, f"turn {turn.id}")
    assert isinstance(why, Why)
    assert why.memory.superseded == past
    assert isinstance(spoken, TurnContent)
    assert spoken.superseded == [past]
    assert get_record(memory, "memory:1").state == "superseded"
    assert [one.superseded for one in list_memories(memory).memories] == [None, past]


def test_a_later_memory_replaces_a_fact_everywhere(memory: Workspace) -> None:
    evidence = said(memory, "Leiden is the home city, since last year", ago=9)
    stated(memory, "Leiden", evidence=[evidence.id])
    said(memory, "We moved to Utrecht", "User lives in Utrecht", ago=2)

    hits = over(memory)
    assert list(hits).index("memory 1") < list(hits).index(HOME)
    assert (hits[HOME], hits["memory 1"]) == ("memory 1", None)
    assert hits[f"session s1 turn {evidence.id}, {evidence.ts[:10]}"] == "memory 1"
    assert home(memory) == "superseded"
    topic = read_topic(memory, "home city")
    assert [(one.citation, one.superseded_by) for one in topic.results] == [(HOME, "memory 1")]
    assert topic.facts[0].superseded == read_fact(memory, "identity/home_city").superseded


def test_the_asked_value_is_added_where_no_hit_has_it(memory: Workspace) -> None:
    said(memory, "I live in Utrecht", "User lives in Utrecht", ago=9)
    stated(memory, "Leiden")
    hits = found(memory, sources=["memory", "turn"], mode="keyword")
    assert HOME not in [hit.citation for hit in hits]  # facts were not asked for
    hits = found(memory, "do I live in Utrecht", mode="keyword")
    assert hits[0].citation == HOME


def test_the_same_value_is_one_fact(memory: Workspace) -> None:
    said(memory, "I live in Leiden", "User lives in Leiden", ago=9)
    stated(memory, "Leiden, the Netherlands")
    assert home(memory) == "current"
    assert set(over(memory).values()) == {None}


@pytest.mark.parametrize("value", ["near the river", "with two cats"])
def test_a_value_that_fills_no_slot_replaces_nothing(memory: Workspace, value: str) -> None:
    said(memory, "I live in Leiden", "User lives in Leiden", ago=9)
    stated(memory, value, key="home")
    assert set(over(memory).values()) == {None}


def test_two_facts_of_one_slot_have_one_current_value(memory: Workspace) -> None:
    stated(memory, "Leiden", ago=5)
    stated(memory, "I live in Utrecht", key="city", ago=2)
    assert home(memory) == "superseded"
    assert over(memory) == {"fact identity/city": None, HOME: "fact identity/city"}


def test_an_uncertain_memory_replaces_no_fact(memory: Workspace) -> None:
    stated(memory, "Leiden", ago=9)
    said(memory, "the commute here in Utrecht", "User lives in Utrecht", ago=1, certain=False)
    assert home(memory) == "current"
    assert over(memory)["memory 1"] == HOME


def test_distillation_replaces_nothing_that_the_person_wrote(memory: Workspace) -> None:
    remember(memory, "User lives in Utrecht", metadata={"timestamp": day(9).isoformat()})
    made = stated(memory, "Leiden", source="distillation")
    assert made.state == "superseded"
    stated(memory, "Leiden", source="api", ago=0.5)
    assert home(memory) == "current"


def test_a_fact_by_others_is_as_old_as_its_evidence(memory: Workspace) -> None:
    turn = said(memory, "Leiden is where we live", ago=9)
    said(memory, "I live in Utrecht", "User lives in Utrecht", ago=5)
    stated(memory, "Leiden", evidence=[turn.id])
    assert home(memory) == "superseded"
    stated(memory, "Leiden", source="user", ago=0.5)
    assert home(memory) == "current"


def test_a_turn_is_told_once_that_a_value_is_over(memory: Workspace) -> None:
    turn = said(memory, "I live in Leiden", "User lives in Leiden", ago=9)
    stated(memory, "Leiden", evidence=[turn.id], source="distillation", ago=9)
    said(memory, "I live in Utrecht", "User lives in Utrecht", ago=5)
    hits = {hit.citation: hit for hit in found(memory, fold="none")}
    of_turn = hits[f"session s1 turn {turn.id}, {turn.ts[:10]}"]
    assert [one.statement for one in of_turn.superseded] == ["User lives in Leiden"]


def test_a_home_that_was_said_before_the_present_one_stays_marked(memory: Workspace) -> None:
    first = said(memory, "I live in Leiden", "User lives in Leiden", ago=9)
    second = said(memory, "I live in Utrecht", "User lives in Utrecht", ago=8)
    third = said(memory, "I live in Ghent", "User lives in Ghent", ago=7)
    stated(memory, "Leiden")
    hits = over(memory)
    marks = [hits[f"session s1 turn {one.id}, {one.ts[:10]}"] for one in (first, second, third)]
    assert marks == [None, HOME, HOME]


def test_what_is_forgotten_leaves_the_other_current(memory: Workspace) -> None:
    said(memory, "I live in Utrecht", "User lives in Utrecht", ago=9)
    stated(memory, "Leiden", ago=5)
    said(memory, "I live in Ghent", "User lives in Ghent", ago=2)
    assert home(memory) == "superseded"
    forget(memory, ForgetRequest(memory_ids=(2,)))
    assert home(memory) == "current"
    edit_memory(memory, 1, MemoryChange(status="active"))
    assert over(memory)["memory 1"] == HOME
    forget(memory, ForgetRequest(records=(RecordName("fact", "identity/home_city"),)))
    assert over(memory)["memory 1"] is None


@pytest.mark.parametrize("how", ["expired", "archived"])
def test_a_fact_that_is_over_leaves_the_memory_current(memory: Workspace, how: str) -> None:
    said(memory, "I live in Utrecht", "User lives in Utrecht", ago=400)
    more: dict[str, Any] = {"expires_at": day(1).isoformat()} if how == "expired" else {"ago": 300}
    stated(memory, "Leiden", **more)
    assert home(memory) == how
    assert over(memory)["memory 1"] is None


def test_an_ended_memory_leaves_the_fact_current(memory: Workspace) -> None:
    stated(memory, "Leiden", ago=9)
    said(memory, "I live in Ghent", "User lives in Ghent", ago=8)
    assert home(memory) == "superseded"
    said(memory, "I no longer live in Ghent", "User no longer lives in Ghent", ago=2)
    assert home(memory) == "current"
    said(memory, "I no longer live in Leiden", "User no longer lives in Leiden", ago=1)
    assert home(memory) == "superseded"
    assert over(memory)[HOME] == "memory 3"


def test_a_context_states_the_current_value(memory: Workspace) -> None:
    remember(memory, "User lives in Utrecht", metadata={"timestamp": day(9).isoformat()})
    stated(memory, "Leiden", source="user")
    context = build_context(memory, ContextRequest("s2", "where do I live?"))
    assert context.mid_term == []
    assert [(one.citation, one.text) for one in context.parts if one.kind == "fact"] == [
        (HOME, "home city: Leiden")
    ]
    assert "Utrecht" not in context.markdown


def test_a_triple_is_what_its_memory_is(memory: Workspace) -> None:
    tell(memory, "I live in Berlin, not far from the old harbour.")
    learn(memory)
    stated(memory, "Leiden")
    triple = show(memory, "triple 1")
    assert isinstance(triple, TripleContent)
    assert (triple.state, triple.superseded and triple.superseded.by) == ("superseded", HOME)
    assert get_record(memory, "triple:1").state == "superseded"
    first, second = found(memory, sources=["fact", "triple"])
    assert (first.citation, second.superseded_by) == (HOME, HOME)
    asked = ContextRequest("s2", "where do I live?", include=["triples"])
    assert all(part.kind != "triple" for part in build_context(memory, asked).parts)


def test_a_database_that_only_has_facts(tmp_path: Any) -> None:
    with opened(tmp_path) as memory:
        stated(memory, "Leiden")
        (hit,) = found(memory)
        assert (hit.citation, hit.superseded) == (HOME, ())
