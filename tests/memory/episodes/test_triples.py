"""Facts: made of memories of important episodes, and what their memories are at any time."""

from pathlib import Path
from threading import Event

import pytest

from contracts import InputError, NotFoundError
from memory.config.sections.conversations import SemanticConfig
from memory.conversations.lifecycle import collect_garbage
from memory.conversations.memories.editing import MemoryChange, edit_memory
from memory.episodes.forming import form_episodes
from memory.episodes.reinforcement import note_used
from memory.episodes.triples.extraction import ExtractionReport, extract_facts, is_due
from memory.episodes.triples.values import TripleContent
from memory.operations.doctor import checkup
from memory.operations.jobs.registry import SEMANTIC, open_work
from memory.operations.jobs.running import run_work
from memory.operations.manage import get_record, list_records, show, update_record
from memory.retrieval.searching import search
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.children import go_on, kill, lines, start
from tests.memory.databases import opened
from tests.memory.episodes.facts import (
    HERS,
    HOME,
    MOVED,
    SISTER,
    WORK,
    facts,
    learn,
    tell,
    triples,
)

IN_TRIPLES = SearchOptions(mode="keyword", sources=["triple"])


def found(memory: Workspace, words: str) -> list[str]:
    return [hit.text for hit in search(memory, words, IN_TRIPLES).results]


def test_memories_of_an_episode_become_facts(memory: Workspace) -> None:
    tell(memory, HOME, WORK)
    assert not is_due(memory)
    learn(memory)
    assert facts(memory) == {
        "User lives in Berlin": "current",
        "User works at Bosch": "current",
    }
    (home, _) = triples(memory)
    assert (home.entity, home.relation, home.target) == ("User", "lives in", "Berlin")
    assert home.source_episodic_ids == (1,)
    assert home.confidence == SemanticConfig().rule_confidence
    assert (home.access_count, home.last_accessed_at) == (0, home.occurred_at)
    assert not is_due(memory)
    assert extract_facts(memory) == ExtractionReport(0, 2, 2)
    assert checkup(memory).problems == []


def test_an_episode_of_little_importance_has_none(tmp_path: Path) -> None:
    with opened(tmp_path, semantic=SemanticConfig(min_importance=0.9)) as memory:
        tell(memory, HOME, WORK)
        learn(memory)
        assert facts(memory) == {}
        assert not is_due(memory)


def test_no_job_makes_facts_where_none_are_wanted(tmp_path: Path) -> None:
    with opened(tmp_path, semantic=SemanticConfig(enabled=False)) as memory:
        tell(memory, HOME, WORK)
        form_episodes(memory)
        assert not open_work(SEMANTIC, memory).is_due()


def test_the_job_reads_what_waits(memory: Workspace) -> None:
    tell(memory, HOME, WORK)
    work = open_work(SEMANTIC, memory)
    assert not work.is_due()
    form_episodes(memory)
    assert work.is_due()
    assert run_work(work, Event()).message == "episodes read: 1, facts: 2, current: 2"
    assert not work.is_due()


def test_it_is_found_on_request_alone_and_shown(memory: Workspace) -> None:
    tell(memory, HOME, WORK)
    learn(memory)
    assert found(memory, "Berlin") == ["User lives in Berlin"]
    assert found(memory, "where do I live, which city") == ["User lives in Berlin"]
    assert "triple" not in {hit.source for hit in search(memory, "Berlin").results}
    (hit,) = search(memory, "Berlin", IN_TRIPLES).results
    assert (hit.citation, hit.metadata["target"]) == ("triple 1", "Berlin")
    content = show(memory, "triple 1")
    assert isinstance(content, TripleContent)
    assert (content.text, content.state) == ("User lives in Berlin", "current")
    assert [one.citation for one in content.memories] == ["memory 1"]
    assert content.episodes == ["episode 1"]
    with pytest.raises(NotFoundError, match="there is no triple 9"):
        show(memory, "triple 9")


def test_a_repeated_fact_is_one_that_is_surer(memory: Workspace) -> None:
    tell(memory, HOME, WORK)
    tell(memory, "I live in Berlin and that will stay so.", WORK, day=3, session="s2")
    learn(memory)
    home = triples(memory)[0]
    assert home.source_episodic_ids == (1, 2)
    assert home.confidence == pytest.approx(0.99)
    assert len(triples(memory)) == 2


def test_a_fact_follows_its_memory(memory: Workspace) -> None:
    tell(memory, HOME, WORK)
    learn(memory)
    tell(memory, MOVED, WORK, day=9)
    assert facts(memory)["User lives in Berlin"] == "superseded"
    assert found(memory, "Berlin") == []
    learn(memory)
    assert facts(memory)["User lives in Madrid"] == "current"
    tell(memory, "I no longer work at Bosch.", day=10)
    assert facts(memory)["User works at Bosch"] in ("superseded", "ended")
    edit_memory(memory, 1, MemoryChange(status="deleted"))
    assert "User lives in Berlin" not in facts(memory)
    assert checkup(memory).problems == []


def test_a_fact_of_an_episode_of_before_is_there_in_whatever_order(memory: Workspace) -> None:
    """The episodes are formed when the old statement is over already."""
    tell(memory, HOME, "The train was late again this morning.")
    tell(memory, MOVED, "It has been raining since Tuesday.", day=9)
    learn(memory)
    assert facts(memory) == {
        "User lives in Berlin": "superseded",
        "User lives in Madrid": "current",
    }


