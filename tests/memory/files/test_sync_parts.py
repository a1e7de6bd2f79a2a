"""A sync of some paths: what lies there, under the rules of the root that they lie in."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

from memory.files.ingestion import ingest_path, sync_files, sync_scope
from memory.files.roots import SyncScope, known_roots
from memory.index.document_store import documents_of
from memory.operations.manage import list_records
from memory.workspace import Workspace
from tests.memory.databases import contents, counts, document, opened, uids, write
from tests.permissions import ordinary_user


def names(memory: Workspace, docs: Path) -> list[str]:
    return [
        os.path.relpath(record.path or "", docs)
        for record in list_records(memory).records
        if record.state == "indexed"
    ]


def test_a_path_inside_a_root_stays_a_part_of_it(memory: Workspace, docs: Path) -> None:
    write(docs, {".gitignore": "draft*\n", "a.md": document(0), "sub/b.md": document(1)})
    write(docs, {"sub/draft.md": document(2), "sub/drafts/c.md": document(3)})
    sync_files(memory, [docs])
    write(docs, {"a.md": document(4), "sub/b.md": document(5), "sub/new.md": document(6)})
    (docs / "sub/draft.md").touch()
    assert counts(sync_files(memory, [docs / "sub"])) == {
        **{"updated": 1, "added": 1},
        **{"chunks": 2, "embedded": 2},
    }
    assert names(memory, docs) == ["a.md", "sub/b.md", "sub/new.md"]
    assert known_roots(memory) == [docs]
    assert len(ingest_path(memory, docs / "sub").file_ids) == 2
    assert counts(sync_files(memory)) == {
        **{"updated": 1, "unchanged": 2},
        **{"chunks": 1, "embedded": 1},
    }


def test_what_the_rules_leave_out_is_a_root_when_it_is_named(memory: Workspace, docs: Path) -> None:
    write(docs, {".gitignore": "draft.md\nhidden/\n", "a.md": document(0), "draft.md": document(1)})
    write(docs, {"hidden/b.md": document(2), "odd.unknown": document(3)})
    sync_files(memory, [docs])
    named = [docs / "a.md", docs / "draft.md", docs / "hidden", docs / "odd.unknown"]
    assert counts(sync_files(memory, named)) == {
        **{"unchanged": 1, "added": 3},
        **{"chunks": 3, "embedded": 3},
    }
    assert known_roots(memory) == [docs, *named[1:]]
    assert counts(sync_files(memory)) == {"unchanged": 4}


def test_roots_inside_a_part_keep_their_rules(memory: Workspace, docs: Path) -> None:
    write(docs, {"sub/.gitignore": "deep/\n", "sub/deep/c.md": document(2), "sub/b.md": document()})
    sync_files(memory, [docs / "sub/deep", docs])
    assert names(memory, docs) == ["sub/b.md", "sub/deep/c.md"]
    write(docs, {"sub/deep/c.md": document(3)})
    assert sync_files(memory, [docs / "sub"]).updated == 1


def test_a_rename_within_the_paths_keeps_the_file(memory: Workspace, docs: Path) -> None:
    write(docs, {"a.md": document(0), "b.md": document(1), "c.md": document(2)})
    sync_files(memory, [docs])
    before = uids(memory, docs / "a.md")
    (docs / "a.md").rename(docs / "moved.md")
    (docs / "b.md").rename(docs / "away.md")
    (docs / "c.md").unlink()
    paths = [str(docs / name) for name in ("a.md", "moved.md", "b.md")]
    assert counts(sync_scope(memory, SyncScope([docs], paths))) == {"renamed": 1, "deleted": 1}
    assert uids(memory, docs / "moved.md") == before
    assert names(memory, docs) == ["c.md", "moved.md"]
    assert counts(sync_scope(memory, SyncScope([docs], [f"{docs}/nowhere", "/none"]))) == {}


def test_what_cannot_be_looked_into_keeps_what_is_known(tmp_path: Path) -> None:
    """However often it is asked about, it is one record that failed."""
    with TemporaryDirectory() as name, opened(tmp_path, backend="memory") as memory:
        folder = Path(name).resolve()  # pytest's own folders are closed to others
        folder.chmod(0o755)
        write(folder, {"sub/deep/a.md": document(0), "sub/b.md": document(1)})
        sync_files(memory, [folder])
        scope = SyncScope([folder], [f"{folder}/sub/deep/a.md", f"{folder}/sub/b.md"])
        (folder / "sub").chmod(0)
        with ordinary_user():
            for _ in range(2):
                stats = sync_scope(memory, scope)
                assert counts(stats) == {"failed": 1}
                assert stats.errors[0].path == str(folder / "sub")
        (folder / "sub").chmod(0o755)
        assert len(contents(memory)) == 2
        assert documents_of(memory).counts() == {"indexed": 2, "failed": 1}
        (folder / "sub/b.md").unlink()
        assert counts(sync_scope(memory, scope)) == {"unchanged": 1, "deleted": 1}
        assert counts(sync_files(memory)) == {"unchanged": 1}
        assert documents_of(memory).counts() == {"indexed": 1}


def test_a_folder_that_became_a_file_is_not_taken_for_gone(memory: Workspace, docs: Path) -> None:
    write(docs, {"a.md": document(0)})
    sync_files(memory, [docs])
    assert counts(sync_scope(memory, SyncScope([docs], [f"{docs}/a.md/below.md"]))) == {}
    assert names(memory, docs) == ["a.md"]


def test_names_that_are_no_text(memory: Workspace, docs: Path) -> None:
    odd = docs / os.fsdecode(b"\xff.md")
    odd.write_text("x")
    sync_files(memory, [docs])
    assert documents_of(memory).counts() == {"failed": 1}
    assert counts(sync_files(memory, [odd])) == {"failed": 1}
    odd.unlink()
    sync_scope(memory, SyncScope([docs], [str(odd)]))
    assert documents_of(memory).counts() == {}
