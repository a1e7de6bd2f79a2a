"""A memory and its turn are one result; what is over is marked, and ranks below what is true."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from contracts import Scope
from ingest import Candidate
from memory.conversations.memories.editing import MemoryChange, edit_memory, remember
from memory.conversations.turns.adding import add_turns
from memory.conversations.turns.values import NewTurn, Turn
from memory.index.indexing import embed_missing
from memory.retrieval.searching import search
from memory.values.results import SearchResult, Superseded
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.conversations.memories.conversing import consolidate_turn
from tests.memory.databases import opened

MODES = ("hybrid", "keyword", "vector")


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with opened(tmp_path) as database:
        yield database


def say(workspace: Workspace, text: str, day: str, *facts: Any, **more: Any) -> Turn:
    """A turn of that day of 2026, and what is remembered of it: contents or candidates."""
    new = NewTurn("s1", text, ts=f"2026-{day}T10:00:00Z", auto_extract=False, **more)
    (added,) = add_turns(workspace, [new])
    found = [Candidate(fact) if isinstance(fact, str) else fact for fact in facts]
    consolidate_turn(workspace, added.turn, found, origin="rules")
    embed_missing(workspace)
    return added.turn


def found(workspace: Workspace, query: str, **options: Any) -> list[SearchResult]:
    return search(workspace, query, SearchOptions(min_score=0.0, **options)).results


def cited(hits: list[SearchResult]) -> list[str]:
    return [hit.citation for hit in hits]


@pytest.fixture
def moved(workspace: Workspace) -> Workspace:
    """One who has moved, and said other things."""
    tea = "User likes green tea"
    say(workspace, "I live in Antwerp, and I like green tea", "01-01", "User lives in Antwerp", tea)
    say(workspace, "how do I keep basil alive", "01-02")
    say(workspace, "my sister lives in Lyon", "01-03", "User's sister lives in Lyon")
    say(workspace, "We moved to Ghent, boxes everywhere", "02-01", "User moved to Ghent")
    return workspace


def test_a_memory_and_its_turn_are_one_result(workspace: Workspace) -> None:
    turn = say(workspace, "well, I play the cello in a quartet", "01-01", "User plays the cello")
    say(workspace, "the cello needs new strings", "01-02")

    hits = found(workspace, "cello")

    assert len(hits) == 2
    (pair,) = [hit for hit in hits if hit.also]
    both = {pair.citation, pair.also[0].citation}
    assert both == {"memory 1", f"session s1 turn {turn.id}, 2026-01-01"}
    assert {pair.text, pair.also[0].text} == {turn.text, "User plays the cello"}
    assert len(found(workspace, "cello", fold="none")) == 3
    assert len(found(workspace, "cello", max_results=2)) == 2


def test_all_memories_of_a_turn_are_one_result_with_it(workspace: Workspace) -> None:
    facts = ("User plays the cello", "User tunes the cello in fifths")
    turn = say(workspace, "I play the cello and tune the cello in fifths", "01-01", *facts)

    (hit,) = found(workspace, "cello")
    assert {part.citation for part in hit.also} | {hit.citation} == {
        "memory 1",
        "memory 2",
        f"session s1 turn {turn.id}, 2026-01-01",
    }
    memories = found(workspace, "cello", sources=["memory"])
    assert sorted(cited(memories)) == ["memory 1", "memory 2"]
    for one in memories:
        (source,) = one.also
        assert (source.source, source.chunk_id, source.text) == ("turn", None, None)
        assert source.citation == f"session s1 turn {turn.id}, 2026-01-01"
        assert (one.metadata["turn_id"], one.metadata["session_id"]) == (turn.id, "s1")


def test_the_subject_of_a_memory_is_no_word_to_search_for(workspace: Workspace) -> None:
    say(workspace, "I play the cello", "01-01", "User plays the cello")
    say(workspace, "my uncle is a user of trams", "01-02", "User's uncle rides trams")

    assert [hit.source for hit in found(workspace, "user", mode="keyword")] == ["turn"]
    assert [hit.text for hit in found(workspace, "uncle", mode="keyword", sources=["memory"])] == [
        "User's uncle rides trams"
    ]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("sources", [None, ["turn"], ["turn", "memory"]])
def test_the_present_home_comes_before_the_past_one(
    moved: Workspace, mode: Any, sources: list[str] | None
) -> None:
    hits = found(moved, "where do I live?", mode=mode, sources=sources)

    assert "Ghent" in hits[0].text
    texts = [hit.text for hit in hits]
    (past,) = [hit for hit in hits if "Antwerp" in hit.text]
    assert texts.index(past.text) > 0
    assert past.superseded == (
        Superseded(
            statement="User lives in Antwerp",
            slot="user/home",
            by="memory 4",
            date="2026-02-01",
            memory_id=4,
            now="User moved to Ghent",
        ),
    )
    assert past.superseded_by == "memory 4"
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_what_took_its_place_is_added_where_it_is_no_hit(moved: Workspace) -> None:
    (first, *_) = found(moved, "Antwerp live", mode="keyword", sources=["turn"], max_results=1)
    assert "Ghent" in first.text

    for scope in (
        Scope(sources=("turn",), until="2026-01-31"),
        Scope(sources=("turn",), session_id="s1", since="2026-01-01", until="2026-01-05"),
    ):
        hits = found(moved, "Antwerp live", mode="keyword", scope=scope)
        assert ["Ghent" in hit.text for hit in hits] == [False] * len(hits)
        assert "Antwerp" in hits[0].text
    assert "Antwerp" in found(moved, '"live in Antwerp"', sources=["turn"])[0].text


def test_a_turn_loses_only_what_is_over(moved: Workspace) -> None:
    (tea, *_) = found(moved, "green tea", sources=["turn"])

    assert tea.text == "I live in Antwerp, and I like green tea"
    assert [past.slot for past in tea.superseded] == ["user/home"]
    assert "Antwerp" in found(moved, "what green tea did I like", sources=["turn"])[0].text
    sister = found(moved, "where does my sister live", sources=["turn"])
    assert "Lyon" in sister[0].text
    assert sister[0].superseded == ()


def test_what_was_ended_or_taken_back_is_marked(workspace: Workspace) -> None:
    say(workspace, "I eat meat every day", "01-01", "User eats meat")
    ends = ("User eats meat",)
    say(workspace, "no more meat for me", "02-01", Candidate("User no longer eats meat", ends=ends))
    say(workspace, "I am the pope", "02-02", "User is the pope")
    joke = say(workspace, "just kidding", "02-03", Candidate("", ends=("User is the pope",)))

    meat = found(workspace, "do I eat meat", sources=["turn"])
    assert [hit.text for hit in meat][:2] == ["no more meat for me", "I eat meat every day"]
    assert (meat[1].superseded_by, meat[1].superseded[0].slot) == ("memory 2", None)
    (pope,) = [hit for hit in found(workspace, "pope") if "pope" in hit.text]
    assert pope.superseded == (
        Superseded(
            statement="User is the pope",
            slot=None,
            by=f"session s1 turn {joke.id}, 2026-02-03",
            date="2026-02-03",
        ),
    )


def test_what_is_true_again_or_told_in_more_detail_is_not_marked(workspace: Workspace) -> None:
    say(workspace, "I live in Berlin", "01-01", "User lives in Berlin")
    say(workspace, "I live in Oslo", "02-01", "User lives in Oslo")
    say(workspace, "back in Berlin, in Germany", "03-01", "User lives in Berlin, Germany")
    say(workspace, "I was in Rome, and live in Bern", "01-02", "User lives in Rome")

    hits = {hit.text: hit for hit in found(workspace, "Berlin Oslo Rome", sources=["turn"])}

    assert hits["I live in Berlin"].superseded == ()
    assert hits["back in Berlin, in Germany"].superseded == ()
    assert hits["I live in Oslo"].superseded_by == "memory 3"
    assert hits["I was in Rome, and live in Bern"].superseded_by == "memory 3"


def test_what_a_turn_corrects_itself_is_not_marked(workspace: Workspace) -> None:
    facts = ("User lives in Rome", "User lives in Bern")
    say(workspace, "I lived in Rome, and live in Bern now", "01-01", *facts)

    assert [hit.superseded for hit in found(workspace, "Rome", sources=["turn"])] == [()]


def test_what_a_person_archives_is_not_marked(workspace: Workspace) -> None:
    say(workspace, "I live in Rome", "01-01", "User lives in Rome")
    edit_memory(workspace, 1, MemoryChange(status="archived"))

    assert [hit.superseded for hit in found(workspace, "Rome", sources=["turn"])] == [()]
    remember(workspace, "User lives in Bern")
    edit_memory(workspace, 1, MemoryChange(status="active"))
    edit_memory(workspace, 2, MemoryChange(status="active"))
    (rome,) = found(workspace, "Rome", sources=["turn"])
    assert rome.superseded_by == "memory 2"
