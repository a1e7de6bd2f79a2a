"""The index in memory answers as SQLite does, whatever happens to the database meanwhile."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from contracts import KeywordQuery, Scope
from memory.files.ingestion import ingest_text
from memory.operations.status import read_status
from memory.retrieval.memory_index import MemoryIndex, available_bytes
from memory.retrieval.memory_index.change_log_cache import ChangeLogCache
from memory.retrieval.memory_index.vectors import HeldVectors
from memory.retrieval.searching import search
from memory.retrieval.server_caches import (
    cache_answers,
    candidates_of,
    memory_index_of,
    start_server_caches,
)
from memory.storage.sqlite import SqliteStorage
from memory.storage.vectors import normalised, stored_vectors
from memory.values.status_reports import VectorIndexStatus
from memory.workspace import Workspace
from search import HybridSearch, QueryVectorInfo, SearchOptions, analyse
from tests.cli.shell import python
from tests.memory.children import kill, lines, start
from tests.memory.databases import ENGINE, opened
from tests.memory.processes import random_vector
from tests.memory.random_texts import some_words
from tests.memory.retrieval.held_vectors import check, fill, filled, held, some_query
from tests.memory.storage.oracle import EAST, EVERYTHING, SPACE, World, new_chunk
from tests.repository import ROOT

SMALL = "it is as quick for fewer than 5,000 vectors"


@pytest.fixture(params=["file", "memory"])
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[World]:
    """A database with a space and five hundred vectors."""
    if request.param == "memory":
        storage = SqliteStorage.in_memory()
    else:
        storage = SqliteStorage.open(tmp_path / "memory.db", create=True)
    yield filled(storage)
    storage.close()


@pytest.fixture
def index(world: World) -> Iterator[MemoryIndex]:
    derived = held(world)
    yield derived
    derived.close()


def test_the_last_of_many_are_the_nearest_as_well(world: World, index: MemoryIndex) -> None:
    """Though their codes are not the nearest codes."""
    for seed in range(5):
        query = some_query(Random(seed))
        cosines = world.storage.cosines(query, list(world.rows)).items()
        exact = sorted(cosines, key=lambda item: (-item[1], item[0]))
        found = index.vector_candidates(query, EVERYTHING, limit=240)
        assert [(hit.chunk_id, hit.score) for hit in found] == exact[:240]


@pytest.mark.slow
def test_thousands_of_changes(world: World, index: MemoryIndex) -> None:
    chance = Random(5)
    for step in range(250):
        owner = f"f{chance.randrange(12)}"
        known = [key for key, row in world.rows.items() if row.owner_id == owner]
        action = chance.randrange(4)
        if action == 0:
            world.remove(owner)
        elif action == 1:
            changed = chance.sample(known, len(known) // 2)
            world.put_vectors({key: random_vector(chance) for key in changed})
        elif action == 2:
            world.put(owner, [world.rows[key].chunk for key in known if chance.random() < 0.8])
        else:
            fill(world, chance, owner, chance.randrange(100))
        if chance.random() < 0.7:
            check(index, world, seed=step, limit=chance.choice((1, 10, 100)))
            assert index.vectors.status().kind == "faiss"
    check(index, world)
    vectors = sum(row.vector is not None for row in world.rows.values())
    assert index.vectors.status() == VectorIndexStatus("faiss", vectors, None)


def test_all_else_is_the_storages(world: World, index: MemoryIndex) -> None:
    storage, query = world.storage, some_query(Random(1))
    word = next(iter(world.rows.values())).chunk.text
    scope = Scope(sources=("turn",))
    assert index.count_chunks() == 500
    assert index.document_frequencies([word]) == storage.document_frequencies([word])
    assert index.document_frequencies([word], most=1) == {word: 1}
    first = next(iter(world.rows))
    assert index.words_in([first], [word, "zebra"]) == {first: frozenset([word])}
    keyword = KeywordQuery(words=(word,))
    found = index.keyword_candidates(keyword, EVERYTHING, limit=5)
    assert found
    assert found == storage.keyword_candidates(keyword, EVERYTHING, limit=5)
    assert index.vector_candidates(query, scope, limit=5) == []
    ids = list(world.rows)[:3]
    assert index.cosines(query, ids) == storage.cosines(query, ids)
    assert index.embeddings(ids) == storage.embeddings(ids)
    assert index.chunk_rows(ids) == storage.chunk_rows(ids)


def test_scopes_are_applied_before_ranking(world: World, index: MemoryIndex) -> None:
    """However many chunks are nearer than those within."""
    chance, query = Random(3), some_query(Random(4))
    for count in (1, 40, 300):
        texts = (f"{chance.random()}" for _ in range(count))
        world.put("said", [new_chunk(text, "said", source="turn") for text in texts], source="turn")
        ids = [key for key, row in world.rows.items() if row.source == "turn"]
        world.put_vectors({chunk_id: random_vector(chance) for chunk_id in ids})
        for scope in (Scope(sources=("turn",)), Scope(since="2024-01-01"), Scope(tags=("no",))):
            for limit in (1, 10, 100):
                expected = world.storage.vector_candidates(query, scope, limit=limit)
                assert index.vector_candidates(query, scope, limit=limit) == expected
        found = index.vector_candidates(query, Scope(sources=("turn",)), limit=1_000)
        assert {hit.chunk_id for hit in found} == set(ids)
    assert index.vectors.status().kind == "faiss"


def put_due_east(world: World) -> int:
    """Replace a file by a chunk that is the nearest to the east."""
    world.remove("f0")
    (new,) = world.put_texts("new", "due east")
    world.put_vectors({new: EAST})
    return new


@pytest.mark.parametrize("world", ["file"], indirect=True)  # in memory nobody writes meanwhile
def test_a_snapshot_that_the_index_is_ahead_of(world: World, index: MemoryIndex) -> None:
    """A query within an older snapshot neither sees what came later nor misses what has gone."""
    east = normalised(EAST)
    assert east is not None

    def change() -> None:
        new = put_due_east(world)
        assert index.vector_candidates(east, EVERYTHING, limit=1)[0].chunk_id == new

    with ThreadPoolExecutor(1) as other, world.storage.database.snapshot():
        before = index.vector_candidates(east, EVERYTHING, limit=100)
        other.submit(change).result()
        assert index.vector_candidates(east, EVERYTHING, limit=100) == before
        assert index.vectors.status() == VectorIndexStatus("faiss", 401, None)
    check(index, world)


FORKED = """
import os
import signal
import sys
from contextlib import closing
from pathlib import Path
from memory.storage.sqlite import SqliteStorage
from tests.memory.retrieval.held_vectors import check, filled, held
with closing(SqliteStorage.open(Path("memory.db"), create=True)) as storage:
    world = filled(storage)
    with closing(held(world)) as index:
        check(index, world, seed=1)
        child = os.fork()
        signal.alarm(60)
        check(index, world, seed=3 if child else 5)
        if child:
            sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system forks no processes")
