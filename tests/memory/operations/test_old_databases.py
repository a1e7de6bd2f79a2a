"""A database that an older program has left: it opens, answers, and nothing is wrong with it."""

from pathlib import Path

import pytest

from memory.conversations.lifecycle import read_stats
from memory.operations.doctor import checkup
from memory.operations.status import read_status
from memory.retrieval.searching import search
from tests.memory.databases import opened
from tests.memory.storage.old_database import KEPT, NOTE, SAID, old_database

pytestmark = pytest.mark.sqlite_only(reason="opens files of older versions")

FOUND = (
    ("lighthouse lamp changed in March", "text", NOTE),
    ("copper wire antenna", "file", "Copper wire carries the signal"),
    ("drainCellar", "file", "def drainCellar(mark: int)"),
    ("I live in Lisbon", "turn", SAID[0]),
    ("spare key boiler", "memory", "The spare key hangs behind the boiler."),
)


@pytest.mark.parametrize("version", KEPT)
def test_everything_in_it_is_found(version: int, tmp_path: Path) -> None:
    old_database(version, tmp_path)
    with opened(tmp_path) as memory:
        for query, source, text in FOUND:
            answer = search(memory, query)
            assert answer.mode_used == "hybrid"
            assert answer.results[0].source == source
            assert text in answer.results[0].text
        status = read_status(memory)
        assert status.files == {"indexed": 3}
        assert status.vectors == sum(status.chunks.values()) == 12
        assert status.embedding_cache.documents.misses == 7
        assert read_stats(memory).extraction.heuristic.turns == len(SAID)
        report = checkup(memory)
        memories, words = report.problems
        assert memories.fact.startswith("memories that an older version indexed: ")
        assert "older version's form" in words.fact
        report = checkup(memory, fix=True)
        assert report.healthy
        assert report.problems == report.notes == []
