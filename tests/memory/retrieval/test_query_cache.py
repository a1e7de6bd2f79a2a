"""Answers that are given again are those that would be found again."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from threading import Thread

import pytest

from contracts import Scope
from memory.config.settings import ChunkingConfig, MemoryConfig, SearchConfig
from memory.files.ingestion import ingest_text, sync_files
from memory.manager import MemoryManager
from memory.operations.manage import delete_record, list_records, update_record
from memory.operations.status import read_status
from memory.retrieval.query_cache import QueryCache
from memory.retrieval.searching import default_options, search
from memory.retrieval.server_caches import cache_answers, memory_index_of, start_server_caches
from memory.storage.meta import FUSION_WEIGHTS, write_meta
from memory.storage.vectors import from_float16
from memory.values.results import SearchResponse
from memory.workspace import Workspace
from search import SearchOptions, TimeDecay
from tests.memory.databases import document, fake, loaded, opened, vector_rows, write
from tests.memory.storage.oracle import new_chunk
from tests.repository import ROOT

QUERY = "the pump hums in the cellar"


@pytest.fixture
def long_lived(tmp_path: Path, docs: Path) -> Iterator[Workspace]:
    """A database of two files and a text in a process that remembers its answers."""
    write(docs, {"a.md": document(0, 1), "b.md": document(2)})
    with opened(tmp_path) as workspace:
        cache_answers(workspace)
        sync_files(workspace, [docs])
        ingest_text(workspace, "A note about the pump.", metadata={"by": {"whom": "Ann"}})
        yield workspace


def anew(response: SearchResponse) -> SearchResponse:
    """An answer without what is of its own moment."""
    return replace(response, search_time_ms=0.0, cached=False)


def uncached(workspace: Workspace, query: str, options: SearchOptions) -> SearchResponse:
    """What a process that remembers nothing answers."""
    with Workspace(workspace.loaded) as other:
        return anew(search(other, query, options))


def id_of(workspace: Workspace, *, source: str) -> str:
    return list_records(workspace, source=source).records[0].id


def elsewhere(program: str, workspace: Workspace) -> None:
    """Run a program with the same database, as `memory`, in another process."""
    code = f"""
from pathlib import Path
from memory.files.ingestion import *
from memory.operations.manage import *
from tests.memory.databases import opened
with opened(Path({str(workspace.loaded.base_dir)!r})) as memory:
    {program}