def test_a_forked_process_searches_too(tmp_path: Path) -> None:
    done = python(FORKED, cwd=tmp_path)
    assert (done.code, done.err) == (0, "")


@pytest.mark.slow
def test_short_codes_follow_the_database(tmp_path: Path) -> None:
    """They are made again when most of their vectors have gone."""
    chance = Random(8)
    with closing(SqliteStorage.open(tmp_path / "memory.db", create=True)) as storage:
        world = World(storage)
        world.add_space()
        for number in range(5):
            fill(world, chance, f"f{number}", 1_000)
        with closing(MemoryIndex(storage, fewest=1, counted_every_s=0)) as index:
            index.start()
            index.wait()
            (new,) = world.put_texts("new", "due east")
            world.put_vectors({new: EAST})
            east = normalised(EAST)
            assert east is not None
            assert index.vector_candidates(east, EVERYTHING, limit=1)[0].chunk_id == new
            for number in range(3):
                world.remove(f"f{number}")
                nearest = index.vector_candidates(east, EVERYTHING, limit=3)
                assert nearest == storage.vector_candidates(east, EVERYTHING, limit=3)
            assert index.vectors.status() == VectorIndexStatus("faiss", 2_001, None)
            world.remove("new")
            nearest = index.vector_candidates(east, EVERYTHING, limit=3)
            index.wait()
            assert nearest == index.vector_candidates(east, EVERYTHING, limit=3)
            assert nearest == storage.vector_candidates(east, EVERYTHING, limit=3)
            assert index.vectors.status() == VectorIndexStatus("faiss", 2_000, None)


