"""What another thread reads ahead is what this thread would have read itself."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import current_thread

import pytest

from contracts import Scope, StorageError
from memory.files.ingestion import sync_files
from memory.retrieval.searching import search
from memory.storage.portable.backend import FEWEST_READ_IN_PARALLEL
from memory.storage.portable.read_ahead import ReadAhead
from memory.storage.sqlite import SqliteStorage
from memory.values.results import SearchResult
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.databases import document, opened, write
from tests.memory.storage.oracle import DIMENSIONS, World

COUNT = "SELECT count(*) FROM chunks"
EAST = [1.0, *[0.0] * (DIMENSIONS - 1)]


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """Two texts with vectors in a file."""
    storage = SqliteStorage.open(tmp_path / "memory.db", create=True)
    made = World(storage)
    made.add_file("f1", "/notes/a.md")
    made.add_space()
    ids = made.put_texts("f1", "alpha one", "beta two")
    made.put_vectors(dict.fromkeys(ids, EAST))
    yield made
    storage.close()


def reading_in(storage: SqliteStorage, threads: list[str]) -> int:
    threads.append(current_thread().name)
    return int(storage.database.read(COUNT)[0][0])


def test_another_thread_reads(world: World) -> None:
    storage, threads = world.storage, list[str]()
    assert isinstance(storage, SqliteStorage)
    with storage.database.snapshot():
        ahead = ReadAhead(storage, lambda: reading_in(storage, threads))
        assert ahead() == 2
    assert threads == ["read-ahead"]


@pytest.mark.parametrize("change", ["a chunk", "a name", "a space"])
def test_what_was_written_in_between_is_not_seen(world: World, change: str) -> None:
    storage, threads = world.storage, list[str]()
    assert isinstance(storage, SqliteStorage)
    with (
        closing(SqliteStorage.open(Path(storage.database.path), create=False)) as other,
        storage.database.snapshot(),
    ):
        before = storage.revision()
        writer = World(other, space=world.space)
        if change == "a chunk":
            writer.put_texts("f2", "gamma three")
        elif change == "a name":
            with other.database.transaction() as tx:
                tx.run("UPDATE files SET path = '/notes/b.md'")
        else:
            assert world.space is not None
            writer.add_space(world.space._replace(embedder="other", state="filling"))
        assert other.revision() != before == storage.revision()
        assert ReadAhead(storage, lambda: reading_in(storage, threads))() == 2
    assert threads == [current_thread().name]


def test_an_error_is_raised_where_the_answer_is_asked_for(world: World) -> None:
    storage = world.storage
    assert isinstance(storage, SqliteStorage)

    def fail() -> int:
        raise StorageError("the disk failed", hint="check it")

    with storage.database.snapshot():
        ahead = ReadAhead(storage, fail)
        with pytest.raises(StorageError, match="the disk failed"):
            ahead()


def test_small_and_passing_databases_are_read_inline(world: World) -> None:
    storage, threads = world.storage, list[str]()
    assert isinstance(storage, SqliteStorage)
    for reading in (storage, SqliteStorage.in_memory()):
        with reading.database.snapshot():
            asked = reading.start_read(lambda: reading_in(storage, threads))
            assert threads == []
            assert asked() == 2
        assert threads.pop() == current_thread().name
    reading.close()


def test_a_large_database_is_read_ahead(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    write(docs, {f"{n}.md": document(n, n + 1, n + 2) for n in range(30)})
    options = SearchOptions(min_score=0.0, explain=True, max_results=30)
    narrow = SearchOptions(scope=Scope(globs=("*/3.md",)))
    queries = ("the pump in the cellar", "marmalade -sugar", '"bitter oranges" slow', "item3x1")
    found: list[list[SearchResult]] = []
    for name in ("small", "large"):
        with opened(tmp_path, storage_path=str(tmp_path / name)) as memory:
            if name == "large":
                count_from(memory, FEWEST_READ_IN_PARALLEL)
            sync_files(memory, [docs])
            with memory.storage.database.snapshot():
                reader = memory.storage.start_read(lambda: current_thread().name)()
            assert (reader == "read-ahead") is (name == "large")
            for query in queries:
                found += [search(memory, query, wish).results for wish in (options, narrow)]
    half = len(found) // 2
    assert [shown(hits) for hits in found[:half]] == [shown(hits) for hits in found[half:]]
    assert all(found[:half:2])


def count_from(memory: Workspace, number: int) -> None:
    """Let chunks have the ids that they would have in a large database."""
    with memory.storage.database.transaction() as tx:
        tx.run("INSERT INTO sqlite_sequence (name, seq) VALUES ('chunks', :seq)", {"seq": number})


def shown(hits: list[SearchResult]) -> list[tuple[object, ...]]:
    """Hits without the ids that are drawn by chance for each database."""
    return [(hit.citation, hit.text, hit.score, hit.explanation) for hit in hits]
