"""Roots that are listed and forgotten, and the files that go or stay with them."""

from pathlib import Path

import pytest

from contracts import BusyError, InputError, NotFoundError
from memory.config.settings import FilesConfig
from memory.files.collections import checked_collection, name_collection
from memory.files.ingestion import MAX_TEXT_BYTES, check_text, ingest_path, sync_files
from memory.files.roots import drop_root, list_roots
from memory.operations.manage import list_records
from memory.retrieval.searching import search
from memory.storage.process_locks import sync_lock
from memory.values.reports import DroppedRoot, Root
from memory.workspace import Workspace
from tests.memory.databases import contents, opened, write


def names(memory: Workspace) -> list[str]:
    return [Path(record.path or "").name for record in list_records(memory).records]


def test_roots_are_listed_with_their_origin(tmp_path: Path, docs: Path) -> None:
    (docs / "inner").mkdir()
    (docs / ".memignore").write_text("inner/\n")  # else it would be a part of docs
    (tmp_path / "link").symlink_to(docs)
    watched = FilesConfig(watch_directories=("link", "gone"))
    with opened(tmp_path, files=watched) as memory:
        sync_files(memory, [docs / "inner"])
        sync_files(memory, [docs])
        assert list_roots(memory) == [
            Root(str(docs), "configured", True),
            Root(str(docs / "inner"), "remembered", True),
            Root(str(tmp_path / "gone"), "configured", False),
        ]


def test_dropping_keeps_the_files(memory: Workspace, docs: Path) -> None:
    write(docs, {"a.md": "alpha", "b.md": "beta"})
    sync_files(memory, [docs])
    assert drop_root(memory, docs) == DroppedRoot(str(docs), 2, False)
    assert list_roots(memory) == []
    assert names(memory) == ["a.md", "b.md"]


def test_dropping_with_the_files(memory: Workspace, docs: Path, tmp_path: Path) -> None:
    write(docs, {f"{number}.md": f"alpha {number}" for number in range(450)})
    write(tmp_path / "docs2", {"kept.md": "alpha too"})
    sync_files(memory, [docs, tmp_path / "docs2"])
    assert drop_root(memory, docs, with_files=True) == DroppedRoot(str(docs), 450, True)
    assert names(memory) == ["kept.md"]
    assert list(contents(memory)) == [str(tmp_path / "docs2" / "kept.md")]
    assert len(search(memory, "alpha").results) == 1
    assert (docs / "0.md").exists()


def test_what_lies_below_another_root_stays(memory: Workspace, docs: Path) -> None:
    write(docs, {"out.md": "alpha", "inner/in.md": "beta"})
    sync_files(memory, [docs / "inner"])
    sync_files(memory, [docs])
    assert drop_root(memory, docs, with_files=True) == DroppedRoot(str(docs), 1, True)
    assert names(memory) == ["in.md"]


def test_files_of_no_known_folder_are_removed(memory: Workspace, docs: Path) -> None:
    """They are on the disk; their folder was dropped without them, or they were ingested."""
    write(docs, {"out/a.md": "alpha", "out/in/b.md": "beta", "kept/c.md": "gamma"})
    sync_files(memory, [docs / "out"])
    sync_files(memory, [docs / "kept"])
    drop_root(memory, docs / "out")
    with pytest.raises(NotFoundError, match="is not a remembered folder") as refused:
        drop_root(memory, docs / "out")
    assert "--with-files" in refused.value.hint
    single = str(docs / "out/in/b.md")
    assert drop_root(memory, single, with_files=True) == DroppedRoot(single, 1, True)
    assert names(memory) == ["c.md", "a.md"]
    ingest_path(memory, single)
    assert drop_root(memory, docs, with_files=True) == DroppedRoot(str(docs), 2, True)
    assert names(memory) == ["c.md"]
    with pytest.raises(NotFoundError, match="is not a remembered folder") as within:
        drop_root(memory, docs / "kept/c.md", with_files=True)
    assert "gone from the disk" in within.value.hint
    with pytest.raises(NotFoundError, match="is not a remembered folder"):
        drop_root(memory, docs / "out", with_files=True)


def test_names_inside_go_with_the_files(memory: Workspace, docs: Path) -> None:
    write(docs, {"work/a.md": "alpha", "own/b.md": "beta"})
    (docs / ".memignore").write_text("own/\n")  # else it would be a part of docs
    sync_files(memory, [docs])
    sync_files(memory, [docs / "own"])
    for name in ("work", "own"):
        name_collection(memory, checked_collection(memory, docs / name, name=name, about=None))
    drop_root(memory, docs, with_files=True)
    assert [(root.path, root.name) for root in list_roots(memory)] == [(str(docs / "own"), "own")]


def test_a_root_that_is_gone_can_be_dropped(memory: Workspace, docs: Path) -> None:
    write(docs, {"a.md": "alpha"})
    sync_files(memory, [docs])
    (docs / "a.md").unlink()
    docs.rmdir()
    assert drop_root(memory, docs, with_files=True).files == 1
    assert names(memory) == []


def test_what_is_not_remembered_cannot_be_dropped(tmp_path: Path, docs: Path) -> None:
    watched = FilesConfig(watch_directories=(str(docs),))
    with (
        opened(tmp_path, files=watched) as memory,
        pytest.raises(NotFoundError, match="is not a remembered folder"),
    ):
        drop_root(memory, docs)


def test_a_root_stays_while_a_sync_is_at_work(tmp_path: Path, docs: Path) -> None:
    with opened(tmp_path) as memory, opened(tmp_path) as other:
        sync_files(memory, [docs])
        memory.wait_s = 0.0
        with (
            sync_lock(other.storage.database, other.path),
            pytest.raises(BusyError, match=r"a sync of .* is running"),
        ):
            drop_root(memory, docs, with_files=True)
        assert len(list_roots(memory)) == 1


def test_only_problems_are_listed_across_pages(memory: Workspace, docs: Path) -> None:
    files: dict[str, str | bytes] = {f"{number}.md": f"text {number}" for number in range(4)}
    sync_files(memory, [docs])
    write(docs, files | {"5.md": b"\0\1", "0x.md": b"\0\2", "6.md": b"\0\3"})
    sync_files(memory)
    first = list_records(memory, only_problems=True, limit=2)
    assert [Path(record.path or "").name for record in first.records] == ["0x.md", "5.md"]
    rest = list_records(memory, only_problems=True, limit=2, cursor=first.next_cursor)
    assert [Path(record.path or "").name for record in rest.records] == ["6.md"]
    assert rest.next_cursor is None


def test_a_text_is_checked() -> None:
    assert check_text(" a ") == " a "
    with pytest.raises(InputError, match="the text is empty"):
        check_text(" \n\t")
    with pytest.raises(InputError, match=f"has {MAX_TEXT_BYTES + 2} bytes"):
        check_text("ö" * (MAX_TEXT_BYTES // 2 + 1))
