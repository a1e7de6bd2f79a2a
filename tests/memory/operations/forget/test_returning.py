"""What was forgotten is not made again of the turns that stay."""

from pathlib import Path

import pytest

from memory.conversations.llm_extraction.queue import ExtractionQueue
from memory.conversations.memories.listing import MemoryFilter, list_memories
from memory.conversations.turns.store import TurnStore
from memory.operations.exchange.exporting import export
from memory.operations.exchange.importing import import_lines
from memory.operations.forget.removal import forget
from memory.operations.forget.selection import cited
from memory.operations.forget.values import ForgetRequest
from memory.operations.jobs.manual_runs import maintain_all
from memory.records.distillation.running import distil
from memory.workspace import Workspace
from tests.memory.databases import opened
from tests.memory.episodes.facts import tell
from tests.memory.operations.forget.present_records import present

SAID = {
    "fact biographical/home": "I live in Oslo.",
    "person Ida": "My sister Ida plays the bassoon.",
    "loop 1": "I told Marc I'd send him the slides tomorrow.",
    "signal 1": "I slept 5 hours.",
    "pattern 1": "I go running every morning.",
    "memory 1": "I live in Oslo.",
}


@pytest.mark.parametrize("citation, text", SAID.items(), ids=SAID)
def test_it_is_not_made_again_where_an_export_is_imported(
    memory: Workspace, tmp_path: Path, citation: str, text: str
) -> None:
    tell(memory, text)
    distil(memory)
    forget(memory, ForgetRequest(records=cited(memory.kinds, [citation])))
    export(memory, str(tmp_path / "export.jsonl"))
    (tmp_path / "other").mkdir()
    with opened(tmp_path / "other") as other:
        import_lines(other, str(tmp_path / "export.jsonl"))
        _, failure = maintain_all(other)
        assert failure is None
        assert kinds(other) == kinds(memory)


def kinds(memory: Workspace) -> set[str]:
    """The kinds of records; episodes and what is made of them do not matter here."""
    return {kind for kind, _ in present(memory)} - {"episode", "triple"}


def test_a_language_model_reads_no_turn_whose_memory_was_forgotten(memory: Workspace) -> None:
    (turn_id,) = tell(memory, "I live in Oslo.")
    with memory.storage.database.transaction() as tx:  # as while its endpoint does not answer
        TurnStore(memory.storage.database).set_extraction(tx, [turn_id], "llm")
    assert ExtractionQueue(memory.storage.database).number() == 1
    forget(memory, ForgetRequest(memory_ids=(1,)))
    assert ExtractionQueue(memory.storage.database).number() == 0
    assert list_memories(memory, MemoryFilter()).memories == []
