"""The services by their names, and the same operations of `MemoryManager`."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest

from contracts import NotFoundError
from ingest import Utterance
from memory import ContextService, Extractor, GCService, MemoryManager, MemoryOrchestrator
from memory.conversations.lifecycle import GcCounts
from memory.conversations.memories.scoring import decompose
from memory.conversations.turns.adding import add_turns
from memory.conversations.turns.values import NewTurn
from memory.workspace import Workspace
from tests.memory.conversations.memories.made import make
from tests.memory.databases import loaded


def test_the_services(memory: Workspace) -> None:
    add_turns(memory, [NewTurn("s1", "I like tea", auto_extract=False)])
    tea = make(memory, "User likes tea", hits=3)
    orchestrator = MemoryOrchestrator(memory)
    assert orchestrator.score(tea)[:4] == pytest.approx(
        decompose(hits=3, importance=0, age_days=0.0)[:4], abs=1e-4
    )
    assert [turn.text for turn in orchestrator.short_term("s1")] == ["I like tea"]
    context = ContextService(memory).get_context("s1", k=1)
    assert [one.id for one in context.mid_term] == [tea]
    assert GCService(memory).run(dry_run=True).counts.promoted == 1
    assert orchestrator.collect().counts == GcCounts(promoted=1)
    assert GCService(memory).stats().memories.long == 1
    with pytest.raises(NotFoundError, match="no memory 99"):
        orchestrator.score(99)


def test_the_extractor(memory: Workspace) -> None:
    extractor = Extractor(memory)
    said = Utterance("My name is Ada", said_at=datetime(2026, 3, 4, tzinfo=UTC))
    assert [one.content for one in extractor.extract(said)] == ["User's name is Ada"]
    assert GCService(memory).stats().memories.mid == 0
    (results,) = extractor.listen([NewTurn("s1", "My name is Ada")])
    assert [one.action for one in results.extracted_memories] == ["create"]
    assert GCService(memory).stats().memories.mid == 1


def test_the_manager(tmp_path: Path) -> None:
    async def live() -> None:
        async with MemoryManager(loaded(tmp_path)) as manager:
            make(manager.workspace, "User likes tea", hits=3)
            assert (await manager.build_context("s1", k=3)).mid_term[0].content == "User likes tea"
            assert (await manager.gc()).counts.promoted == 1
            assert (await manager.stats()).memories.long == 1

    asyncio.run(live())
