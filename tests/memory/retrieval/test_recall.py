"""What `recall` searches, and that all of it fades."""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from contracts import InputError
from memory import MemoryManager
from memory.config.settings import SearchConfig, TimeDecayConfig
from memory.conversations.pipeline import process_turns
from memory.conversations.turns.values import NewTurn
from memory.files.ingestion import ingest_text, sync_files
from memory.retrieval.recall import recall
from memory.workspace import Workspace
from tests.memory.databases import loaded, opened


def at(days: int) -> str:
    return (datetime.now(UTC) - timedelta(days=days)).isoformat()


def test_texts_turns_and_memories_answer_and_files_do_not(memory: Workspace, docs: Path) -> None:
    (docs / "a.md").write_text("marmalade needs oranges")
    sync_files(memory, [docs])
    ingest_text(memory, "marmalade needs sugar")
    process_turns(memory, [NewTurn("s", "I like marmalade")])
    hits = recall(memory, "marmalade").results
    sources = {one.source for hit in hits for one in (hit, *hit.also)}
    assert sources == {"text", "turn", "memory"}
    assert len(recall(memory, "marmalade", 2).results) == 2


@pytest.mark.parametrize("enabled", [True, False])
def test_older_texts_fade_unless_that_is_turned_off(tmp_path: Path, enabled: bool) -> None:
    search = SearchConfig(time_decay=TimeDecayConfig(enabled=enabled))
    with opened(tmp_path, search=search) as memory:
        ingest_text(memory, "marmalade of oranges", metadata={"timestamp": at(400)})
        ingest_text(memory, "marmalade of lemons", metadata={"timestamp": at(0)})
        scores = {hit.text: hit.score for hit in recall(memory, "marmalade of").results}
    faded = scores["marmalade of oranges"] < 0.5 * scores["marmalade of lemons"]
    assert faded is enabled


@pytest.mark.parametrize("k", [0, -1, 1001, True, 2.5, "5", None])
def test_numbers_that_are_none(memory: Workspace, k: object) -> None:
    with pytest.raises(InputError, match="k is"):
        recall(memory, "x", k)  # type: ignore[arg-type]  # what callers may get wrong


def test_the_face_for_python(tmp_path: Path) -> None:
    async def recalled() -> list[str]:
        async with MemoryManager(loaded(tmp_path)) as manager:
            await manager.ingest_text("marmalade needs sugar")
            return [hit.text for hit in await manager.recall("marmalade")]

    assert asyncio.run(recalled()) == ["marmalade needs sugar"]
