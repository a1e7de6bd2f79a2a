"""Facts, and the memories that state them, beside another program that changes rows by SQL."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from memory.conversations.memories.editing import MemoryChange, edit_memory
from memory.conversations.pipeline import process_turns
from memory.conversations.turns.values import NewTurn
from memory.operations.doctor import checkup
from memory.operations.forget.removal import forget
from memory.operations.forget.values import ForgetRequest
from memory.operations.jobs.manual_runs import maintain_one
from memory.records.distillation.running import distil
from memory.records.facts import list_facts
from memory.workspace import Workspace
from tests.memory.engines import outside

OSLO, BERGEN = "I live in Oslo", "I moved to Bergen"


def tell(memory: Workspace, *texts: str) -> None:
    """Say something, and distil what is extracted of it."""
    for text in texts:
        process_turns(memory, [NewTurn("s1", text, ts=datetime.now(UTC).isoformat())])
        distil(memory)


def change(memory: Workspace, *statements: str, at_once: bool = True) -> None:
    """Run statements of another program; unless `at_once` the job sees them later."""
    with outside(memory) as run:
        for sql in statements:
            run(sql)
    if at_once:
        maintain_one(memory, "decay")


def homes(memory: Workspace) -> list[list[str]]:
    """Return each fact about the home: its value, and the former ones."""
    facts = list_facts(memory, category="biographical")
    return [[one.value, *(each.value for each in one.history)] for one in facts]


def test_two_memories_may_change_places_between_two_runs(memory: Workspace) -> None:
    tell(memory, OSLO, BERGEN)
    change(
        memory,
        "UPDATE memories SET status = 'active' WHERE id = 1",
        "UPDATE memories SET status = 'archived' WHERE id = 2",
    )
    assert homes(memory) == [["Oslo"]]
    assert checkup(memory).healthy


def test_a_deleted_fact_and_an_inserted_one_may_change_places(memory: Workspace) -> None:
    tell(memory, OSLO)
    change(
        memory,
        "DELETE FROM facts",
        "INSERT INTO facts (category, key, value, confidence) VALUES ('work', 'desk', 'oak', 0.9)",
    )
    assert homes(memory) == []
    assert checkup(memory).healthy


def edit_rival(memory: Workspace) -> None:
    edit_memory(memory, 1, MemoryChange(content="User lives in Lund"))


def edit_rival_outside(memory: Workspace) -> None:
    change(memory, "UPDATE memories SET content = 'User lives in Lund' WHERE id = 1")


def archive_rival(memory: Workspace) -> None:
    edit_memory(memory, 2, MemoryChange(status="archived"))


def forget_rival(memory: Workspace) -> None:
    forget(memory, ForgetRequest(memory_ids=(2,)))


@pytest.mark.parametrize("touch", [edit_rival, edit_rival_outside, archive_rival, forget_rival])
@pytest.mark.parametrize("at_once", [True, False], ids=["seen", "unseen"])
def test_a_fact_that_another_program_deletes_returns_only_when_it_is_said_again(
    memory: Workspace, touch: Callable[[Workspace], None], at_once: bool
) -> None:
    tell(memory, OSLO, BERGEN)
    change(memory, "UPDATE memories SET status = 'active'")
    change(memory, "DELETE FROM facts", at_once=at_once)
    touch(memory)
    maintain_one(memory, "decay")
    assert homes(memory) == []
    sql = "SELECT count(*) FROM record_links WHERE source IN ('fact', 'former_fact')"
    assert memory.storage.database.read(sql) == [(0,)]
    assert checkup(memory).healthy
    tell(memory, "I moved to Rome")
    assert homes(memory) == [["Rome"]]


def test_a_fact_that_another_program_writes_again_is_not_forgotten(memory: Workspace) -> None:
    tell(memory, OSLO)
    columns = "(category, key, value, confidence, source)"
    change(
        memory,
        "DELETE FROM facts",
        f"INSERT INTO facts {columns} VALUES ('biographical', 'home', 'Lund', 0.5, 'distillation')",
    )
    assert homes(memory) == [["Lund"]]
    change(memory, "DELETE FROM memories")
    tell(memory, OSLO)
    assert homes(memory) == [["Oslo", "Lund"]]


@pytest.mark.parametrize("restored", [False, True], ids=["archived", "restored"])
def test_a_former_value_goes_where_another_program_edits_its_archived_memory(
    memory: Workspace, restored: bool
) -> None:
    tell(memory, OSLO, BERGEN)
    change(memory, "UPDATE memories SET content = 'User lives in OSLO.' WHERE id = 1")
    assert homes(memory) == [["Bergen", "Oslo"]]
    status = "active" if restored else "archived"
    change(
        memory,
        f"UPDATE memories SET content = 'User lives in Lund', status = '{status}' WHERE id = 1",
    )
    assert homes(memory) == [["Bergen"]]
    sql = "SELECT slot, value FROM memories WHERE id = 1"
    assert memory.storage.database.read(sql) == [("user/home", "lund")]
    assert maintain_one(memory, "decay").message.endswith("records indexed: 0")
    edit_memory(memory, 2, MemoryChange(status="archived"))
    assert homes(memory) == ([["Lund"]] if restored else [])