def test_a_fact_of_an_edited_memory_is_the_new_one(memory: Workspace) -> None:
    tell(memory, HOME, WORK)
    learn(memory)
    edit_memory(memory, 1, MemoryChange(content="User lives in Bergen"))
    assert "User lives in Berlin" not in facts(memory)
    assert found(memory, "Berlin") == []
    assert facts(memory)["User lives in Bergen"] == "current"
    assert [one.confidence for one in triples(memory) if one.target == "Bergen"] == [0.99]


def test_a_restored_memory_is_a_fact_again(memory: Workspace) -> None:
    tell(memory, HOME, WORK)
    learn(memory)
    for status in ("archived", "deleted"):
        edit_memory(memory, 1, MemoryChange(status=status))
        assert found(memory, "Berlin") == []
        edit_memory(memory, 1, MemoryChange(status="active"))
        learn(memory)
        assert found(memory, "Berlin") == ["User lives in Berlin"]


def test_garbage_collection_takes_facts_along(memory: Workspace) -> None:
    tell(memory, "I like sushi a lot.", "I love jazz music.", WORK, day=-400)
    learn(memory)
    assert len(facts(memory)) == 3
    with memory.storage.database.transaction() as tx:
        tx.run("UPDATE memories SET created_at = '2020-01-01T00:00:00.000Z', last_seen_at = NULL")
    collect_garbage(memory)
    ((left,),) = memory.storage.database.read("SELECT count(*) FROM memories")
    assert len(facts(memory)) == left < 3
    assert checkup(memory).problems == []


def test_a_role_is_resolved_where_one_memory_names_it(memory: Workspace) -> None:
    tell(memory, HERS, HOME)
    learn(memory)
    assert "User's sister lives in Oslo" in facts(memory)
    tell(memory, SISTER, HOME, day=2)
    assert "Ida lives in Oslo" in facts(memory)
    learn(memory)
    assert facts(memory)["User has sister Ida"] == "current"
    assert found(memory, "Ida Oslo")[0] == "Ida lives in Oslo"
    assert checkup(memory).problems == []


@pytest.mark.parametrize(
    "doubt",
    ["My sister is named Eva, you know.", "I have two sisters.", "My dog is named Ida."],
    ids=["two names", "several", "the name of another"],
)
def test_a_role_is_not_resolved_in_doubt(memory: Workspace, doubt: str) -> None:
    tell(memory, HERS, SISTER, HOME)
    learn(memory)
    assert "Ida lives in Oslo" in facts(memory)
    tell(memory, doubt, day=3)
    assert "Ida lives in Oslo" not in facts(memory)
    assert "User's sister lives in Oslo" in facts(memory)


def test_use_reinforces_a_fact_once_a_day(memory: Workspace) -> None:
    tell(memory, HOME, WORK)
    learn(memory)
    before = triples(memory)[0]
    assert note_used(memory, ["memory 1"]).reinforced == ["triple 1"]
    assert note_used(memory, ["triple 1"]).already == ["triple 1"]
    after = triples(memory)[0]
    assert (after.access_count, after.retrievability) == (1, 1.0)
    assert after.stability > before.stability
    assert after.last_accessed_at > before.last_accessed_at
    search(memory, "Berlin", IN_TRIPLES)
    show(memory, "triple 1")
    assert triples(memory)[0] == after


def test_it_is_managed_by_its_memory(memory: Workspace) -> None:
    tell(memory, HOME, WORK)
    learn(memory)
    page = list_records(memory, source="triple")
    assert [(record.id, record.state) for record in page.records] == [
        ("triple:2", "indexed"),
        ("triple:1", "indexed"),
    ]
    assert get_record(memory, "triple:1").metadata["target"] == "Berlin"
    with pytest.raises(InputError, match="triple 1 says what memory 1 says"):
        update_record(memory, "triple:1", tags=["home"])


def test_the_doctor_makes_it_findable_again(memory: Workspace) -> None:
    tell(memory, HOME, WORK)
    learn(memory)
    with memory.storage.database.transaction() as tx:
        tx.run("DELETE FROM chunks WHERE source = 'triple' AND owner_id = '1'")
    (problem,) = checkup(memory).problems
    assert problem.fact == "triples that no search finds: 1 (1)"
    assert checkup(memory, fix=True).healthy
    assert found(memory, "Berlin") == ["User lives in Berlin"]


@pytest.mark.slow
def test_a_killed_run_has_lost_and_doubled_nothing(memory: Workspace, tmp_path: Path) -> None:
    """Killed at each of its transactions, by processes that go a step further each."""
    for day in range(4):
        liking = f"I like {('jazz', 'sushi', 'opera', 'pottery')[day]}."
        tell(memory, liking, HOME, day=day, session=f"s{day}")
    form_episodes(memory)
    left = [4]
    while left[-1]:
        process = start("extract_telling", tmp_path)
        assert int(next(lines(process))) == left[-1]
        go_on(process)
        told = next(lines(process))
        kill(process)
        left.append(0 if told == "done" else int(told))
        assert checkup(memory).problems == []
        home = next(one for one in triples(memory) if one.relation == "lives in")
        assert len(home.source_episodic_ids) == 4  # a memory has all of its episodes at once
        assert len(triples(memory)) == 1 + 4 - left[-1]
    assert left == [4, 3, 2, 1, 0]
    before = triples(memory)
    assert extract_facts(memory).episodes == 0
    assert triples(memory) == before
