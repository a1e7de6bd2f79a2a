"""Two values of a fact meet in an import: each keeps its evidence, the earlier as a former one."""

from pathlib import Path

import pytest

from memory.conversations.turns.adding import add_turns
from memory.conversations.turns.values import NewTurn
from memory.operations.doctor import checkup
from memory.operations.exchange.exporting import export
from memory.operations.exchange.importing import import_lines
from memory.operations.forget.removal import forget
from memory.operations.forget.values import ForgetRequest
from memory.records.facts import NewFact, list_facts, write_fact
from memory.workspace import Workspace
from tests.memory.databases import opened


def state(memory: Workspace, value: str) -> None:
    """State where the home is, as a turn says."""
    (added,) = add_turns(memory, [NewTurn(value, f"So it is {value}")])
    evidence = [added.turn.id]
    write_fact(memory, NewFact(category="biographical", key="home", value=value, evidence=evidence))


def values(memory: Workspace) -> list[str]:
    (fact,) = list_facts(memory, archived=True)
    return [fact.value, *(one.value for one in fact.history)]


@pytest.mark.parametrize("direction", ["newer comes", "older comes"])
def test_of_two_values_the_earlier_is_a_former_one(
    memory: Workspace, tmp_path: Path, direction: str
) -> None:
    path = str(tmp_path / "export.jsonl")
    with opened(tmp_path / "other") as other:
        state(memory, "Leiden")
        state(other, "Rome")
        here, there = (memory, other) if direction == "newer comes" else (other, memory)
        export(there, path)
        for _ in range(2):  # the second time all is known
            assert import_lines(here, path).errors == []
            assert values(here) == ["Rome", "Leiden"]
            (fact,) = list_facts(here)
            assert [one.citation.split()[1] for one in fact.evidence] == ["Rome"]
        assert checkup(here).healthy
        forget(here, ForgetRequest(session_id="Rome"))
        assert values(here) == ["Leiden"]
        forget(here, ForgetRequest(session_id="Leiden"))
        assert list_facts(here, archived=True) == []


def test_an_export_that_is_imported_where_it_was_made_adds_no_former_value(
    memory: Workspace, tmp_path: Path
) -> None:
    path = str(tmp_path / "export.jsonl")
    state(memory, "Leiden")
    export(memory, path)
    state(memory, "Rome")
    before = list_facts(memory)
    import_lines(memory, path)
    assert list_facts(memory) == before
