"""A sync against what is on disk: every way a file can change, told apart and counted."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from memory.config.settings import FilesConfig
from memory.files.ingestion import sync_files
from memory.files.sync_plan import real_paths
from memory.index.document_store import documents_of
from memory.operations.manage import get_file, list_records
from memory.retrieval.searching import search
from memory.storage import Storage
from memory.storage.meta import remembered_roots
from memory.values.reports import FileProblem, SyncProgress
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.databases import (
    UNDECODABLE,
    contents,
    counts,
    document,
    fake,
    opened,
    uids,
    vector_rows,
    write,
)
from tests.permissions import ordinary_user

LATER_NS = 1_900_000_000_000_000_000


def paths(memory: Workspace) -> list[str]:
    return [record.path or record.id for record in list_records(memory).records]


def texts(memory: Workspace, path: Path) -> list[str]:
    return [chunk.text for chunk in contents(memory).get(str(path), [])]


def vectors_of(storage: Storage) -> dict[str, bytes]:
    """The stored vectors by the uid of their chunk."""
    uids = dict(storage.database.read("SELECT id, uid FROM chunks"))
    return {uids[key]: v for key, v in vector_rows(storage).items()}


def test_added_unchanged_updated_deleted(memory: Workspace, docs: Path) -> None:
    write(docs, {"a.md": document(0, 1), "b.md": document(2), "sub/c.md": document(3)})
    assert counts(sync_files(memory, [docs])) == {"added": 3, "chunks": 4, "embedded": 4}
    assert counts(sync_files(memory)) == {"unchanged": 3}
    write(docs, {"a.md": document(0, 4)})
    (docs / "b.md").unlink()
    assert counts(sync_files(memory)) == {
        **{"updated": 1, "unchanged": 1, "deleted": 1},
        **{"chunks": 1, "embedded": 1},
    }
    assert paths(memory) == [str(docs / "a.md"), str(docs / "sub/c.md")]
    found = contents(memory)
    assert [chunk.heading for chunk in found[str(docs / "a.md")]] == [
        "Manual > Section 0",
        "Manual > Section 4",
    ]
    with opened(docs.parent / "fresh") as fresh:
        sync_files(fresh, [docs])
        assert contents(fresh) == found


def test_a_touched_file_keeps_everything_but_its_time(memory: Workspace, docs: Path) -> None:
    write(docs, {"a.md": document(0, 1)})
    sync_files(memory, [docs])
    before = contents(memory)[str(docs / "a.md")]
    asked = fake(memory).calls
    os.utime(docs / "a.md", ns=(LATER_NS, LATER_NS))
    assert counts(sync_files(memory)) == {"unchanged": 1}
    after = contents(memory)[str(docs / "a.md")]
    assert [chunk.vector for chunk in after] == [chunk.vector for chunk in before]
    assert {chunk.occurred_at for chunk in after} == {"2030-03-17T17:46:40.000Z"}
    assert list_records(memory).records[0].modified_at == "2030-03-17T17:46:40.000Z"
    assert fake(memory).calls == asked


def test_a_renamed_file_keeps_id_uids_and_vectors(memory: Workspace, docs: Path) -> None:
    write(docs, {"former7.md": document(0, 1, 2)})
    sync_files(memory, [docs])
    (record,) = list_records(memory).records
    known, vectors = uids(memory, docs / "former7.md"), vectors_of(memory.storage)
    (docs / "new").mkdir()
    (docs / "former7.md").rename(docs / "new/harbour.md")
    embedded = fake(memory).texts_embedded
    assert counts(sync_files(memory)) == {"renamed": 1}
    (renamed,) = list_records(memory).records
    assert (renamed.id, renamed.path) == (record.id, str(docs / "new/harbour.md"))
    assert uids(memory, docs / "new/harbour.md") == known
    assert vectors_of(memory.storage) == vectors
    assert fake(memory).texts_embedded == embedded
    named = search(memory, "harbour.md", SearchOptions(mode="keyword")).results
    assert [hit.file_path for hit in named] == [str(docs / "new/harbour.md")]
    assert search(memory, "former7", SearchOptions(mode="keyword")).results == []


def test_renamed_and_edited_is_another_file_with_known_vectors(
    memory: Workspace, docs: Path
) -> None:
    write(docs, {"former7.md": document(0, 1, 2)})
    sync_files(memory, [docs])
    (docs / "former7.md").unlink()
    write(docs, {"new.md": document(0, 1, 3)})
    assert counts(sync_files(memory)) == {
        **{"added": 1, "deleted": 1},
        **{"chunks": 3, "embedded": 1, "cached": 2},
    }


def test_two_equal_files_renamed_at_once(memory: Workspace, docs: Path) -> None:
    write(docs, {"a.md": document(0), "b.md": document(0)})
    sync_files(memory, [docs])
    ids = {record.id for record in list_records(memory).records}
    (docs / "a.md").rename(docs / "c.md")
    (docs / "b.md").rename(docs / "d.md")
    assert counts(sync_files(memory)) == {"renamed": 2}
    assert {record.id for record in list_records(memory).records} == ids
    assert paths(memory) == [str(docs / "c.md"), str(docs / "d.md")]


def test_swapped_names_swap_the_texts(memory: Workspace, docs: Path) -> None:
    write(docs, {"a.md": document(0), "b.md": document(1)})
    sync_files(memory, [docs])
    before = {path: [chunk.vector for chunk in chunks] for path, chunks in contents(memory).items()}
    (docs / "a.md").rename(docs / "x")
    (docs / "b.md").rename(docs / "a.md")
    (docs / "x").rename(docs / "b.md")
    assert counts(sync_files(memory)) == {"updated": 2, "chunks": 2, "cached": 2}
    after = {path: [chunk.vector for chunk in chunks] for path, chunks in contents(memory).items()}
    assert after[str(docs / "a.md")] == before[str(docs / "b.md")]
    assert after[str(docs / "b.md")] == before[str(docs / "a.md")]


def test_a_copied_file_costs_no_embedding(memory: Workspace, docs: Path) -> None:
    write(docs, {"a.md": document(0, 1)})
    sync_files(memory, [docs])
    write(docs, {"copy.md": document(0, 1)})
    assert counts(sync_files(memory)) == {"added": 1, "unchanged": 1, "chunks": 2, "cached": 2}
    found = contents(memory)
    original, copy = found[str(docs / "a.md")], found[str(docs / "copy.md")]
    assert [chunk.vector for chunk in original] == [chunk.vector for chunk in copy]
    assert set(uids(memory, docs / "a.md")).isdisjoint(uids(memory, docs / "copy.md"))


def test_only_the_changed_chunk_of_a_long_file_is_embedded(memory: Workspace, docs: Path) -> None:
    sections = list(range(60))
    write(docs, {"long.md": document(*sections)})
    sync_files(memory, [docs])
    before = uids(memory, docs / "long.md")
    embedded = fake(memory).texts_embedded
    sections[30] = 99
    write(docs, {"long.md": document(*sections)})
    assert counts(sync_files(memory)) == {"updated": 1, "chunks": 1, "embedded": 1}
    assert fake(memory).texts_embedded == embedded + 1
    after = uids(memory, docs / "long.md")
    assert [n for n, (old, new) in enumerate(zip(before, after, strict=True)) if old != new] == [30]


def test_an_edit_at_the_top_moves_what_is_below_and_keeps_it(memory: Workspace, docs: Path) -> None:
    write(docs, {"a.md": document(0, 1, 2)})
    sync_files(memory, [docs])
    before, known = contents(memory)[str(docs / "a.md")], uids(memory, docs / "a.md")
    vectors = vectors_of(memory.storage)
    write(docs, {"a.md": document(7, 0, 1, 2)})
    assert counts(sync_files(memory)) == {"updated": 1, "chunks": 1, "embedded": 1}
    after = contents(memory)[str(docs / "a.md")]
    # The title stands in another piece now; the bodies are the same, and so are their vectors.
    assert uids(memory, docs / "a.md")[1:] == known
    assert {uid: vectors_of(memory.storage)[uid] for uid in known} == vectors
    moved = [
        (new.span[0] - old.span[0], new.lines[0] - old.lines[0])
        for old, new in zip(before[1:], after[2:], strict=True)
    ]
    grown = len(document(7, 0)) - len(document(0))
    assert moved == [(grown, 4)] * 2
    whole = (docs / "a.md").read_text("utf-8")
    for chunk in after:
        assert whole[slice(*chunk.span)] == chunk.text
        assert whole.split("\n")[chunk.lines[0] - 1] == chunk.text.split("\n")[0]


@pytest.mark.parametrize(
    "content, reason",
    [
        pytest.param(b"", "empty", id="emptied"),
        pytest.param(b" \n\t\n", "empty", id="blank"),
        pytest.param(b"\x00\x01\x02" * 400, "binary", id="binary"),
        pytest.param(b"word " * 250_000, "too-large", id="too large"),
    ],
)
def test_a_file_without_text_any_more_leaves_the_index(
    tmp_path: Path, docs: Path, content: bytes, reason: str
) -> None:
    with opened(tmp_path, files=FilesConfig(max_file_size_mb=1)) as memory:
        write(docs, {"a.md": document(0, 1), "b.md": document(2)})
        sync_files(memory, [docs])
        write(docs, {"a.md": content})
        for _ in range(2):
            stats = sync_files(memory)
            assert counts(stats) == {"unchanged": 1, "skipped": 1}
            (problem,) = stats.errors
            assert (problem.path, problem.state) == (str(docs / "a.md"), "skipped")
            assert problem.reason.startswith(reason)
        assert list(contents(memory)) == [str(docs / "b.md")]
        assert search(memory, "cellar pump").freshness.skipped == 1
        write(docs, {"a.md": document(0, 1)})
        assert counts(sync_files(memory)) == {"added": 1, "unchanged": 1, "chunks": 2, "cached": 2}
        assert sync_files(memory).errors == []


def test_a_file_that_cannot_be_decoded_any_more_stays_as_it_was(
    memory: Workspace, docs: Path
) -> None:
    write(docs, {"a.md": document(0, 1)})
    sync_files(memory, [docs])
    before = contents(memory)
    write(docs, {"a.md": UNDECODABLE})
    for _ in range(2):
        stats = sync_files(memory)
        assert counts(stats) == {"failed": 1}
        assert stats.errors[0].reason.startswith("undecodable")
        assert contents(memory) == before
        (record,) = list_records(memory).records
        assert record.state == "failed"
        content = get_file(memory, record.id)
        assert (content.text, content.stale) == (document(0, 1), True)
    assert search(memory, "cellar pump").freshness.failed == 1
    write(docs, {"a.md": document(0, 2)})
    assert counts(sync_files(memory)) == {"updated": 1, "chunks": 1, "embedded": 1}
    assert get_file(memory, record.id).stale is False


def test_a_failed_file_with_its_old_bytes_back_is_unchanged(memory: Workspace, docs: Path) -> None:
    write(docs, {"a.md": document(0)})
    sync_files(memory, [docs])
    write(docs, {"a.md": UNDECODABLE})
    sync_files(memory)
    write(docs, {"a.md": document(0)})
    assert counts(sync_files(memory)) == {"unchanged": 1}
    assert list_records(memory).records[0].state == "indexed"


def test_a_new_file_that_fails_is_tried_again_at_every_sync(memory: Workspace, docs: Path) -> None:
    write(docs, {"a.md": UNDECODABLE})
    for _ in range(2):
        assert counts(sync_files(memory, [docs])) == {"failed": 1}
    write(docs, {"a.md": document(0)})
    assert counts(sync_files(memory)) == {"added": 1, "chunks": 1, "embedded": 1}


def test_a_file_replaced_by_a_folder_and_back(memory: Workspace, docs: Path) -> None:
    write(docs, {"a.md": document(0)})
    sync_files(memory, [docs])
    (docs / "a.md").unlink()
    write(docs, {"a.md/inner.md": document(1)})
    assert counts(sync_files(memory)) == {"added": 1, "deleted": 1, "chunks": 1, "embedded": 1}
    assert paths(memory) == [str(docs / "a.md/inner.md")]
    (docs / "a.md/inner.md").unlink()
    (docs / "a.md").rmdir()
    write(docs, {"a.md": document(0)})
    assert counts(sync_files(memory)) == {"added": 1, "deleted": 1, "chunks": 1, "cached": 1}
    assert paths(memory) == [str(docs / "a.md")]


def test_a_folder_that_cannot_be_read_keeps_what_is_known_of_it(
    memory: Workspace, docs: Path
) -> None:
    """What an ignore file hides must not come to light, so one that is unreadable closes all."""
    write(docs, {"open.md": document(0), "shut/a.md": document(1), "shut/deep/b.md": document(2)})
    write(docs, {"shut-not/c.md": document(3)})
    sync_files(memory, [docs])
    before = contents(memory)
    (docs / "shut/.gitignore").mkdir()
    (docs / "shut-not/c.md").unlink()
    stats = sync_files(memory)
    assert counts(stats) == {"unchanged": 1, "deleted": 1, "failed": 1}
    assert stats.errors[0].path == str(docs / "shut")
    del before[str(docs / "shut-not/c.md")]
    assert contents(memory) == before
    (docs / "shut/.gitignore").rmdir()
    assert counts(sync_files(memory)) == {"unchanged": 3}
    assert documents_of(memory).counts() == {"indexed": 3}


def test_patterns_and_nested_ignore_files(tmp_path: Path, docs: Path) -> None:
    write(
        docs,
        {
            "a.md": document(0),
            "a.txt": document(1),
            "a.py": "x = 1\n",
            ".gitignore": "secret/\n*.log.md\n",
            "secret/b.md": document(2),
            "x.log.md": document(2),
            "sub/.memignore": "private*\n",
            "sub/private.md": document(2),
            "sub/c.md": document(3),
            "node_modules/d.md": document(2),
        },
    )
    with opened(tmp_path, files=FilesConfig(file_patterns=("*.md", "*.txt"))) as memory:
        assert sync_files(memory, [docs]).added == 3
        assert paths(memory) == [str(docs / name) for name in ("a.md", "a.txt", "sub/c.md")]
        (docs / "sub/.memignore").unlink()
        write(docs, {".gitignore": "*.txt\n"})
        stats = sync_files(memory)
        assert (stats.added, stats.deleted, stats.unchanged) == (3, 1, 2)
    with opened(tmp_path, files=FilesConfig(file_patterns=("*.txt",))) as memory:
        (docs / ".gitignore").unlink()
        assert counts(sync_files(memory))["deleted"] == 5
        assert paths(memory) == [str(docs / "a.txt")]


def test_force_reads_everything_again_and_embeds_what_was_lost(
    memory: Workspace, docs: Path
) -> None:
    write(docs, {"a.md": document(0, 1), "b.md": document(2)})
    sync_files(memory, [docs])
    before, known = contents(memory), uids(memory, docs / "a.md")
    with memory.storage.database.transaction() as tx:
        tx.run("DELETE FROM chunks WHERE ordinal = 1")
    assert counts(sync_files(memory)) == {"unchanged": 2}
    assert counts(sync_files(memory, force=True)) == {"updated": 2, "chunks": 1, "embedded": 1}
    assert contents(memory) == before
    assert uids(memory, docs / "a.md") == known


def test_a_dry_run_foretells_the_sync_and_writes_nothing(tmp_path: Path, docs: Path) -> None:
    write(docs, {name: document(n) for n, name in enumerate(["a.md", "b.md", "c.md", "e.md"])})
    write(docs, {"bad.md": UNDECODABLE})
    with opened(tmp_path) as memory:
        sync_files(memory, [docs])
    write(docs, {"a.md": document(0, 7, 8), "new.md": document(7, 7, 11), "empty.md": ""})
    (docs / "b.md").rename(docs / "renamed.md")
    (docs / "c.md").unlink()
    os.utime(docs / "e.md", ns=(LATER_NS, LATER_NS))
    files = [path for path in sorted(tmp_path.glob("memory.db*")) if path.is_file()]
    before = [path.read_bytes() for path in files], sorted(tmp_path.iterdir())
    with opened(tmp_path) as memory:
        sequence = memory.storage.sequence()
        foretold = sync_files(memory, [docs, tmp_path / "docs"], dry_run=True)
        assert memory.storage.sequence() == sequence
        assert foretold.dry_run
    assert ([path.read_bytes() for path in files], sorted(tmp_path.iterdir())) == before
    with opened(tmp_path) as memory:
        done = sync_files(memory, [docs])
        assert not done.dry_run
        assert counts(foretold) == counts(done)
        assert counts(done) == {
            **{"added": 1, "updated": 1, "unchanged": 1, "renamed": 1, "deleted": 1},
            **{"failed": 1, "skipped": 1, "chunks": 5, "embedded": 3, "cached": 2},
        }
        assert foretold.errors == done.errors


def test_a_dry_run_of_a_new_database(memory: Workspace, docs: Path) -> None:
    write(docs, {"a.md": document(*range(40)), "b.md": document(*range(20, 60))})
    foretold = sync_files(memory, [docs], dry_run=True)
    assert remembered_roots(memory.storage.database) == []
    assert memory.storage.active_space() is None
    assert contents(memory) == {}
    assert counts(foretold) == counts(sync_files(memory, [docs]))


def test_progress_rises_to_its_end(memory: Workspace, docs: Path) -> None:
    write(docs, {f"{n}.md": document(n) for n in range(5)})
    seen: list[SyncProgress] = []
    sync_files(memory, [docs], progress=seen.append)
    seen = [
        step for step in seen if step.files_total
    ]  # a slow scan reports before it has found any
    total = sum(path.stat().st_size for path in docs.iterdir())
    assert list(dict.fromkeys(step.files_done for step in seen)) == [0, 1, 2, 3, 4, 5]
    assert {(step.files_total, step.bytes_total) for step in seen} == {(5, total)}
    assert (seen[0].bytes_done, seen[-1].bytes_done) == (0, total)
    assert seen[-1].chunks == 5


def test_a_time_that_no_column_holds_does_not_end_a_sync(memory: Workspace, docs: Path) -> None:
    write(docs, {"a.md": document(0), "b.md": document(1)})
    os.utime(docs / "a.md", (10**10, 10**10))
    if (docs / "a.md").stat().st_mtime_ns < 2**63:
        pytest.skip("this file system holds no time after 2262")
    assert sync_files(memory, [docs]).added == 2
    assert counts(sync_files(memory)) == {"unchanged": 2}
    (record, _) = list_records(memory).records
    assert record.modified_at == "2262-04-11T23:47:16.854Z"
    assert get_file(memory, record.id).stale is False


def test_many_files_gone_at_once(memory: Workspace, docs: Path) -> None:
    write(docs, {f"{n:03}.txt": f"lighthouse number{n}\n" for n in range(450)})
    sync_files(memory, [docs])
    for path in list(docs.iterdir())[:430]:
        path.unlink()
    for path in docs.iterdir():
        os.utime(path, ns=(LATER_NS, LATER_NS))
    assert counts(sync_files(memory)) == {"unchanged": 20, "deleted": 430}
    write(docs, {f"{n:03}.txt": "" for n in range(450)})
    assert counts(sync_files(memory)) == {"skipped": 450}
    write(docs, {f"{n:03}.txt": f"lighthouse number{n}\n" for n in range(20)})
    assert sync_files(memory).added == 20
    assert len(contents(memory)) == documents_of(memory).counts()["indexed"] == 20


def test_a_problem_that_stays_is_not_written_again(memory: Workspace, docs: Path) -> None:
    (docs / "outside.md").symlink_to(docs.parent / "elsewhere.md")
    write(docs.parent, {"elsewhere.md": document(0)})
    first = sync_files(memory, [docs])
    assert [problem.path for problem in first.errors] == [str(docs / "outside.md")]
    (record,) = list_records(memory).records
    again = sync_files(memory)
    assert (
        again.errors
        == first.errors
        == [FileProblem(str(docs / "outside.md"), "skipped", record.reason or "")]
    )
    assert list_records(memory).records == [record]


def test_roots_by_real_path_and_once(tmp_path: Path) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "a")
    assert real_paths([tmp_path / "link/b", str(tmp_path / "a"), tmp_path / "a/../a/b"]) == [
        tmp_path / "a",
        tmp_path / "a/b",
    ]


def test_a_file_that_goes_while_a_sync_runs(memory: Workspace, docs: Path) -> None:
    write(docs, {"a.md": document(0), "b.md": document(1)})

    def delete(progress: SyncProgress) -> None:
        if progress.files_total:  # the scan has found it
            (docs / "b.md").unlink(missing_ok=True)

    stats = sync_files(memory, [docs], progress=delete)
    assert counts(stats) == {"added": 1, "failed": 1, "chunks": 1, "embedded": 1}
    assert stats.errors == [FileProblem(str(docs / "b.md"), "failed", "vanished: no longer there")]
    assert counts(sync_files(memory)) == {"unchanged": 1, "deleted": 1}


def test_a_file_that_becomes_a_link(memory: Workspace, docs: Path) -> None:
    """To another file of the folder it is that file; to one outside it is nothing to us."""
    write(docs, {"a.md": document(0), "b.md": document(1)})
    write(docs.parent, {"outside.md": document(2)})
    sync_files(memory, [docs])
    (docs / "b.md").unlink()
    (docs / "b.md").symlink_to(docs / "a.md")
    assert counts(sync_files(memory)) == {"unchanged": 1, "deleted": 1}
    (docs / "a.md").unlink()
    (docs / "a.md").symlink_to(docs.parent / "outside.md")
    stats = sync_files(memory)
    assert counts(stats) == {"skipped": 2}
    assert contents(memory) == {}


@pytest.mark.parametrize(
    "closed, expected",
    [
        pytest.param("a.md", {"failed": 1, "unchanged": 2}, id="file"),
        pytest.param("sub", {"failed": 1, "updated": 1, "chunks": 1, "embedded": 1}, id="folder"),
        pytest.param(".", {"failed": 1}, id="root"),
    ],
)
def test_what_may_not_be_read_stays_as_it_was(
    tmp_path: Path, closed: str, expected: dict[str, int]
) -> None:
    with TemporaryDirectory() as name, opened(tmp_path, backend="memory") as memory:
        folder = Path(name).resolve()  # pytest's own folders are closed to others
        folder.chmod(0o755)
        write(folder, {"a.md": document(0), "sub/b.md": document(1), "sub/c.md": document(2)})
        sync_files(memory, [folder])
        before = contents(memory)
        write(folder, {"a.md": document(0, 5)})
        (folder / closed).chmod(0)
        with ordinary_user():
            stats = sync_files(memory)
        (folder / closed).chmod(0o755)
        assert counts(stats) == expected
        (problem,) = stats.errors
        assert (problem.path, problem.state) == (str(folder / closed), "failed")
        assert problem.reason == "unreadable: permission denied"
        after = contents(memory)
        if closed == "sub":
            del before[str(folder / "a.md")], after[str(folder / "a.md")]
        assert after == before
        again = sync_files(memory)
        assert (again.failed, again.deleted, len(list_records(memory).records)) == (0, 0, 3)
        assert texts(memory, folder / "a.md")[-1].startswith("## Section 5")
