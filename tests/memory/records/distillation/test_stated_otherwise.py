"""What somebody stated stays where distillation found something else, and that goes."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from memory.conversations.memories.editing import MemoryChange, edit_memory, get_memory, remember
from memory.conversations.memories.gc import collect
from memory.conversations.pipeline import process_turns
from memory.conversations.turns.values import NewTurn
from memory.operations.doctor import checkup
from memory.operations.forget.removal import forget
from memory.operations.forget.values import ForgetRequest
from memory.records.distillation.running import distil
from memory.records.facts import NewFact, list_facts, write_fact
from memory.retrieval.searching import search
from memory.storage.action_log import Caller, called_by
from memory.values.record_kinds import RecordName
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.engines import outside

OSLO, BERGEN = "I live in Oslo", "I moved to Bergen"
HOME = "fact biographical/home"


def tell(memory: Workspace, *texts: str) -> None:
    """Say something, and distil what is extracted of it."""
    for text in texts:
        process_turns(memory, [NewTurn("s1", text, ts=datetime.now(UTC).isoformat())])
        distil(memory)


def state(memory: Workspace, value: str, source: str = "user") -> None:
    new = NewFact(category="biographical", key="home", value=value, source=source, confidence=0.45)
    write_fact(memory, new)


def homes(memory: Workspace) -> list[list[str]]:
    """Return each fact about the home: its value, and the former ones."""
    facts = list_facts(memory, category="biographical")
    return [[one.value, *(each.value for each in one.history)] for one in facts]


def found(memory: Workspace) -> list[str]:
    hits = search(memory, "home", SearchOptions(mode="keyword")).results
    return [hit.text for hit in hits if hit.source == "fact"]


def forget_memory(memory: Workspace) -> list[str]:
    report = forget(memory, ForgetRequest(memory_ids=(2,)), proven=True)
    assert report.ok
    return [one.citation for one in report.forgotten]


def forget_turn(memory: Workspace) -> list[str]:
    report = forget(memory, ForgetRequest(turn_ids=(2,)), proven=True)
    assert report.ok
    return [one.citation for one in report.forgotten]


@pytest.mark.parametrize("go", [forget_memory, forget_turn])
@pytest.mark.parametrize("source", ["user", "api"])
def test_what_somebody_stated_returns_where_what_replaced_it_is_forgotten(
    memory: Workspace, go: Callable[[Workspace], list[str]], source: str
) -> None:
    state(memory, "Leiden", source)
    tell(memory, OSLO, BERGEN)
    assert homes(memory) == [["Bergen", "Oslo", "Leiden"]]
    (before,) = list_facts(memory)
    told = [one.citation for one in forget(memory, REQUESTS[go], dry_run=True).forgotten]
    assert go(memory) == told
    assert told[-1] == f"{HOME}, {before.updated_at[:10]}"
    assert homes(memory) == [["Leiden", "Oslo"]]
    (after,) = list_facts(memory)
    assert (after.source, after.confidence, after.evidence) == (source, 0.45, [])
    assert found(memory) == ["home: Leiden"]
    assert checkup(memory).healthy


REQUESTS = {
    forget_memory: ForgetRequest(memory_ids=(2,)),
    forget_turn: ForgetRequest(turn_ids=(2,)),
}


def test_a_fact_that_is_forgotten_by_its_name_goes_with_what_somebody_stated(
    memory: Workspace,
) -> None:
    state(memory, "Leiden")
    tell(memory, OSLO)
    records = (RecordName("fact", "biographical/home"),)
    forget(memory, ForgetRequest(records=records, memory_ids=(1,)))
    assert list_facts(memory, archived=True) == []


def test_what_somebody_stated_returns_where_an_archived_value_goes_for_good(
    memory: Workspace,
) -> None:
    state(memory, "Leiden")
    tell(memory, OSLO)
    edit_memory(memory, 1, MemoryChange(status="deleted"))
    assert homes(memory) == []
    collect(memory)
    assert homes(memory) == [["Leiden"]]
    assert found(memory) == ["home: Leiden"]


@pytest.mark.parametrize(
    "written, read",
    [("2026-03-04 10:11:12", "2026-03-04T10:11:12.000Z"), ("long ago", "1970-01-01T00:00:00.000Z")],
)
def test_a_former_value_returns_with_a_time_that_another_program_wrote(
    memory: Workspace, written: str, read: str
) -> None:
    state(memory, "Leiden")
    tell(memory, OSLO)
    with outside(memory) as run:
        run("UPDATE fact_history SET updated_at = ?", written)
    forget(memory, ForgetRequest(memory_ids=(1,)))
    (fact,) = list_facts(memory, archived=True)
    assert (fact.value, fact.updated_at) == ("Leiden", read)


def test_what_is_archived_by_hand_each_time_that_it_is_said_is_no_fact(memory: Workspace) -> None:
    tell(memory, OSLO, BERGEN)
    edit_memory(memory, 2, MemoryChange(status="archived"))
    tell(memory, BERGEN)
    assert homes(memory) == [["Bergen", "Oslo"]]
    edit_memory(memory, 3, MemoryChange(status="archived"))
    assert homes(memory) == []
    edit_memory(memory, 3, MemoryChange(status="active"))
    assert homes(memory) == [["Bergen", "Oslo"]]


def test_what_somebody_stated_stays_beside_the_same_that_a_turn_says(memory: Workspace) -> None:
    state(memory, "Oslo")
    tell(memory, BERGEN)
    edit_memory(memory, 1, MemoryChange(status="archived"))
    tell(memory, OSLO)
    assert homes(memory) == [["Oslo", "Oslo"]]
    forget(memory, ForgetRequest(memory_ids=(2,), turn_ids=(2,)))
    (fact,) = list_facts(memory)
    assert (fact.value, fact.source, fact.history) == ("Oslo", "user", [])


def claim(memory: Workspace, value: str) -> None:
    new = NewFact(category="biographical", key="home", value=value)
    with called_by(Caller("ag", is_owner=False)):
        write_fact(memory, new)


def test_a_refused_claim_of_an_agent_is_never_the_present_value(memory: Workspace) -> None:
    remember(memory, "I live in Oslo")
    tell(memory, "It rains", OSLO)
    claim(memory, "Rome")
    assert homes(memory) == [["Oslo", "Rome"]]

    forget(memory, ForgetRequest(session_id="s1"), proven=True)

    assert homes(memory) == []
    assert get_memory(memory, 1).status == "active"


def test_a_claim_of_an_agent_that_held_is_over_once_another_is_known(memory: Workspace) -> None:
    claim(memory, "Rome")
    tell(memory, "It rains", OSLO)
    forget_turn(memory)
    assert homes(memory) == []


def test_what_somebody_stated_returns_without_the_mark_of_an_agent(memory: Workspace) -> None:
    """The agent's came in the place of one that was over."""
    over = NewFact(category="biographical", key="home", value="Leiden", expires_at="2020-01-01")
    write_fact(memory, over)
    process_turns(memory, [NewTurn("s1", "It rains")])
    with called_by(Caller("ag", is_owner=False)):
        write_fact(memory, replace(over, value="Rome", expires_at=None, evidence=[1]))
    assert homes(memory) == [["Rome", "Leiden"]]
    forget(memory, ForgetRequest(turn_ids=(1,)), proven=True)
    (home,) = list_facts(memory)
    assert (home.value, home.source, home.metadata) == ("Leiden", "api", {})


def test_what_a_program_states_is_no_copy_of_a_memory_that_says_it_too(memory: Workspace) -> None:
    state(memory, "Oslo", "api")
    tell(memory, OSLO)
    (fact,) = list_facts(memory)
    assert (fact.source, fact.evidence) == ("api", [])
    forget(memory, ForgetRequest(memory_ids=(1,)))
    forget(memory, ForgetRequest(turn_ids=(1,)))
    assert homes(memory) == [["Oslo"]]
    tell(memory, BERGEN)
    forget(memory, ForgetRequest(memory_ids=(2,)))
    assert homes(memory) == [["Oslo"]]
