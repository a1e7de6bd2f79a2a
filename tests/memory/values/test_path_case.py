"""Names that can be spelled in several ways, and names that are hard to print."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from memory.files.ingestion import sync_files
from memory.files.roots import known_roots
from memory.operations.explain_file import why_file
from memory.operations.manage import list_records, show
from memory.retrieval.searching import search
from memory.values.path_case import has_other_spellings, is_old_spelling, spelled
from memory.values.scope_parsing import narrowed
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.databases import counts, document, write

COMPOSED = "caf\u00e9"
APART = "cafe\u0301"


def names(memory: Workspace, docs: Path) -> list[str]:
    return [os.path.relpath(record.path or "", docs) for record in list_records(memory).records]


@pytest.mark.parametrize("stored, typed", [(APART, COMPOSED), (COMPOSED, APART)])
def test_an_accent_is_found_however_it_is_typed(
    memory: Workspace, docs: Path, stored: str, typed: str
) -> None:
    write(docs, {f"{stored}/{stored}.md": document(0), "other.md": document(1)})
    sync_files(memory, [docs])
    path = f"{docs}/{typed}/{typed}.md"
    real = f"{docs}/{stored}/{stored}.md"
    assert spelled(path) == real
    assert why_file(memory, path).path == real
    assert show(memory, f"{path}:1").path == real
    assert [record.path for record in list_records(memory, path=path).records] == [real]
    assert len(list_records(memory, path=f"{docs}/{typed}").records) == 1
    scope = narrowed(paths=[f"{docs}/{typed}"], cwd=Path("/"))
    assert scope.paths == (f"{docs}/{stored}",)
    hits = search(memory, "section", SearchOptions(scope=scope)).results
    assert [hit.file_path for hit in hits] == [real]
    assert counts(sync_files(memory, [path])) == {"unchanged": 1}


def test_two_spellings_that_are_two_files_stay_two(memory: Workspace, docs: Path) -> None:
    write(docs, {f"{COMPOSED}.md": document(0), f"{APART}.md": document(1)})
    write(docs, {"A.md": document(2), "a.md": document(3)})
    sync_files(memory, [docs])
    assert sorted(names(memory, docs)) == sorted(["A.md", "a.md", f"{COMPOSED}.md", f"{APART}.md"])
    for name in names(memory, docs):
        assert spelled(f"{docs}/{name}") == f"{docs}/{name}"


def listed_without(*hidden: str) -> Callable[[str], list[str]]:
    """What a folder lists where one file answers to several names: only one of them."""
    return lambda folder: [path.name for path in Path(folder).iterdir() if path.name not in hidden]


@pytest.mark.parametrize(
    "listed, typed", [("readme.md", "README.MD"), (APART, COMPOSED), (COMPOSED, APART)]
)
def test_what_the_folder_lists_is_the_spelling(docs: Path, listed: str, typed: str) -> None:
    """Two names of one file stand for a system that takes two spellings for one."""
    write(docs, {listed: "x", "other.md": "x"})
    (docs / typed).hardlink_to(docs / listed)
    for rest in ("", "/x"):
        found = spelled(f"{docs}/{typed}{rest}", listed_without(typed))
        assert found == f"{docs}/{listed}{rest}"


def test_what_cannot_be_listed_keeps_its_name(docs: Path) -> None:
    def closed(folder: str) -> list[str]:
        raise PermissionError(folder)

    write(docs, {f"{APART}.md": "x"})
    for name in ("none/a.md", f"{COMPOSED}.md", f"{APART}.md"):
        assert spelled(f"{docs}/{name}", closed) == f"{docs}/{name}"


def test_an_old_spelling_is_told_from_another_file(docs: Path) -> None:
    write(docs, {"sub/readme.md": "x", "sub/other.md": "x"})
    old, new = f"{docs}/sub/README.MD", f"{docs}/sub/readme.md"
    assert not is_old_spelling(old, new)
    assert not has_other_spellings(new)
    (docs / "sub/README.MD").hardlink_to(docs / "sub/readme.md")
    assert has_other_spellings(new)
    assert is_old_spelling(old, new, listed_without("README.MD"))
    assert not is_old_spelling(old, new)
    assert not is_old_spelling(new, new, listed_without("README.MD"))
    assert not is_old_spelling(f"{docs}/sub/other.md", new, listed_without("README.MD"))


def test_a_second_name_that_differs_in_case_takes_no_record(memory: Workspace, docs: Path) -> None:
    write(docs, {"readme.md": document(0), "b.md": document(1)})
    sync_files(memory, [docs])
    (record,) = list_records(memory, path=str(docs / "readme.md")).records
    (docs / "README.MD").hardlink_to(docs / "readme.md")
    (docs / "b.md").unlink()
    stats = sync_files(memory)
    assert (stats.added, stats.deleted, stats.unchanged) == (1, 1, 1)
    (same,) = list_records(memory, path=str(docs / "readme.md")).records
    assert same.id == record.id
    assert counts(sync_files(memory)) == {"unchanged": 2}


def test_a_root_is_known_by_one_spelling(memory: Workspace, docs: Path) -> None:
    write(docs, {f"{APART}/a.md": document(0)})
    for name in (APART, COMPOSED):
        sync_files(memory, [docs / name])
    assert known_roots(memory) == [docs / APART]


ODD = [
    "new\nline.md", "tab\there.md", "esc\x1b[31m.md", " ", "  .md", "-rf.md", "--help.md", "~.md",
    "a:12.md", "a:12-30", "text x", "quote\"'`.md", "back\\slash.md", "\u202egnp.md", "*.md",
    "[a].md", "漢字.md", "🙂.md", "e\u0301" * 60 + ".md", "n" * 252 + ".md", "%s%n.md",
    "a, page 3.md",
]  # fmt: skip


def test_odd_names_are_indexed_shown_and_found(memory: Workspace, docs: Path) -> None:
    for number, name in enumerate(ODD):
        write(docs, {f"{name}/{name}" if len(name) < 100 else name: document(number)})
    stats = sync_files(memory, [docs])
    assert (stats.failed, stats.skipped) == (0, 0)
    taken = [name for name in ODD if name.endswith(".md")]
    assert stats.added == len(taken)
    for record in list_records(memory).records:
        assert record.path is not None
        assert why_file(memory, record.path).verdict == "wanted"
        assert show(memory, record.path).path == record.path
        scope = narrowed(sources=["file"], paths=[record.path], cwd=Path("/"))
        hits = search(memory, "section", SearchOptions(scope=scope)).results
        assert [hit.file_path for hit in hits] == [record.path]
        assert show(memory, hits[0].citation).path == record.path
    assert counts(sync_files(memory)) == {"unchanged": len(taken)}


def test_a_name_that_is_no_text_is_asked_for_as_it_is_printed(
    memory: Workspace, docs: Path
) -> None:
    write(docs, {os.fsdecode(b"\xff.md"): "x", "new\nline.md": document(0)})
    sync_files(memory, [docs])
    for name in (os.fsdecode(b"\xff.md"), "\\udcff.md"):
        found = why_file(memory, docs / name)
        assert (found.verdict, found.path) == ("skipped", f"{docs}/\\udcff.md")
        (record,) = list_records(memory, path=str(docs / name)).records
        assert record.state == "failed"
    for name in ("new\nline.md", "new\\nline.md"):
        assert why_file(memory, docs / name).path == f"{docs}/new\nline.md"
        assert len(list_records(memory, path=str(docs / name)).records) == 1
        assert counts(sync_files(memory, [docs / name])) == {"unchanged": 1}


def test_a_path_as_long_as_the_system_takes_one(memory: Workspace, docs: Path) -> None:
    folder = docs
    while len(os.fsencode(folder)) < 3800:
        folder = folder / ("d" * 240)
    folder.mkdir(parents=True)
    write(folder, {"a.md": document(0)})
    rest = 4095 - len(os.fsencode(folder)) - 4
    write(folder, {"m" * min(rest, 250) + ".md": document(1)})
    assert counts(sync_files(memory, [docs]))["added"] == 2
    for record in list_records(memory).records:
        assert show(memory, record.path or "").path == record.path
