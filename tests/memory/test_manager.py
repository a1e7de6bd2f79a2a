"""The asynchronous face: every method, at once and one after the other."""

import asyncio
import inspect
import subprocess
import sys
from collections.abc import Awaitable
from inspect import get_annotations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from contracts import ConfigError, InputError, NotFoundError, StorageError
from memory import (
    MemoryConfig,
    MemoryManager,
    MemorySearchResponse,
    SearchOptions,
    SearchResult,
)
from memory.config.settings import (
    ChunkingConfig,
    EmbeddingsConfig,
    FilesConfig,
    OpenAIConfig,
    SearchConfig,
)
from memory.operations.manage import get_record
from memory.retrieval.search_keywords import SearchKeywords, with_keywords
from providers.fake import FakeProvider
from tests.memory.databases import FAKE, UNDECODABLE, document, loaded, opened, write
from tests.repository import ROOT


def run(action: Awaitable[Any]) -> Any:
    async def wait() -> Any:
        return await action

    return asyncio.run(wait())


def host_config(base: Path, **settings: Any) -> MemoryConfig:
    """What a host application writes; the numbers are those of the first design."""
    return MemoryConfig(
        **{
            "backend": "sqlite",
            "storage_path": str(base / "data/memory.db"),
            "embeddings": EmbeddingsConfig(provider="fake", cache_embeddings=True, batch_size=32),
            "search": SearchConfig(
                max_results=10,
                min_score=0.3,
                hybrid_enabled=True,
                vector_weight=0.7,
                keyword_weight=0.3,
            ),
            "chunking": ChunkingConfig(chunk_size_chars=1000, chunk_overlap_chars=200),
            "files": FilesConfig(
                watch_directories=(str(base / "docs"),), file_patterns=("*.md", "*.txt", "*.py")
            ),
            "session_retention_hours": 24,
            "long_term_opt_in": True,
            **settings,
        }
    )


def test_a_whole_day(tmp_path: Path, docs: Path) -> None:
    async def day() -> None:
        write(docs, {"a.md": document(0, 1), "b.rst": "not wanted"})
        async with MemoryManager(host_config(tmp_path)) as manager:
            stats = await manager.sync_files()
            assert (stats.added, stats.failed, stats.skipped) == (1, 0, 0)
            hits = await manager.search("marmalade from bitter oranges")
            assert hits[0].file_path == str(docs / "a.md")
            answer = await manager.answer("marmalade", SearchOptions(mode="keyword", explain=True))
            assert answer.mode_used == "keyword"
            assert answer.results[0].explanation is not None
            text_id = await manager.ingest_text("Rivers carry silt.", {"k": "v"}, ["t"])
            assert await manager.get_file(text_id) == "Rivers carry silt."
            write(docs, {"c.txt": "one\ntwo\nthree\n"})
            file_id = await manager.ingest_file(str(docs / "c.txt"), {"from": "Ines"})
            assert await manager.get_file(file_id, (2, 3)) == "two\nthree"
            assert await manager.get_file(file_id, range(2, 4)) == "two\nthree"
            record = await manager.get_record(file_id)
            assert (record.path, record.metadata) == (str(docs / "c.txt"), {"from": "Ines"})
            page = await manager.list_records(source="file", limit=1)
            assert (len(page.records), page.next_cursor) == (1, str(docs / "a.md"))
            rest = await manager.list_records(
                source="file", path=str(docs), limit=9, cursor=page.next_cursor
            )
            assert [item.id for item in rest.records] == [file_id]
            updated = await manager.update_record(text_id, metadata={"k": 2}, tags=["u"])
            assert (updated.metadata, updated.tags) == ({"k": 2}, ["u"])
            status = await manager.get_status()
            assert status.files == {"indexed": 2}
            assert (await manager.delete_record(text_id)).id == text_id
            with pytest.raises(NotFoundError, match=text_id):
                await manager.get_record(text_id)
            assert (await manager.sync_files([str(docs)])).unchanged == 2

    asyncio.run(day())
    assert (tmp_path / "data/memory.db").exists()


@pytest.mark.parametrize(
    "content, match",
    [
        pytest.param(b"\0\1\2" * 99, "cannot be indexed: binary", id="binary"),
        pytest.param(b"", "cannot be indexed: empty", id="empty"),
    ],
)
def test_a_file_that_is_no_text(tmp_path: Path, docs: Path, content: bytes, match: str) -> None:
    manager = MemoryManager(host_config(tmp_path))
    write(docs, {"a.md": content})
    with pytest.raises(InputError, match=match):
        run(manager.ingest_file(str(docs / "a.md")))
    manager.close()