def test_a_log_that_no_longer_reaches_back(world: World, index: MemoryIndex) -> None:
    storage = world.storage
    fill(world, Random(6), "f6", 50)
    with storage.database.transaction() as tx:
        storage.trim_changes(tx, keep=100)
    check(index, world)
    assert index.vectors.status() == VectorIndexStatus("faiss", 550, None)
    for keep in (99, 0):
        fill(world, Random(keep), "f7", 50)
        with storage.database.transaction() as tx:
            storage.trim_changes(tx, keep=keep)
        check(index, world)
        index.wait()
        check(index, world)
        assert index.vectors.status() == VectorIndexStatus("faiss", 600, None)


def test_another_space_becomes_the_active_one(world: World, index: MemoryIndex) -> None:
    storage = world.storage
    state = SPACE._replace(embedder="other", dimensions=3, state="filling")
    other = world.add_space(state)
    with storage.database.transaction() as tx:
        rows = stored_vectors([[1.0, key, -key] for key in world.rows])
        put = {key: row for key, row in zip(world.rows, rows, strict=True) if row is not None}
        storage.put_vectors(tx, other, put)
    check(index, world)
    with storage.database.transaction() as tx:
        tx.run("UPDATE spaces SET state = 'retired' WHERE state = 'active'")
        tx.run("UPDATE spaces SET state = 'active' WHERE id = :id", {"id": other.id})
    query = normalised([1.0, 2.0, 3.0])
    assert query is not None
    expected = storage.vector_candidates(query, EVERYTHING, limit=10)
    for _ in range(2):
        assert index.vector_candidates(query, EVERYTHING, limit=10) == expected
        index.wait()
        assert index.vectors.status() == VectorIndexStatus("faiss", 500, None)


def test_a_space_that_got_more_while_another_answered(world: World, index: MemoryIndex) -> None:
    """What it got then is in no log, and nobody asked in between."""
    spaces, first = world.storage.spaces(), world.space
    assert first is not None
    (late,) = world.put_texts("late", "late")
    check(index, world)
    second = world.add_space(SPACE._replace(embedder="other", state="filling"))
    with world.storage.database.transaction() as tx:
        spaces.activate(tx, second)
    world.put_vectors({late: EAST})
    with world.storage.database.transaction() as tx:
        spaces.activate(tx, first)
    for _ in range(2):
        found = index.vector_candidates(EAST, EVERYTHING, limit=10)
        assert found == world.storage.vector_candidates(EAST, EVERYTHING, limit=10)
        assert found[0].chunk_id == late
        index.wait()
    assert index.vectors.status() == VectorIndexStatus("faiss", 501, None)


def test_equal_chunks_are_ordered_as_ever(world: World, index: MemoryIndex) -> None:
    ids = world.put_texts("same", *(f"text {number}" for number in range(600)))
    vector = random_vector(Random(2))
    world.put_vectors(dict.fromkeys(reversed(ids), vector))
    query = normalised(vector)
    assert query is not None
    for limit in (1, 100, 200, 400):
        found = index.vector_candidates(query, EVERYTHING, limit=limit)
        assert [hit.chunk_id for hit in found] == ids[:limit]


def test_vectors_that_went_behind_its_back(world: World, index: MemoryIndex) -> None:
    """By hand, past the change log: the count at the next change makes it rebuild."""
    with world.storage.database.transaction() as tx:
        tx.run("DELETE FROM vectors_1 WHERE chunk_id % 2 = 0")
    world.put_vectors({next(iter(world.rows)): EAST})
    check(index, world)
    index.wait()
    assert index.vectors.status() == VectorIndexStatus("faiss", 250, None)
    check(index, world)


@pytest.mark.parametrize(
    "damage",
    ["DELETE FROM vector_codes_1", "UPDATE vectors_1 SET v = x'0000'"],
    ids=["a code that is gone", "a vector too short"],
)
def test_damaged_vectors_are_left_out(world: World, damage: str) -> None:
    with world.storage.database.transaction() as tx:
        tx.run(f"{damage} WHERE chunk_id = 7")
    derived = MemoryIndex(world.storage, fewest=1)
    check(derived, world)
    derived.wait()
    assert derived.vectors.status() == VectorIndexStatus("faiss", 499, None)
    check(derived, world)


def test_it_is_built_when_there_are_enough() -> None:
    """And rebuilt, in the background, when more has changed than a query should take over."""
    world = World(SqliteStorage.in_memory())
    derived = MemoryIndex(world.storage)
    assert derived.vector_candidates(EAST, EVERYTHING, limit=5) == []
    derived.wait()
    assert derived.vectors.status() == VectorIndexStatus("sqlite", 0, SMALL)
    world.add_space()
    fill(world, Random(1), "f1", 4_999)
    check(derived, world)
    derived.wait()
    assert derived.vectors.status() == VectorIndexStatus("sqlite", 4_999, SMALL)
    for owner, chunks, vectors in (("f2", 1, 5_000), ("f3", 5_001, 10_001)):
        fill(world, Random(chunks), owner, chunks)
        check(derived, world)
        derived.wait()
        assert derived.vectors.status() == VectorIndexStatus("faiss", vectors, None)
        check(derived, world)
    derived.close()
    world.storage.close()


