"""A scan of some paths finds what a scan of everything finds there, to the letter."""

import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from ingest import (
    EnteredFolder,
    FileEntry,
    ScanRules,
    SkippedFile,
    folders,
    ignored,
    scan,
    why,
)
from ingest.listing import list_folder
from tests.examples import examples
from tests.permissions import ordinary_user

NAMES = ("a", "b", "a.md", "b.md", "e\u0301.md", "\u00e9.md", "build", "A.md", "x.txt")
LINES = ("a/", "b", "*.md", "!a.md", "!build/", "/b.md", "a/b/", "**/b.md", "!*", "*", "a/*.md")
MARKS = ("CACHEDIR.TAG", "pyvenv.cfg")
TARGETS = ("..", "a", "../a.md", "b/a", "nowhere", "../../outside", "../../outside/o.md", "self")

RULES = ScanRules(("*.md", "a/*.txt", "b"))

names = st.sampled_from(NAMES)
places = st.lists(names, max_size=3).map("/".join)
files = st.lists(st.tuples(places, names), max_size=14)
ignore_files = st.lists(
    st.tuples(
        places,
        st.sampled_from([".gitignore", ".memignore", *MARKS]),
        st.lists(st.sampled_from(LINES), max_size=3),
    ),
    max_size=5,
)
links = st.lists(st.tuples(places, names, st.sampled_from(TARGETS)), max_size=4)
closed = st.lists(places, max_size=2)


def grow(base: Path, *, made: Sequence[tuple[str, str]], links: Sequence[tuple[str, ...]]) -> None:
    """A tree as far as it can be: whatever is in the way of a file or link keeps it out."""
    (base / "outside").mkdir()
    (base / "outside" / "o.md").write_text("x")
    (base / "root").mkdir()
    for place, text in made:
        path = base / "root" / place.lstrip("/")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        except (FileExistsError, NotADirectoryError, IsADirectoryError):
            continue
    for place, name, target in links:
        folder = base / "root" / place
        if folder.is_dir() and not os.path.lexists(folder / name):
            (folder / name).symlink_to(name if target == "self" else target)


def is_at_or_below(path: str, places: Sequence[str]) -> bool:
    return any(path == place or path.startswith(place.rstrip("/") + "/") for place in places)


@settings(max_examples=examples(70), deadline=None)
@given(
    made=files,
    rules=ignore_files,
    links=links,
    closed=closed,
    modes=st.sampled_from([0, 0o300, 0o400]),
    inner=st.lists(places, max_size=2),
    only=st.lists(st.tuples(places, names).map("/".join) | places, max_size=4),
    above=st.booleans(),
)
def test_a_part_is_the_part_of_the_whole(
    *,
    made: list[tuple[str, str]],
    rules: list[tuple[str, str, list[str]]],
    links: list[tuple[str, str, str]],
    closed: list[str],
    modes: int,
    inner: list[str],
    only: list[str],
    above: bool,
) -> None:
    base = Path(os.path.realpath(tempfile.mkdtemp()))
    planted = [(f"{place}/{name}", "text") for place, name in made]
    planted += [(f"{place}/{name}", "\n".join(lines)) for place, name, lines in rules]
    root = base / "root"
    shut: list[Path] = []
    try:
        grow(base, made=planted, links=links)
        roots = [root, *(root / place for place in inner if (root / place).exists())]
        for place in closed:
            folder = root / place
            if folder.is_dir() and not folder.is_symlink():
                shut.append(folder)
                folder.chmod(modes)
        wanted = [str(root / place.lstrip("/")) for place in only] + ([str(base)] if above else [])
        base.chmod(0o755)
        with ordinary_user():
            compare(roots, wanted)
            account(roots)
    finally:
        for folder in shut:
            folder.chmod(0o700)
        shutil.rmtree(base)