@pytest.mark.parametrize(
    "ask, match",
    [
        (lambda memory: memory.search(None), "the query is None"),
        (lambda memory: memory.search("pump", {"mode": "vector"}), "the options are {'mode'"),
        (lambda memory: memory.search("pump", {}), "the options are {}"),
        (lambda memory: memory.search("pump", {}, mode="keyword"), "the options are {}"),
        (lambda memory: memory.search("pump", max_result=3), "'max_result' .*did you mean 'max_r"),
        (lambda memory: memory.search("pump", max_results=0), "max_results is 0"),
        (lambda memory: memory.answer("pump", mode="fts"), "the mode is 'fts'"),
        (lambda memory: memory.answer("pump", sources="docs"), "the sources are 'docs'"),
        (lambda memory: memory.recall("pump", max_results=3), "the k of recall"),
        (lambda memory: memory.recall("pump", k="3"), "k is '3'"),
        (lambda memory: memory.recall("pump", sources=["file"]), "recall looks in memory, turn"),
        (lambda memory: memory.recall("pump", sources=[".md"]), "recall looks in memory, turn"),
        (lambda memory: memory.recall("pump", min_score=2), "min_score is 2"),
        (lambda memory: memory.ingest_text(None), "the text is None"),
        (lambda memory: memory.ingest_text("pump", "title"), "the metadata is 'title'"),
        (lambda memory: memory.ingest_text("pump", []), r"the metadata is \[\]"),
        (lambda memory: memory.ingest_text("pump", tags=None), "the tags are None"),
        (lambda memory: memory.ingest_text("pump", tags="ab"), "the tags are 'ab'"),
        (lambda memory: memory.ingest_text("pump", tags=[1]), r"the tags are \[1\]"),
        (lambda memory: memory.get_file("x", "1-2"), "the lines are '1-2'"),
        (lambda memory: memory.get_file("x", (1,)), r"the lines are \(1,\)"),
        (lambda memory: memory.get_file("x", (1, None)), r"the lines are \(1, None\)"),
        (lambda memory: memory.get_file("x", (1.0, 2)), r"the lines are \(1\.0, 2\)"),
        (lambda memory: memory.get_file("x", range(1, 9, 2)), r"the lines are range\(1, 9, 2\)"),
        (lambda memory: memory.sync_files(5), "the paths are 5"),
        (lambda memory: memory.sync_files([None]), "the path is None"),
        (lambda memory: memory.ingest_file(b"a.md"), "the path is b'a.md'"),
        (lambda memory: memory.list_records(path=5), "the path is 5"),
        (lambda memory: memory.list_records(cursor=5), "the cursor is 5"),
        (lambda memory: memory.sync_files("docs"), "the paths are 'docs' .*a list"),
        (lambda memory: memory.sync_files([""]), "the path '' is empty"),
        (lambda memory: memory.ingest_file(""), "the path '' is empty"),
        (lambda memory: memory.list_records(path=""), "the path '' is empty"),
        (lambda memory: memory.list_records(limit="5"), "the limit is '5'"),
        (lambda memory: memory.list_records(limit=True), "the limit is True"),
    ],
)
def test_what_is_of_the_wrong_kind(tmp_path: Path, ask: Any, match: str) -> None:
    memory = MemoryManager(MemoryConfig(backend="memory"))
    with pytest.raises(InputError, match=match):
        run(ask(memory))
    memory.close()