"""
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environ, check=True)


def test_the_same_question_is_answered_at_once(long_lived: Workspace) -> None:
    first = search(long_lived, QUERY)
    asked = fake(long_lived).calls
    again = search(long_lived, QUERY)
    assert (first.cached, again.cached) == (False, True)
    assert first.results
    assert anew(again) == anew(first)
    assert fake(long_lived).calls == asked, "the model need not be asked"
    assert not search(long_lived, f"{QUERY} ").cached


@pytest.mark.parametrize(
    "changes",
    [
        {"mode": "keyword"},
        {"mode": "vector"},
        {"max_results": 2},
        {"min_score": 0.5},
        {"all_chunks": True},
        {"explain": True},
        {"neighbours": 2},
        {"fold": "none"},
        {"fusion": "rrf"},
        {"vector_weight": 0.9},
        {"scope": Scope(sources=("text",))},
        {"scope": Scope(since="2020-01-01T00:00:00.000Z")},
        {"scope": Scope(tags=("x",))},
        {"decay": TimeDecay(enabled=False)},
    ],
    ids=str,
)
def test_another_wish_is_another_question(
    long_lived: Workspace, changes: dict[str, object]
) -> None:
    options = default_options(long_lived.config.search)
    search(long_lived, QUERY, options)
    other = replace(options, **changes)  # type: ignore[arg-type]
    response = search(long_lived, QUERY, other)
    assert not response.cached
    assert anew(response) == uncached(long_lived, QUERY, other)
    assert search(long_lived, QUERY, other).cached
    assert search(long_lived, QUERY, options).cached


def rename_file(workspace: Workspace, docs: Path) -> None:
    (docs / "a.md").rename(docs / "renamed.md")
    sync_files(workspace)


def change_file(workspace: Workspace, docs: Path) -> None:
    write(docs, {"a.md": document(0, 3)})
    sync_files(workspace)


def remove_file(workspace: Workspace, docs: Path) -> None:
    (docs / "a.md").unlink()
    sync_files(workspace)


def add_file(workspace: Workspace, docs: Path) -> None:
    write(docs, {"new.md": f"# Pump\n\nNews: {QUERY}.\n"})
    sync_files(workspace)


def touch_file(workspace: Workspace, docs: Path) -> None:
    os.utime(docs / "a.md", (1_000_000_000, 1_000_000_000))
    sync_files(workspace)


def replace_vector(workspace: Workspace, _docs: Path) -> None:
    space = workspace.storage.active_space()
    assert space is not None
    first, *_, last = sorted(vectors := vector_rows(workspace.storage))
    with workspace.storage.database.transaction() as tx:
        workspace.storage.put_vectors(tx, space, from_float16({first: vectors[last]}))


def measure_weight(workspace: Workspace, _docs: Path) -> None:
    space = workspace.storage.active_space()
    assert space is not None
    weights = {space.embedder: {"weight": 0.9, "questions": 9, "chunks": 9}}
    with workspace.storage.database.transaction() as tx:
        write_meta(tx, FUSION_WEIGHTS, weights)


CHANGES: dict[str, Callable[[Workspace, Path], object]] = {
    "a text": lambda memory, _: ingest_text(memory, f"Another one: {QUERY}."),
    "a text again, with a title": lambda memory, _: ingest_text(
        memory, "A note about the pump.", metadata={"title": "cellar"}
    ),
    "a text removed": lambda memory, _: delete_record(memory, id_of(memory, source="text")),
    "a file": add_file,
    "a file changed": change_file,
    "a file renamed": rename_file,
    "a file touched": touch_file,
    "a file removed": remove_file,
    "a file's record removed": lambda memory, _: delete_record(
        memory, id_of(memory, source="file")
    ),
    "metadata of a text": lambda memory, _: update_record(
        memory, id_of(memory, source="text"), metadata={"new": 1}
    ),
    "metadata of a file": lambda memory, _: update_record(
        memory, id_of(memory, source="file"), metadata={"new": 1}
    ),
    "tags of a text": lambda memory, _: update_record(
        memory, id_of(memory, source="text"), tags=["new"]
    ),
    "tags of a file": lambda memory, _: update_record(
        memory, id_of(memory, source="file"), tags=["new"]
    ),
    "a vector": replace_vector,
    "the weight of the model": measure_weight,
    "a text, by another process": lambda memory, _: elsewhere(
        f'ingest_text(memory, "Another one: {QUERY}.")', memory
    ),
    "metadata of a file, by another process": lambda memory, _: elsewhere(
        f'update_record(memory, "{id_of(memory, source="file")}", metadata={{"new": 1}})', memory
    ),
    "a text removed, by another process": lambda memory, _: elsewhere(
        f'delete_record(memory, "{id_of(memory, source="text")}")', memory
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_every_change_makes_an_answer_old(name: str, long_lived: Workspace, docs: Path) -> None:
    options = replace(default_options(long_lived.config.search), explain=True, min_score=0.0)
    search(long_lived, QUERY, options)
    assert search(long_lived, QUERY, options).cached
    CHANGES[name](long_lived, docs)
    response = search(long_lived, QUERY, options)
    assert not response.cached
    assert anew(response) == uncached(long_lived, QUERY, options)
    assert search(long_lived, QUERY, options).cached


@pytest.mark.parametrize("name", ["a file renamed", "tags of a file", "a text"])
def test_a_narrow_scope_notices_too(name: str, long_lived: Workspace, docs: Path) -> None:
    scope = Scope(sources=("file",), globs=("*renamed.md",))
    options = SearchOptions(scope=scope if "renamed" in name else Scope(tags=("new",)))
    assert search(long_lived, QUERY, options).results == []
    CHANGES[name](long_lived, docs)
    response = search(long_lived, QUERY, options)
    assert anew(response) == uncached(long_lived, QUERY, options)
    assert bool(response.results) == (name != "a text")


@pytest.mark.sqlite_only(reason="traces SQLite's statements")
def test_a_search_reads_what_all_its_parts_need_once(long_lived: Workspace) -> None:
    """Once after a write, for that search and all later ones."""
    statements: list[str] = []

    def traced(_cursor: object, sql: str, _bindings: object) -> bool:
        statements.append(" ".join(sql.split()))
        return True

    start_server_caches(long_lived)
    index = memory_index_of(long_lived)
    assert index is not None
    index.wait()
    with long_lived.storage.database.transaction() as tx:
        tx.run("UPDATE files SET state = state")
    with long_lived.storage.database.connection() as connection:
        connection.exec_trace = traced
        assert search(long_lived, QUERY).results
        assert search(long_lived, f"{QUERY} again").results
        connection.exec_trace = None
    for part in (
        "FROM spaces WHERE state = 'active'",
        "SELECT generation FROM spaces AS active",
        "SELECT seq FROM sqlite_sequence WHERE name = 'changes'",
        "SELECT state, count(*) FROM files",
    ):
        found = [sql for sql in statements if sql.startswith(part) or sql.endswith(part)]
        assert len(found) == 1, (part, found)


def test_freshness_and_warnings_are_of_this_moment(long_lived: Workspace, docs: Path) -> None:
    search(long_lived, QUERY)
    with long_lived.storage.database.transaction() as tx:
        tx.run("UPDATE files SET state = 'failed' WHERE path = :path", {"path": str(docs / "b.md")})
    response = search(long_lived, QUERY)
    assert response.cached
    assert response.freshness.failed == 1
    changed = MemoryConfig(
        embeddings=long_lived.config.embeddings, chunking=ChunkingConfig(chunk_size_chars=500)
    )
    long_lived.config = changed
    response = search(long_lived, QUERY, default_options(SearchConfig()))
    assert response.cached
    assert "the configuration asks for chunks of 500" in response.warnings[0]


def test_an_answer_without_the_model_is_not_kept(long_lived: Workspace) -> None:
    fake(long_lived).fail_times = 2
    for _ in range(2):
        response = search(long_lived, QUERY)
        assert (response.mode_used, response.cached) == ("keyword", False)
        assert "answered by words alone" in response.warnings[0]
    response = search(long_lived, QUERY)
    assert (response.mode_used, response.cached) == ("hybrid", False)
    fake(long_lived).fail_times = 1
    assert search(long_lived, QUERY).cached


def test_an_answer_that_fades_is_not_kept(long_lived: Workspace) -> None:
    turn = new_chunk(f"I said that {QUERY}.", "s1")
    with long_lived.storage.database.transaction() as tx:
        long_lived.storage.replace_chunks(
            tx, "turn", "s1", generation=long_lived_generation(long_lived), chunks=[turn]
        )
    options = default_options(long_lived.config.search)
    for _ in range(2):
        response = search(long_lived, QUERY, options)
        assert "turn" in {hit.source for hit in response.results}
        assert not response.cached
    for fixed in (
        replace(options, decay=TimeDecay(enabled=False)),
        replace(options, scope=Scope(sources=("file",))),
    ):
        search(long_lived, QUERY, fixed)
        assert search(long_lived, QUERY, fixed).cached


def long_lived_generation(workspace: Workspace) -> str:
    space = workspace.storage.active_space()
    assert space is not None
    return space.generation


def test_who_changes_an_answer_changes_it_for_nobody_else(long_lived: Workspace) -> None:
    options = replace(default_options(long_lived.config.search), explain=True, max_results=20)
    first = search(long_lived, QUERY, options)
    kept = anew(search(long_lived, QUERY, options))
    for response in (first, search(long_lived, QUERY, options)):
        for hit in response.results:
            hit.metadata["by"] = "me"
            assert hit.explanation is not None
            hit.explanation.clear()
        note = next(hit for hit in response.results if hit.source == "text")
        note.metadata.clear()
        response.results.clear()
        response.warnings.append("mine")
    again = search(long_lived, QUERY, options)
    assert again.cached
    assert anew(again) == kept
    note = next(hit for hit in again.results if hit.source == "text")
    note.metadata["by"]["whom"] = "Bob"
    assert anew(search(long_lived, QUERY, options)) == kept


@pytest.mark.parametrize("query", ["", '"', "a" * 100_000], ids=ascii)
def test_no_query_fails_the_second_time(query: str, long_lived: Workspace) -> None:
    query = query[:20_000]
    assert anew(search(long_lived, query)) == anew(search(long_lived, query))


def test_wishes_need_not_be_hashable(long_lived: Workspace) -> None:
    options = SearchOptions(scope=Scope(sources=["file"]))  # type: ignore[arg-type]
    assert search(long_lived, QUERY, options).results
    assert search(long_lived, QUERY, options).cached


def test_the_number_of_answers_is_bounded(long_lived: Workspace) -> None:
    cache = cache_answers(long_lived).answers = QueryCache(long_lived.storage, most=3)
    for number in (0, 1, 2, 0, 3):
        search(long_lived, f"pump {number}")
    assert cache.status().answers == 3
    known = [number for number in (0, 2, 3) if search(long_lived, f"pump {number}").cached]
    assert known == [0, 2, 3]
    assert not search(long_lived, "pump 1").cached, "the one that was not asked for longest"


def test_the_bytes_of_answers_are_bounded(long_lived: Workspace) -> None:
    search(long_lived, QUERY)
    one = cache_answers(long_lived).answers.status().size_bytes
    text = sum(len(hit.text) for hit in search(long_lived, QUERY).results)
    assert text < one < text + 50_000
    cache = QueryCache(long_lived.storage, most_bytes=int(3.5 * one))
    cache_answers(long_lived).answers = cache
    for number in range(20):
        search(long_lived, f"{QUERY} {number}")
        assert cache.status().size_bytes <= 3.5 * one
    assert 2 <= cache.status().answers <= 4
    tiny = cache_answers(long_lived).answers = QueryCache(long_lived.storage, most_bytes=10)
    search(long_lived, QUERY)
    assert (tiny.status().answers, tiny.status().size_bytes) == (0, 0)


def test_the_status_has_the_hit_rate(long_lived: Workspace) -> None:
    status = read_status(long_lived).query_cache
    assert status is not None
    assert (status.hits, status.misses, status.hit_rate, status.answers) == (0, 0, 0.0, 0)
    for query in ("one", "two", "two", "two"):
        search(long_lived, query)
    status = read_status(long_lived).query_cache
    assert status is not None
    assert (status.hits, status.misses, status.hit_rate, status.answers) == (2, 2, 0.5, 2)
    with Workspace(long_lived.loaded) as once:
        search(once, "two")
        assert not search(once, "two").cached
        assert read_status(once).query_cache is None


async def answers_of(manager: MemoryManager) -> list[bool]:
    return [(await manager.answer(QUERY)).cached for _ in range(2)]


def test_the_manager_remembers(tmp_path: Path) -> None:
    import asyncio

    manager = MemoryManager(loaded(tmp_path))
    assert asyncio.run(answers_of(manager)) == [False, True]
    manager.close()


def test_random_changes_between_questions(long_lived: Workspace, docs: Path) -> None:
    chance = Random(20)
    questions = [QUERY, "Marmalade and oranges", "lighthouse keeper", "item3x1"]
    options = [
        SearchOptions(min_score=0.0),
        SearchOptions(mode="keyword", max_results=3),
        SearchOptions(scope=Scope(tags=("odd",)), explain=True),
    ]
    texts: list[str] = []
    known = 0
    with Workspace(long_lived.loaded) as plain:
        for step in range(250):
            writer = chance.choice([long_lived, plain])
            if chance.random() < 0.12:
                text = f"Note {step}: {chance.choice(questions)}."
                texts.append(ingest_text(writer, text, tags=["odd"] if step % 2 else []).id)
            elif texts and chance.random() < 0.06:
                delete_record(writer, texts.pop(chance.randrange(len(texts))))
            elif texts and chance.random() < 0.06:
                update_record(writer, chance.choice(texts), tags=["odd"], metadata={"at": step})
            elif chance.random() < 0.05:
                write(docs, {f"{chance.randrange(3)}.md": document(chance.randrange(9), step)})
                sync_files(writer)
            asked = chance.choice(questions), chance.choice(options)
            response = search(long_lived, *asked)
            assert anew(response) == anew(search(plain, *asked)), step
            known += response.cached
    assert known > 20


def test_threads_ask_while_others_write(long_lived: Workspace) -> None:
    questions = [f"{QUERY} {number % 3}" for number in range(40)]
    wrong: list[str] = []

    def ask(seed: int) -> None:
        for question in Random(seed).sample(questions, len(questions)):
            before = long_lived.storage.revision()
            response = search(long_lived, question)
            fresh = uncached(long_lived, question, default_options(long_lived.config.search))
            if long_lived.storage.revision() == before and anew(response) != fresh:
                wrong.append(question)

    def change() -> None:
        for number in range(10):
            ingest_text(long_lived, f"Note {number}: {QUERY} {number % 3}")
            deadline = time.monotonic() + 0.02
            while time.monotonic() < deadline:
                long_lived.storage.sequence()

    threads = [Thread(target=ask, args=(seed,)) for seed in range(3)]
    threads.append(Thread(target=change))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    status = cache_answers(long_lived).answers.status()
    assert status.hits + status.misses == 120