def test_too_little_memory(world: World) -> None:
    free = [1 << 20]
    derived = MemoryIndex(world.storage, fewest=1, available=lambda: free[0])
    check(derived, world)
    derived.wait()
    reason = "FAISS would take 64 MB of 1 MB available"
    assert derived.vectors.status() == VectorIndexStatus("sqlite", 500, reason)
    free[0] = 1 << 30
    check(derived, world)
    derived.wait()
    assert derived.vectors.status().reason == reason  # it is tried again when something has changed
    fill(world, Random(8), "f8", 1)
    check(derived, world)
    derived.wait()
    assert derived.vectors.status() == VectorIndexStatus("faiss", 501, None)
    derived.close()


def test_what_the_system_says_of_its_memory(tmp_path: Path) -> None:
    path = tmp_path / "meminfo"
    path.write_text("MemTotal:  9 kB\nMemAvailable:   17 kB\n")
    assert available_bytes(path) == 17 * 1024
    path.write_text("MemTotal:  9 kB\n")
    pages = available_bytes(path)
    assert pages is None or pages > 0
    assert (available_bytes(tmp_path / "none") is None) == (pages is None)


def test_closing_breaks_off_a_build(world: World) -> None:
    derived = MemoryIndex(world.storage, fewest=1)
    derived.start()
    derived.close()
    assert derived.vectors.status() == VectorIndexStatus("sqlite", 500, "it has been closed")
    derived.start()
    check(derived, world)
    assert derived.vectors.status().kind == "sqlite"


def test_a_database_that_was_closed_meanwhile(tmp_path: Path) -> None:
    storage = SqliteStorage.open(tmp_path / "memory.db", create=True)
    storage.close()
    derived = MemoryIndex(storage)
    derived.start()
    derived.wait()
    for part in (derived.vectors, derived.keywords):
        with part.locked() as (held, reason):
            assert held is None
            assert "has been closed" in reason


class Broken(ChangeLogCache[HeldVectors]):
    """A structure whose building ends in what nobody expects."""

    def _key(self) -> None:
        return None

    def _read(self, sequence: int, key: object) -> HeldVectors:
        raise LookupError(f"{sequence} {key}")

    def _apply(self, held: HeldVectors, changed: frozenset[int]) -> bool:
        raise NotImplementedError


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_defect_is_told_from_a_build_under_way(world: World) -> None:
    broken = Broken(world.storage, available=available_bytes)
    broken.start()
    broken.wait()
    with broken.locked() as (held, reason):
        assert held is None
        assert "defect" in reason