def test_options_of_a_search_are_keywords(
    tmp_path: Path, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(docs.parent)
    write(docs, {"a.md": document(0, 1, 2), "b/c.txt": document(3)})

    async def ask() -> None:
        search = SearchConfig(max_results=2)
        async with MemoryManager(host_config(tmp_path, search=search)) as memory:
            await memory.sync_files([str(docs)])
            text_id = await memory.ingest_text("The pump of the cellar hums.")
            assert len(await memory.search("the", mode="keyword", all_chunks=True)) == 2
            one = await memory.answer("the", mode="keyword", max_results=1)
            assert (one.mode_used, one.total_results) == ("keyword", 1)
            given = SearchOptions(mode="keyword", max_results=1, all_chunks=True)
            assert len(await memory.search("the", given, max_results=3)) == 3
            for sources, places in (
                (["docs/b/"], {str(docs / "b/c.txt")}),
                (["*.md"], {str(docs / "a.md")}),
                (["text"], {None}),
            ):
                hits = await memory.search("the", mode="keyword", sources=sources)
                assert {hit.file_path for hit in hits} == places
                assert hits == await memory.search("the", SearchOptions("keyword", sources=sources))
            (text,) = await memory.recall("pump", mode="keyword", sources=["text"])
            assert text.file_id == text_id

    asyncio.run(ask())


def test_the_parts_of_an_open_memory(tmp_path: Path) -> None:
    async def ask() -> None:
        async with MemoryManager(host_config(tmp_path)) as memory:
            assert memory.config.storage_path == str(tmp_path / "data/memory.db")
            assert memory.storage.count_chunks() == 0
            assert isinstance(memory.embedder, FakeProvider)
            text_id = await memory.ingest_text("The pump hums at night.")
            assert memory.embedder is memory.embedder
            hits = await memory.searcher.search("pump", SearchOptions(max_results=1))
            assert [hit.file_id for hit in hits] == [text_id]
            answer = await memory.searcher.answer("pump", mode="keyword")
            assert isinstance(answer, MemorySearchResponse)
            assert isinstance(answer.results[0], SearchResult)
            assert (answer.query, answer.mode_used) == ("pump", "keyword")
            assert answer.total_results == len(answer.results) == 1
            assert answer.search_time_ms > 0

    asyncio.run(ask())


def test_the_keywords_of_a_search_are_its_options() -> None:
    parameters = inspect.signature(SearchOptions).parameters
    assert list(get_annotations(SearchKeywords)) == list(parameters)


def test_one_weight_sets_the_other() -> None:
    config = SearchConfig(vector_weight=0.7, keyword_weight=0.3)
    assert with_keywords(config, None, {"keyword_weight": 0.9}).given_weight == pytest.approx(0.1)
    assert with_keywords(config, None, {}).given_weight == pytest.approx(0.7)


@pytest.mark.parametrize("other", [5, None, ["a"], b"a"], ids=repr)
def test_an_id_of_the_wrong_kind_is_none(other: Any) -> None:
    memory = MemoryManager(MemoryConfig(backend="memory"))
    for ask in (memory.get_record, memory.update_record, memory.delete_record, memory.get_file):
        with pytest.raises(NotFoundError, match="there is no file or text with the id"):
            run(ask(other))
    memory.close()


@pytest.mark.parametrize("other", [5, "memory.db", {"backend": "memory"}], ids=repr)
def test_what_is_no_configuration(other: Any) -> None:
    with pytest.raises(ConfigError, match="the configuration is"):
        MemoryManager(other)


def test_a_file_that_was_a_text_once(tmp_path: Path, docs: Path) -> None:
    manager = MemoryManager(host_config(tmp_path))
    write(docs, {"a.md": document(0)})
    run(manager.ingest_file(str(docs / "a.md")))
    write(docs, {"a.md": UNDECODABLE})
    with pytest.raises(InputError, match="cannot be indexed: undecodable"):
        run(manager.ingest_file(str(docs / "a.md")))
    with pytest.raises(InputError, match="is a folder"):
        run(manager.ingest_file(str(docs)))
    manager.close()


def test_many_at_once(tmp_path: Path, docs: Path) -> None:
    async def at_once() -> None:
        write(docs, {f"{n}.md": document(n) for n in range(20)})
        async with MemoryManager(host_config(tmp_path)) as manager:
            ids, _, answers = await asyncio.gather(
                asyncio.gather(*(manager.ingest_text(f"note number{n}") for n in range(40))),
                manager.sync_files(),
                asyncio.gather(*(manager.answer("note") for _ in range(20))),
            )
            assert len(set(ids)) == 40
            assert all(answer.total_results <= 10 for answer in answers)
            status = await manager.get_status()
            assert status.chunks == {"file": 20, "text": 40}
            assert status.vectors == 60

    asyncio.run(at_once())


def test_the_memory_backend_leaves_nothing_on_the_disk(tmp_path: Path, docs: Path) -> None:
    async def work() -> None:
        write(docs, {"a.md": document(0)})
        async with MemoryManager(host_config(tmp_path, backend="memory")) as manager:
            assert (await manager.sync_files()).added == 1
            assert len(await manager.search("pump cellar")) == 1
            assert (await manager.sync_files()).unchanged == 1

    asyncio.run(work())
    assert [path.name for path in tmp_path.rglob("*")] == ["docs", "a.md"]


def test_after_close_nothing_goes_on(tmp_path: Path) -> None:
    manager = MemoryManager(host_config(tmp_path))
    run(manager.ingest_text("a note"))
    manager.close()
    manager.close()
    with pytest.raises(StorageError, match="has been closed"):
        run(manager.search("note"))
    assert sorted(path.name for path in (tmp_path / "data").iterdir()) == ["memory.db"]


def test_without_an_argument_the_configuration_of_the_folder_applies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "constitution_config.json").write_text(
        '{"memory": {"storage_path": "here.db", "embeddings": {"provider": "fake"}}}'
    )
    monkeypatch.chdir(tmp_path)
    manager = MemoryManager()
    assert manager.workspace.path == tmp_path / "here.db"
    manager.close()


