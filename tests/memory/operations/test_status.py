"""A status tells the truth and writes nothing."""

from pathlib import Path

import pytest

from contracts import NotFoundError
from memory.config.settings import FilesConfig
from memory.files.ingestion import ingest_text, sync_files
from memory.operations.status import MOST_PROBLEMS, read_status
from memory.values.reports import FileProblem
from memory.values.results import Freshness
from memory.values.status_reports import KeywordIndexStatus, VectorIndexStatus
from memory.workspace import Workspace
from tests.memory.databases import ENGINE, UNDECODABLE, document, loaded, opened, write
from tests.postgres_server import schema_of


def test_a_new_database(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        status = read_status(memory)
        file, schema = tmp_path / "memory.db", schema_of(tmp_path)
        assert status.database == (f"postgres:{schema}" if ENGINE == "postgres" else str(file))
        assert (status.backend, status.chunks, status.files) == (ENGINE, {}, {})
        assert (status.vectors, status.roots, status.model) == (0, [], None)
        assert (status.sync, status.problems, status.warnings) == (None, [], [])
        assert status.vector_index == VectorIndexStatus(ENGINE, 0, "this process is not a server")
        assert status.keyword_index == KeywordIndexStatus(
            ENGINE, 0, 0, "this process is not a server"
        )
        assert status.freshness == Freshness(None, 0, 0, 0)
        assert status.config_path is None


def test_every_number(tmp_path: Path, docs: Path) -> None:
    write(docs, {"a.md": document(0, 1), "b.md": document(2), "c.md": ""})
    write(docs, {"d.md": UNDECODABLE})
    roots = FilesConfig(watch_directories=(str(docs.parent / "gone"),))
    with opened(tmp_path, files=roots) as memory:
        sync_files(memory, [docs])
        ingest_text(memory, "a note")
        status = read_status(memory)
        assert status.chunks == {"file": 3, "text": 1}
        assert status.files == {"indexed": 2, "failed": 1, "skipped": 1}  # a text is not a file
        assert status.vectors == 4
        assert status.roots == [str(docs), str(docs.parent / "gone")]
        assert status.model is not None
        assert (status.model.provider, status.model.model, status.model.revision) == (
            *("fake", "fake"),
            "1",
        )
        assert (status.model.dimensions, status.model.configured) == (64, True)
        assert (status.freshness.failed, status.freshness.skipped) == (1, 1)
        assert [(Path(item.path).name, item.state) for item in status.problems] == [
            ("c.md", "skipped"),
            ("d.md", "failed"),
        ]
        size = sum(path.stat().st_size for path in tmp_path.glob("memory.db*"))
        assert status.size_bytes == (size or memory.storage.size_bytes())


def test_many_problems_are_counted_and_some_are_listed(memory: Workspace, docs: Path) -> None:
    write(docs, {f"{n:03}.md": "" for n in range(MOST_PROBLEMS + 5)})
    sync_files(memory, [docs])
    status = read_status(memory)
    assert status.files == {"skipped": MOST_PROBLEMS + 5}
    assert status.problems[-1] == FileProblem(
        str(docs / f"{MOST_PROBLEMS - 1:03}.md"), "skipped", "empty: no text in it"
    )
    assert len(status.problems) == MOST_PROBLEMS


@pytest.mark.sqlite_only(reason="reads the bytes of the file")
def test_reading_it_changes_no_byte(tmp_path: Path, docs: Path) -> None:
    write(docs, {"a.md": document(0)})
    with opened(tmp_path) as memory:
        sync_files(memory, [docs])
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in tmp_path.glob("mem*")}
    with opened(tmp_path) as memory:
        for _ in range(3):
            assert read_status(memory).chunks == {"file": 1}
    after = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in tmp_path.glob("mem*")}
    assert after == before


def test_a_database_in_memory(tmp_path: Path) -> None:
    with opened(tmp_path, backend="memory") as memory:
        ingest_text(memory, "a note")
        status = read_status(memory)
        assert (status.database, status.backend) == (":memory:", "memory")
        assert status.size_bytes > 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.sqlite_only(reason="is about a file that is not there")
def test_a_database_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="there is no database at"):
        Workspace(loaded(tmp_path), create=False)
