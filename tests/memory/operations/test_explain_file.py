"""Why a file is indexed or is not, in every way that there is."""

import os
from pathlib import Path

import pytest

from contracts import InputError, NotFoundError
from memory.files.ingestion import ingest_path, sync_files
from memory.operations.explain_file import ignored_entries, why_file
from memory.workspace import Workspace
from tests.memory.databases import document, write


@pytest.fixture
def varied(memory: Workspace, docs: Path) -> Workspace:
    """A known folder with a file for each reason."""
    write(docs, {"a.md": document(0), "binary.md": b"\0\1", "data.odd": "x", ".git/HEAD": "x"})
    write(docs, {"sub/.gitignore": "# none\ndeep/\n", "sub/deep/er/b.md": document(1)})
    write(docs, {".memignore": "!build/\n*.tmp.md\n", "build/c.md": document(2), "x.tmp.md": "x"})
    write(docs, {"node_modules/d.md": "x", "env/pyvenv.cfg": "", "env/e.md": "x"})
    (docs / "link.md").symlink_to("a.md")
    (docs / "out.md").symlink_to("/etc/hostname")
    os.mkfifo(docs / "pipe.md")
    sync_files(memory, [docs])
    return memory


@pytest.mark.parametrize(
    "name, verdict, decided_at, reason",
    [
        ("a.md", "wanted", "a.md", "a sync takes it, and it is indexed"),
        ("build/c.md", "wanted", "build/c.md", "a sync takes it, and it is indexed"),
        ("binary.md", "wanted", "binary.md", "binary: holds zero bytes"),
        ("", "wanted", "", "a sync reads this folder"),
        ("sub", "wanted", "sub", "a sync reads this folder"),
        ("sub/deep/er/b.md", "ignored", "sub/deep", "sub/.gitignore:2 says deep/"),
        ("x.tmp.md", "ignored", "x.tmp.md", ".memignore:2 says *.tmp.md"),
        ("node_modules/d.md", "ignored", "node_modules", "leaves out node_modules/"),
        ("env/e.md", "ignored", "env", "its pyvenv.cfg marks a cache"),
        (".git/HEAD", "ignored", ".git", ".git belongs to version control"),
        ("data.odd", "ignored", "data.odd", "none of memory.files.file_patterns"),
        ("pipe.md", "ignored", "pipe.md", "not a regular file"),
        ("link.md", "ignored", "link.md", "its target is found at "),
        ("out.md", "skipped", "out.md", "outside: a symbolic link to a target outside"),
        ("nowhere.md", "missing", None, "there is no such file"),
        ("../else.md", "outside", None, "it lies in no known folder"),
    ],
)
def test_what_decides(
    varied: Workspace, docs: Path, name: str, verdict: str, decided_at: str | None, reason: str
) -> None:
    found = why_file(varied, docs / name)
    assert (found.verdict, found.path) == (verdict, os.path.normpath(docs / name))
    assert found.decided_at == (None if decided_at is None else os.path.normpath(docs / decided_at))
    assert reason in found.reason
    assert found.root == (None if verdict == "outside" else str(docs))


def test_what_the_index_has(varied: Workspace, docs: Path) -> None:
    of_file, of_folder = why_file(varied, docs / "a.md"), why_file(varied, docs)
    assert of_file.record is not None
    assert (of_file.record.state, of_file.record.chunks, of_file.records_below) == ("indexed", 1, 0)
    assert (of_folder.record, of_folder.records_below) == (None, 4)
    refused = why_file(varied, docs / "out.md").record
    assert refused is not None
    assert refused.state == "skipped"
    hidden = docs / "sub/deep/er/b.md"
    ingest_path(varied, hidden)
    found = why_file(varied, hidden)
    assert (found.verdict, found.rule, found.rule_line, found.rule_text, found.rule_file) == (
        *("ignored", "gitignore", 2, "deep/"),
        str(docs / "sub/.gitignore"),
    )
    assert found.record is not None


def test_what_the_next_sync_will_see(varied: Workspace, docs: Path) -> None:
    write(docs, {"a.md": document(5), "new.md": document(6)})
    (docs / "build/c.md").unlink()
    assert "has changed since" in why_file(varied, docs / "a.md").reason
    assert "the next one will" in why_file(varied, docs / "new.md").reason
    assert "leaves the index with the next sync" in why_file(varied, docs / "build/c.md").reason


def test_a_root_that_is_named_by_a_link(memory: Workspace, docs: Path) -> None:
    write(docs, {"a.md": document(0)})
    (docs.parent / "link").symlink_to("docs")
    sync_files(memory, [docs.parent / "link"])
    for path in (docs.parent / "link", docs.parent / "link/a.md"):
        assert why_file(memory, path).verdict == "wanted"


def test_a_root_inside_an_ignored_folder_has_its_own_rules(memory: Workspace, docs: Path) -> None:
    write(docs, {"node_modules/a.md": document(0), "node_modules/in/b.md": document(1)})
    sync_files(memory, [docs, docs / "node_modules/in"])
    found = why_file(memory, docs / "node_modules/in/b.md")
    assert (found.verdict, found.root) == ("wanted", str(docs / "node_modules/in"))
    assert why_file(memory, docs / "node_modules/in/none.md").verdict == "missing"
    assert why_file(memory, docs / "node_modules/a.md").verdict == "ignored"


def test_everything_that_is_ignored(varied: Workspace, docs: Path) -> None:
    entries = list(ignored_entries(varied))
    assert {(os.path.relpath(entry.path, docs), entry.rule) for entry in entries} == {
        *((".git", "always"), (".memignore", "pattern"), ("data.odd", "pattern")),
        *(
            ("env", "mark"),
            ("link.md", "link"),
            ("node_modules", "default"),
            ("pipe.md", "special"),
        ),
        *(("sub/.gitignore", "pattern"), ("sub/deep", "gitignore"), ("x.tmp.md", "memignore")),
    }
    assert len(list(ignored_entries(varied, docs / "sub"))) == 2
    assert len(list(ignored_entries(varied, docs / "sub/deep/er/b.md"))) == 1


def test_no_folder_and_no_path(memory: Workspace) -> None:
    with pytest.raises(NotFoundError, match="no folder to read"):
        ignored_entries(memory)
    with pytest.raises(InputError, match="is empty"):
        why_file(memory, "")
    with pytest.raises(InputError, match="has a NUL"):
        why_file(memory, "a\0b")