def test_paths_in_python_settings_start_at_the_working_directory(
    tmp_path: Path, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    files = FilesConfig(watch_directories=("docs",))
    config = MemoryConfig(storage_path="./data/own.db", embeddings=FAKE, files=files)
    write(docs, {"a.md": document(0)})
    manager = MemoryManager(config)
    monkeypatch.chdir("/")
    assert run(manager.sync_files()).added == 1
    assert run(manager.get_status()).database == str(tmp_path / "data/own.db")
    manager.close()


def test_an_unset_variable_without_which_nothing_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NOT_SET_HERE", raising=False)
    embeddings = EmbeddingsConfig(provider="openai", openai=OpenAIConfig(model="${NOT_SET_HERE}"))
    with pytest.raises(ConfigError, match="NOT_SET_HERE"):
        MemoryManager(host_config(tmp_path, embeddings=embeddings))


def test_a_loaded_configuration_is_taken_as_it_is(tmp_path: Path) -> None:
    configuration = loaded(tmp_path)
    manager = MemoryManager(configuration)
    assert manager.workspace.loaded is configuration
    manager.close()


def test_every_operation_is_asynchronous() -> None:
    parts = {"close", "open_sync", "config", "storage", "embedder"}
    names = {name for name in vars(MemoryManager) if not name.startswith("_")} - parts
    assert names >= {
        *("search", "answer", "ingest_text", "ingest_file", "get_file", "sync_files"),
        *("get_status", "list_records", "get_record", "update_record", "delete_record", "reindex"),
        *("build_context", "gc", "stats", "recall"),
        *("remember", "memories", "get_memory", "edit_memory", "why"),
    }
    assert all(inspect.iscoroutinefunction(getattr(MemoryManager, name)) for name in names)


def test_a_reindex_lets_the_rest_go_on(tmp_path: Path) -> None:
    async def both(manager: MemoryManager) -> None:
        await manager.ingest_text("the cellar pump needs bricks")
        report, found = await asyncio.gather(
            manager.reindex(model="fake-96"), manager.search("cellar pump")
        )
        assert (report.swapped, report.space.dimensions, len(found)) == (True, 96, 1)
        assert len(await manager.search("cellar pump")) == 1

    manager = MemoryManager(host_config(tmp_path))
    run(both(manager))
    manager.close()


def test_a_workspace_closes_when_its_block_ends_in_an_error(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="nobody"), opened(tmp_path) as memory:
        get_record(memory, "nobody")
    with pytest.raises(StorageError, match="has been closed"):
        memory.storage.sequence()


def test_a_search_imports_nothing_heavy(tmp_path: Path) -> None:
    """With the built-in model: one query is a handful of rows, and numpy alone takes 60 ms."""
    with opened(tmp_path, embeddings=EmbeddingsConfig(provider="static")) as memory:
        from memory.files.ingestion import ingest_text

        ingest_text(memory, "Rivers carry silt to the sea.")
    program = f"""
import sys
from pathlib import Path
from memory.config.settings import EmbeddingsConfig
from memory.retrieval.searching import search
from tests.memory.databases import opened
with opened(Path({str(tmp_path)!r}), embeddings=EmbeddingsConfig(provider="static")) as memory:
    answer = search(memory, "where do rivers carry silt")
assert answer.mode_used == "hybrid", answer
assert answer.results[0].text == "Rivers carry silt to the sea."
heavy = {{"numpy", "faiss", "torch", "fastapi", "pydantic", "rich", "openai",
    "asyncio", "filelock", "platformdirs"}}
found = heavy & set(sys.modules)
assert not found, found
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


ANYTHING: Any = "docs"
UNNAMED: Any = {1: 1.0}


@pytest.mark.parametrize(
    "given, said",
    [
        ({"backend": "redis"}, 'memory.backend is "redis" .it must be "sqlite" or "memory"'),
        ({"storage_path": ""}, "memory.storage_path is .* a text that is not empty"),
        (
            {"search": {"max_results": 3}},
            "search is of the type dict .give it as SearchConfig",
        ),
        ({"search": SearchConfig(max_results=0)}, "memory.search.max_results is 0 .* from 1 to"),
        (
            {"chunking": ChunkingConfig(chunk_size_chars=100, chunk_overlap_chars=200)},
            "chunk_overlap_chars is 200 .* less than",
        ),
        ({"files": FilesConfig(watch_directories=ANYTHING)}, "watch_directories is .* a list"),
        ({"embeddings": EmbeddingsConfig(prices=UNNAMED)}, "embeddings.prices is .* an object"),
    ],
    ids=["choice", "empty", "section", "range", "two", "list", "names"],
)
def test_settings_made_in_python_are_checked(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        MemoryManager(MemoryConfig(**given))


def test_a_section_of_another_type_is_not_shown() -> None:
    """It may hold keys and tokens."""
    section: Any = {"tokens": ["s3cret"]}
    with pytest.raises(ConfigError, match="server is of the type dict") as refused:
        MemoryManager(MemoryConfig(server=section))
    assert "s3cret" not in str(refused.value)


def test_numbers_of_numpy_are_numbers(tmp_path: Path) -> None:
    whole, part = np.int64(3), np.float32(0.25)
    search: Any = SearchConfig
    config = host_config(tmp_path, search=search(max_results=whole, min_score=part))
    with MemoryManager.open_sync(config) as memory:
        found = memory.config.search
        assert (found.max_results, type(found.max_results)) == (3, int)
        assert (found.min_score, type(found.min_score)) == (0.25, float)
    for wrong in (np.float64(3), np.bool_(1), np.array([3, 4])):
        with pytest.raises(ConfigError, match=r"max_results is .* must be a whole number"):
            MemoryManager(MemoryConfig(search=search(max_results=wrong)))


def test_a_list_that_contains_itself_is_refused() -> None:
    folders: Any = ["docs"]
    folders.extend([folders] * 60)
    prices: Any = {"a": 1.0}
    prices["b"] = prices
    for given, said in (
        ({"files": FilesConfig(watch_directories=folders)}, "watch_directories is .* a list"),
        ({"embeddings": EmbeddingsConfig(prices=prices)}, "prices is .* an object"),
    ):
        settings: Any = given
        with pytest.raises(ConfigError, match=said):
            MemoryManager(MemoryConfig(**settings))


def test_names_that_are_no_texts_are_shown_as_they_are() -> None:
    odd: Any = {("a", 1): 2.0}
    numbers: Any = {1: 2.0}
    for given, said in (
        ({"embeddings": EmbeddingsConfig(prices=odd)}, r"is \{\('a', 1\): 2.0\} .* name a text"),
        ({"embeddings": EmbeddingsConfig(prices=numbers)}, r"is \{1: 2.0\} .* each name a text"),
        ({"storage_path": odd}, r"storage_path is \{\('a', 1\): 2.0\} \(it must be a text"),
        ({"files": FilesConfig(watch_directories=(odd,))}, r"is \[\{\('a', .* each item a text"),
    ):
        settings: Any = given
        with pytest.raises(ConfigError, match=said):
            MemoryManager(MemoryConfig(**settings))


class Text(str):
    """A text as other libraries have it."""


def test_settings_made_in_python_may_be_lists_and_paths(tmp_path: Path) -> None:
    folders: Any = [tmp_path, "docs"]
    place: Any = tmp_path / "memory.db"
    files = FilesConfig(watch_directories=folders)
    config = MemoryConfig(storage_path=place, schema=Text("other"), files=files)
    with MemoryManager.open_sync(config) as memory:
        assert memory.config.storage_path == str(place)
        assert type(memory.config.schema) is str
        assert memory.config.files.watch_directories[0] == str(tmp_path)
