"""Syncs on behalf of others: inside known roots, interruptible, one at a time."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from contracts import BusyError, InputError
from memory.config.loading import LoadedConfig
from memory.config.settings import Config, FilesConfig, MemoryConfig
from memory.files.ingestion import ingest_path, sync_files
from memory.files.roots import known_roots
from memory.index.document_store import documents_of
from memory.operations.manage import list_records
from memory.storage.meta import remembered_roots
from memory.storage.process_locks import sync_lock
from memory.values.reports import SyncProgress
from memory.workspace import Workspace


@pytest.fixture(params=["sqlite", "memory"])
def workspace(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Workspace]:
    memory = MemoryConfig(
        backend=request.param,
        storage_path=str(tmp_path / "memory.db"),
        files=FilesConfig(watch_directories=(str(tmp_path / "root"),)),
    )
    for name in ("root/a.md", "root/inner/b.md", "other/c.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"# {name}\n\nThe pump hums.\n", "utf-8")
    config = Config(memory=memory)
    with Workspace(LoadedConfig(config, config, None, tmp_path, "argument")) as opened:
        yield opened


def test_a_sync_can_leave_the_roots_as_they_are(workspace: Workspace, tmp_path: Path) -> None:
    sync_files(workspace, [tmp_path / "root/inner", tmp_path / "other"], remember=False)
    assert remembered_roots(workspace.storage.database) == []
    assert known_roots(workspace) == [tmp_path / "root"]
    sync_files(workspace, [tmp_path / "other"])
    assert remembered_roots(workspace.storage.database) == [str(tmp_path / "other")]


class StopError(Exception):
    """Raised by a progress callback."""


def _stop_at_second_file(progress: SyncProgress) -> None:
    if progress.files_done == 1:
        raise StopError


def test_what_progress_raises_ends_the_sync_and_the_next_completes_it(
    workspace: Workspace, tmp_path: Path
) -> None:
    with pytest.raises(StopError):
        ingest_path(workspace, tmp_path / "root", progress=_stop_at_second_file)
    assert documents_of(workspace).counts() == {"pending": 2}
    assert sync_files(workspace).added == 2
    assert documents_of(workspace).counts() == {"indexed": 2}


def test_one_sync_at_a_time(workspace: Workspace) -> None:
    workspace.wait_s = 0.0
    with (
        sync_lock(workspace.storage.database, workspace.path),
        pytest.raises(BusyError, match="is running"),
    ):
        sync_files(workspace)
    assert sync_files(workspace).added == 2


def test_records_below_a_link_are_those_of_its_target(workspace: Workspace, tmp_path: Path) -> None:
    sync_files(workspace)
    (tmp_path / "link").symlink_to(tmp_path / "root/inner")
    page = list_records(workspace, path=str(tmp_path / "link"))
    assert [record.path for record in page.records] == [str(tmp_path / "root/inner/b.md")]
    with pytest.raises(InputError, match="has a NUL"):
        list_records(workspace, path="a\0b")