def compare(roots: Sequence[Path], only: Sequence[str]) -> None:
    whole = list(scan(roots, RULES))
    part = list(scan(roots, RULES, only=only))
    inside = [found for found in whole if is_at_or_below(found.path, only)]
    assert [found for found in part if is_at_or_below(found.path, only)] == inside
    beside = [found for found in part if found not in inside]
    assert all(isinstance(found, SkippedFile) for found in beside)
    assert all(any(is_at_or_below(path, [found.path]) for path in only) for found in beside)
    assert [found for found in whole if found in beside] == beside
    entered = list(folders(roots, RULES))
    assert list(folders(roots, RULES, only=only)) == [
        folder for folder in entered if is_at_or_below(folder, only)
    ]
    parents = {str(Path(found.path).parent) for found in whole if isinstance(found, FileEntry)}
    assert {parent for parent in parents if Path(parent) not in roots} <= set(entered)


def account(roots: Sequence[Path]) -> None:
    """Whatever lies in a folder that is looked into is wanted, refused or ignored by a rule."""
    entered = set(folders(roots, RULES))
    told: dict[str, object] = {folder: EnteredFolder(folder) for folder in entered}
    told |= {found.path: found for found in ignored(roots, RULES)}
    told |= {found.path: found for found in scan(roots, RULES)}
    for folder in entered:
        for entry in os.scandir(folder):
            assert why(entry.path, roots, RULES) == told[entry.path]
    assert {found: why(found, roots, RULES) for found in told} == told
    for found in ignored(roots, RULES):
        if found.is_folder:
            assert why(f"{found.path}/deep/er.md", roots, RULES) == found
        assert found.file is None or found.text in Path(found.file).read_text().split("\n")


def test_only_the_way_to_the_paths_is_looked_at(tmp_path: Path) -> None:
    for name in ("a/b/c.md", "a/b/d.md", "a/e.md", "f/g.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    (tmp_path / "f").chmod(0)
    (tmp_path / "a" / "b" / ".memignore").write_text("d.md\n")
    only = [f"{tmp_path}/a/b/c.md", f"{tmp_path}/a/b/d.md", f"{tmp_path}/nowhere/", "/elsewhere"]
    assert [found.path for found in scan([tmp_path], only=only)] == [f"{tmp_path}/a/b/c.md"]
    assert list(folders([tmp_path], only=only)) == []
    assert list(folders([tmp_path], only=[f"{tmp_path}/a/"])) == [
        f"{tmp_path}/a",
        f"{tmp_path}/a/b",
    ]
    (tmp_path / "f").chmod(0o700)


def test_nothing_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("x")
    assert list(scan([tmp_path], only=[])) == []
    assert list(scan([tmp_path / "a.md"], only=[f"{tmp_path}/a.md/b"])) == []
    assert len(list(scan([tmp_path / "a.md"], only=[str(tmp_path)]))) == 1


def test_a_name_that_cannot_be_is_found_nowhere(tmp_path: Path) -> None:
    long = "n" * 300
    only = [f"{tmp_path}/a\0b", f"{tmp_path}/{long}.md", f"{tmp_path}/\ud800.md"]
    assert list(scan([tmp_path], only=only)) == []


def test_a_name_as_the_system_does_not_spell_it_is_looked_for_in_the_list(tmp_path: Path) -> None:
    """As where `a.md` and `A.MD` are one file; two names of one file look the same here."""
    (tmp_path / "a.md").write_text("x")
    (tmp_path / "A.MD").hardlink_to(tmp_path / "a.md")
    (tmp_path / "b.md").write_text("x")
    assert [entry.name for entry in list_folder(str(tmp_path), ["a.md"])] == [
        "A.MD",
        "a.md",
        "b.md",
    ]
    assert [entry.name for entry in list_folder(str(tmp_path), ["b.md", "c.md"])] == ["b.md"]
    assert [found.path for found in scan([tmp_path], only=[f"{tmp_path}/a.md"])] == [
        f"{tmp_path}/a.md"
    ]