def test_without_faiss(tmp_path: Path) -> None:
    """In a process where it cannot be imported, SQLite answers and the status says why."""
    with opened(tmp_path) as memory:
        ingest_text(memory, "Rivers carry silt to the sea.")
    program = f"""
import sys
sys.modules["faiss"] = None
from pathlib import Path
from memory.retrieval.memory_index import MemoryIndex
from memory.retrieval.server_caches import cache_answers
from memory.retrieval.searching import search
from tests.memory.databases import ENGINE, opened
with opened(Path({str(tmp_path)!r})) as memory:
    index = cache_answers(memory).index = MemoryIndex(memory.storage, fewest=1)
    index.start()
    index.wait()
    assert search(memory, "where do rivers carry silt").results
    print(index.vectors.status())
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert (
        f"kind='{ENGINE}', vectors=1, reason='faiss cannot be loaded: import of faiss"
        in done.stdout
    )


@pytest.mark.slow
def test_threads_at_once(world: World, index: MemoryIndex) -> None:
    chance, done = Random(9), threading.Event()

    def ask(seed: int) -> int:
        asked = 0
        while not done.is_set() or not asked:
            check(index, world, seed=seed + asked)
            asked += 1
        return asked

    with ThreadPoolExecutor(6) as others:
        asked = [others.submit(ask, 1_000 * number) for number in range(6)]
        try:
            for number in range(40):
                fill(world, chance, f"f{number % 7}", chance.randrange(40))
        finally:
            done.set()
        assert all(future.result() for future in asked)
    check(index, world)
    assert index.vectors.status().kind == "faiss"


def check_all(derived: MemoryIndex, storage: SqliteStorage, chance: Random) -> None:
    """Words, meaning and both together are ranked as the database alone would rank them."""
    query, vector = some_words(chance, 6), some_query(chance)
    analysis = analyse(query)
    options = SearchOptions(mode="hybrid", max_results=20, min_score=0)
    rankings = []
    with storage.database.snapshot():
        for index in (derived, storage):
            hybrid = HybridSearch(index).search(analysis, options, QueryVectorInfo(vector))
            rankings.append(
                (
                    index.keyword_candidates(analysis.keyword, EVERYTHING, limit=50),
                    index.vector_candidates(vector, EVERYTHING, limit=50),
                    [(hit.row.chunk_id, hit.score) for hit in hybrid.hits],
                )
            )
    assert rankings[0] == rankings[1]


@pytest.mark.slow
def test_other_processes_write_and_die(tmp_path: Path) -> None:
    storage = SqliteStorage.open(tmp_path / "memory.db", create=True)
    World(storage).add_space()
    derived = MemoryIndex(storage, fewest=1, counted_every_s=0)
    writers = [start("change_chunks", tmp_path, given) for given in ("a", "b", "forever")]
    told = [lines(writer) for writer in writers]
    chance, from_memory = Random(10), 0
    try:
        for _ in range(40):
            for line in told:
                next(line)
            check_all(derived, storage, chance)
            from_memory += derived.keywords.status().kind == "memory"
            derived.wait()
        kill(writers[2])
        for writer, line in zip(writers[:2], told, strict=False):
            assert list(line)[-1] == "done"
            assert writer.wait(60) == 0
        for _ in range(5):
            check_all(derived, storage, chance)
            derived.wait()
        assert from_memory > 20
        assert derived.vectors.status() == VectorIndexStatus("faiss", storage.count_vectors(), None)
        assert derived.keywords.status().chunks == storage.count_chunks() > 20
    finally:
        for writer in writers:
            kill(writer)
        derived.close()
        storage.close()
    with closing(SqliteStorage.open(tmp_path / "memory.db", create=False)) as again:
        fresh = MemoryIndex(again, fewest=1)
        fresh.start()
        fresh.wait()
        check_all(fresh, again, chance)
        fresh.close()


def test_a_workspace_answers_alike_with_and_without(memory: Workspace) -> None:
    for number in range(250):
        ingest_text(memory, f"note {number} about pumps{number % 7} and rivers")
    options = SearchOptions(mode="vector", min_score=0)
    plain = search(memory, "the pumps3 of 17", options).results
    assert read_status(memory).vector_index == VectorIndexStatus(
        ENGINE, 250, "this process is not a server"
    )
    index = cache_answers(memory).index = MemoryIndex(memory.storage, fewest=1)
    index.start()
    index.wait()
    assert candidates_of(memory) is index
    assert search(memory, "the pumps3 of 17", options).results == plain
    assert read_status(memory).vector_index == VectorIndexStatus("faiss", 250, None)


def test_what_was_written_is_found_while_others_search(memory: Workspace) -> None:
    """A scan that began before a write takes nothing from the search that follows the write."""
    for number in range(20):
        ingest_text(memory, f"note {number} about pumps and rivers")
    index = cache_answers(memory).index = MemoryIndex(memory.storage, fewest=1)
    index.start()
    index.wait()
    done = threading.Event()

    def ask(name: str) -> int:
        asked = 0
        while not done.is_set():
            assert search(memory, f"the rivers of {name} {asked}").results
            asked += 1
        return asked

    with ThreadPoolExecutor(3) as others:
        asked = [others.submit(ask, name) for name in ("north", "south", "west")]
        try:
            for number in range(30):
                ingest_text(memory, f"a heron nests at weir{number}")
                found = search(memory, f"heron at weir{number}").results
                assert f"weir{number}" in found[0].text
        finally:
            done.set()
        assert all(future.result() for future in asked)
    assert index.vectors.status().kind == "faiss"


def test_accelerating_keeps_one_index(memory: Workspace) -> None:
    start_server_caches(memory)
    first = memory_index_of(memory)
    start_server_caches(memory)
    assert first is not None
    assert memory_index_of(memory) is first
    first.wait()
    assert read_status(memory).vector_index == VectorIndexStatus(ENGINE, 0, SMALL)
