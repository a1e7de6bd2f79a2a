"""What a sync keeps though it is gone leaves the index on request, and nothing else does."""

import shutil
from pathlib import Path
from typing import get_args

import pytest

from contracts import NotFoundError
from ingest import SkipReason
from memory.config.keys import all_keys
from memory.files.ingestion import ingest_path, sync_files
from memory.files.path_lists import sync_listed
from memory.files.problem_hints import count_reasons, next_step
from memory.files.pruning import sync_and_prune
from memory.files.roots import known_roots
from memory.index.document_store import documents_of
from memory.values.reports import FileProblem, PrunedPlace, SyncProgress, SyncStats
from memory.workspace import Workspace
from tests.memory.databases import contents, counts, document, write


def indexed(memory: Workspace, base: Path) -> list[str]:
    return [str(Path(path).relative_to(base)) for path in contents(memory)]


@pytest.fixture
def tree(memory: Workspace, docs: Path) -> Path:
    """Two roots, and a file and a folder that are not roots; some of it is gone."""
    write(docs, {"one/a.md": document(0), "one/b.md": document(1), "one/x.md": b"\0\0"})
    write(docs, {"two/c.md": document(2), "two/d.md": document(3), "two/old.md": document(5)})
    write(docs, {"alone/e.md": document(4), "alone/f.md": document(6), "kept.md": document(7)})
    sync_files(memory, [docs / "one", docs / "two"])
    ingest_path(memory, docs / "alone")
    ingest_path(memory, docs / "kept.md")
    shutil.rmtree(docs / "one")
    (docs / "two/c.md").unlink()
    (docs / "two/old.md").rename(docs / "two/new.md")
    (docs / "alone/e.md").unlink()
    return docs


def test_pruning(memory: Workspace, tree: Path) -> None:
    names = documents_of(memory).below([str(tree)])
    foretold = sync_and_prune(memory, dry_run=True)
    assert documents_of(memory).below([str(tree)]) == names
    seen: list[SyncProgress] = []
    done = sync_and_prune(memory, progress=seen.append)
    assert counts(done) == counts(foretold) == {"renamed": 1, "deleted": 5, "unchanged": 1}
    assert (
        done.pruned
        == foretold.pruned
        == [
            PrunedPlace(str(tree / "one"), 3),
            PrunedPlace(None, 1),
        ]
    )
    assert (done.errors, done.reasons, done.failed) == ([], {}, 0)
    assert "removing" in {step.step for step in seen}
    assert indexed(memory, tree) == ["alone/f.md", "kept.md", "two/d.md", "two/new.md"]
    assert known_roots(memory) == [tree / "one", tree / "two"], "whose folder may come back"
    assert sync_and_prune(memory).pruned == [PrunedPlace(str(tree / "one"), 0)]


def test_without_pruning_they_stay(memory: Workspace, tree: Path) -> None:
    done = sync_files(memory)
    assert done.reasons == {"vanished": 1}
    assert indexed(memory, tree) == [
        *("alone/e.md", "alone/f.md", "kept.md", "one/a.md", "one/b.md"),
        *("two/d.md", "two/new.md"),
    ]


def test_pruning_a_path_is_about_that_path(memory: Workspace, tree: Path) -> None:
    done = sync_and_prune(memory, [tree / "two"])
    assert (done.deleted, done.pruned) == (1, [])
    assert "one/a.md" in indexed(memory, tree)


def test_pruning_when_no_folder_is_there(memory: Workspace, tree: Path) -> None:
    shutil.rmtree(tree)
    assert sync_and_prune(memory, dry_run=True).deleted == 9
    done = sync_and_prune(memory)
    assert [place.files for place in done.pruned] == [3, 3, 3]
    assert (done.deleted, done.failed) == (9, 0)
    assert contents(memory) == {}


def test_pruning_without_a_folder(memory: Workspace) -> None:
    with pytest.raises(NotFoundError, match="no folder to sync"):
        sync_and_prune(memory)


def test_a_folder_that_cannot_be_read_is_not_gone(memory: Workspace, tree: Path) -> None:
    """Its place is taken by a file whose name is in the way: what lies below is unknown."""
    (tree / "two/.gitignore").mkdir()
    done = sync_and_prune(memory)
    assert [problem.path for problem in done.errors] == [str(tree / "two")]
    assert "two/c.md" in indexed(memory, tree)


@pytest.mark.parametrize(
    "listed, expected",
    [
        (["two/c.md"], {"deleted": 1}),
        (["two/old.md", "two/new.md"], {"renamed": 1}),
        (["two/d.md"], {"unchanged": 1}),
        (["two"], {"deleted": 1, "renamed": 1, "unchanged": 1}),
        (["alone/e.md", "alone/f.md"], {"deleted": 1, "unchanged": 1}),
        (["alone/e.md"], {"deleted": 1}),
        (["beside.md"], {"added": 1, "chunks": 1, "embedded": 1}),
        (["two/ignored.md", "two/never.md", "never.md"], {}),
    ],
    ids=lambda value: " ".join(value),
)
def test_a_list_of_paths(
    memory: Workspace, tree: Path, listed: list[str], expected: dict[str, int]
) -> None:
    write(tree, {"two/.gitignore": "ignored.md\n", "two/ignored.md": document(8)})
    write(tree, {"beside.md": document(9)})
    before = set(indexed(memory, tree))
    paths = [tree / path for path in listed]
    foretold = sync_listed(memory, paths, dry_run=True)
    assert set(indexed(memory, tree)) == before
    done = sync_listed(memory, paths)
    assert counts(done) == counts(foretold) == expected
    assert before - set(indexed(memory, tree)) <= set(listed) | {"two/c.md", "two/old.md"}
    assert known_roots(memory) == [tree / "one", tree / "two"]


def test_a_list_of_what_lies_in_a_folder_that_is_not_there(memory: Workspace, tree: Path) -> None:
    with pytest.raises(NotFoundError, match="one cannot be reached"):
        sync_listed(memory, [tree / "one/a.md"])
    assert counts(sync_listed(memory, [tree / "one/a.md", tree / "two/d.md"])) == {
        "unchanged": 1,
        "failed": 1,
    }
    assert "one/a.md" in indexed(memory, tree)


def test_a_list_can_be_forced(memory: Workspace, tree: Path) -> None:
    assert counts(sync_listed(memory, [tree / "two/d.md"], force=True)) == {"updated": 1}


def test_every_reason_is_counted_and_has_a_step_that_exists() -> None:
    stats = SyncStats()
    for code in ("binary", "too-large", "too-large"):
        stats.errors.append(FileProblem("/a", "skipped", f"{code}: because"))
    stats.errors.append(FileProblem("/b", "failed", "changing"))
    assert list(count_reasons(stats.errors).items()) == [
        ("too-large", 2),
        ("binary", 1),
        ("changing", 1),
    ]
    keys = {key.name for key in all_keys()}
    steps = {code: step for code in get_args(SkipReason) if (step := next_step(code))}
    assert steps.keys() == set(get_args(SkipReason)) - {"binary", "broken", "empty"}
    named = {
        word.strip(",") for step in steps.values() for word in step.split() if "memory." in word
    }
    assert named
    assert named <= keys
