"""Collections that are killed, and turns that are taken in while one runs."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from memory.config.sections.conversations import MidConfig
from memory.conversations.lifecycle import GcCounts, LayerSizes, collect_garbage, read_stats
from memory.conversations.memories.gc import WRITTEN_AT_ONCE
from memory.conversations.pipeline import process_turns
from memory.conversations.turns.values import NewTurn
from memory.workspace import Workspace
from tests.memory.children import go_on, kill, lines, start
from tests.memory.conversations.memories.made import make_all, new
from tests.memory.databases import opened
from tests.waiting import DEADLINE_S

MEMORIES = 5 * WRITTEN_AT_ONCE


@pytest.fixture
def many(tmp_path: Path) -> Iterator[Workspace]:
    """Memories of which every other has faded."""
    with opened(tmp_path, mid=MidConfig(capacity=MEMORIES)) as workspace:
        make_all(
            workspace,
            [new(f"User knows {number}", age_days=20 * (number % 2)) for number in range(MEMORIES)],
        )
        yield workspace


@pytest.fixture
def collection(many: Workspace, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that cleans up there, and after each transaction waits for a line."""
    process = start("collect_telling", tmp_path, str(MEMORIES))
    yield process
    kill(process)


def deleted(workspace: Workspace) -> int:
    sql = "SELECT count(*) FROM actions WHERE action = 'deleted'"
    return int(workspace.storage.database.read(sql)[0][0])


@pytest.mark.slow
def test_a_killed_collection_has_done_some_and_left_the_rest(
    many: Workspace, collection: subprocess.Popen[str]
) -> None:
    assert next(lines(collection)) == str(WRITTEN_AT_ONCE)
    go_on(collection)
    assert next(lines(collection)) == str(2 * WRITTEN_AT_ONCE)
    collection.kill()
    collection.wait(DEADLINE_S)
    read = many.storage.database.read
    assert deleted(many) == WRITTEN_AT_ONCE, "every other one"
    there = {str(row[0]) for row in read("SELECT id FROM memories")}
    assert len(there) == MEMORIES - WRITTEN_AT_ONCE
    assert {row[0] for row in read("SELECT owner_id FROM chunks")} == there
    assert many.storage.count_vectors() == len(there)
    assert read("SELECT count(*) FROM chunks_fts") == [(len(there),)]

    rest = collect_garbage(many)
    assert rest.counts == GcCounts(deleted=MEMORIES // 2 - WRITTEN_AT_ONCE)
    assert read_stats(many).memories == LayerSizes(mid=MEMORIES // 2)
    assert deleted(many) == MEMORIES // 2


@pytest.mark.slow
def test_turns_are_taken_in_while_a_collection_runs(
    many: Workspace, collection: subprocess.Popen[str]
) -> None:
    """What is said meanwhile is kept, and a memory that is heard of again is spared."""
    assert next(lines(collection)) == str(WRITTEN_AT_ONCE)
    (results,) = process_turns(many, [NewTurn("s1", "My name is Ada")])
    assert [one.action for one in results.extracted_memories] == ["create"]
    with many.storage.database.transaction() as tx:
        tx.run("UPDATE memories SET hits = 1 WHERE id = :id", {"id": MEMORIES})
    go_on(collection)
    while (said := next(lines(collection))) != "done":
        assert said.isdigit()
        go_on(collection)
    assert deleted(many) == MEMORIES // 2 - 1
    assert read_stats(many).memories == LayerSizes(mid=MEMORIES // 2 + 2)
