"""The files that a scan finds, in real trees."""

import os
from pathlib import Path

import pytest

from contracts import NotFoundError
from ingest import FileEntry, ScanRules, SkippedFile, scan


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "root"
    folder.mkdir()
    return folder


def plant(root: Path, *names: str, text: str = "x") -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def found(root: Path, rules: ScanRules | None = None) -> list[str]:
    return [
        str(Path(entry.path).relative_to(root))
        for entry in scan([root], rules)
        if isinstance(entry, FileEntry)
    ]


def skipped(*roots: Path, rules: ScanRules | None = None) -> list[tuple[str, str]]:
    return [
        (Path(entry.path).name, entry.reason)
        for entry in scan(roots, rules)
        if isinstance(entry, SkippedFile)
    ]


def test_entries_carry_path_size_and_time(root):
    plant(root, "a.md", text="12345")
    os.utime(root / "a.md", ns=(1, 1_600_000_000_123_456_789))
    assert list(scan([root])) == [
        FileEntry(os.path.realpath(root / "a.md"), 5, (root / "a.md").stat().st_mtime_ns)
    ]


def test_files_come_in_order_before_subfolders(root):
    plant(root, "b.md", "c/z.md", "a/b/c.md", "a/a.md", "Z.md", "c/a.md")
    assert found(root) == ["Z.md", "b.md", "a/a.md", "a/b/c.md", "c/a.md", "c/z.md"]


def test_patterns_match_names_and_paths_in_any_case(root):
    plant(
        root,
        "A.MD",
        "b.c",
        "b.h",
        "b.hpp",
        "c.tar.gz",
        "Makefile",
        "docs/d.rst",
        "x/docs/e.rst",
        "docs/deep/f.rst",
    )
    assert found(root, ScanRules(("*.md",))) == ["A.MD"]
    assert found(root, ScanRules(("*.[ch]", "makefile"))) == ["Makefile", "b.c", "b.h"]
    assert found(root, ScanRules(("*.tar.gz",))) == ["c.tar.gz"]
    assert found(root, ScanRules(("docs/*.rst",))) == ["docs/d.rst"]
    assert found(root, ScanRules(("DOCS/",))) == ["docs/d.rst", "docs/deep/f.rst"]
    assert found(root, ScanRules(("b.*",))) == ["b.c", "b.h", "b.hpp"]
    assert found(root, ScanRules(())) == []
    assert "c.tar.gz" in found(root, ScanRules(("*",)))


def test_default_rules_leave_out_what_nobody_wrote(root):
    plant(
        root,
        "a.py",
        ".git/x.md",
        "node_modules/x.js",
        "sub/node_modules/p/x.md",
        ".venv/x.py",
        "env/pyvenv.cfg",
        "env/lib/x.py",
        "cachedir/CACHEDIR.TAG",
        "cachedir/x.md",
        "__pycache__/x.py",
        "build/x.md",
        "dist/x.md",
        "target/x.rs",
        "pkg.egg-info/x.txt",
        "memory.db",
        "memory.db-wal",
        "memory.db-shm",
        "app.min.js",
        "package-lock.json",
        "x.md~",
        ".#x.md",
        ".hidden/kept.md",
        "environment/kept.md",
    )
    assert found(root, ScanRules(("*",))) == ["a.py", ".hidden/kept.md", "environment/kept.md"]


def test_memignore_brings_back_what_the_defaults_leave_out(root):
    plant(root, "build/a.md", "env/pyvenv.cfg", "env/b.md", ".git/c.md", "x.db")
    (root / ".memignore").write_text("!build/\n!env/\n!.git/\n!*.db\n")
    assert found(root, ScanRules(("*.md", "*.db"))) == ["x.db", "build/a.md", "env/b.md"]


def test_a_named_root_is_taken_whatever_its_marks(root):
    plant(root, "build/CACHEDIR.TAG", "build/a.md")
    assert found(root / "build") == ["a.md"]


def test_gitignore_cannot_bring_back_what_the_defaults_leave_out(root):
    plant(root, "node_modules/a.md", "docs/b.md", "docs/c.txt")
    (root / ".gitignore").write_text("*\n!*/\n!*.md\n")
    assert found(root) == ["docs/b.md"]


def test_large_files_are_listed(root):
    plant(root, "a.md", text="123456")
    plant(root, "b.md", text="12345")
    plant(root, "c.bin", text="123456")
    rules = ScanRules(max_size_bytes=5)
    assert found(root, rules) == ["b.md"]
    assert skipped(root, rules=rules) == [("a.md", "too-large")]


def test_file_root_is_taken_whatever_the_rules_say(root):
    plant(root, "node_modules/x.odd")
    (root / ".memignore").write_text("*\n")
    path = root / "node_modules" / "x.odd"
    assert [entry.path for entry in scan([path], ScanRules(("*.md",)))] == [os.path.realpath(path)]


def test_overlapping_roots_give_each_file_once(root):
    plant(root, "a.md", "sub/b.md", "sub/deep/c.md")
    roots = [root, root / "sub", root / "sub" / "b.md", root, root / "sub" / ".." / "sub"]
    paths = [entry.path for entry in scan(roots)]
    assert sorted(Path(path).name for path in paths) == ["a.md", "b.md", "c.md"]


def test_missing_root_is_an_error_at_once(root):
    with pytest.raises(NotFoundError, match=r"nowhere' does not exist.*spelling"):
        scan([root, root / "nowhere"])
    with pytest.raises(NotFoundError, match="does not exist"):
        scan(["a\0b"])
    (root / "loop").symlink_to("loop")
    with pytest.raises(NotFoundError, match="loop' does not exist"):
        scan([root / "loop"])


def test_root_the_system_refuses_is_listed(root):
    assert skipped(root / ("x" * 300)) == [("x" * 300, "unreadable")]


def test_root_that_vanishes_before_the_scan_runs_is_listed(root):
    plant(root, "a.md", "sub/b.md")
    running = scan([root / "a.md", root / "sub"])
    (root / "a.md").unlink()
    (root / "sub" / "b.md").unlink()
    (root / "sub").rmdir()
    assert [(Path(e.path).name, e.reason) for e in running] == [
        ("a.md", "vanished"),
        ("sub", "vanished"),
    ]


def test_files_that_vanish_during_the_scan_are_listed(root):
    plant(root, "a.md", "b.md", "sub/c.md")
    running = scan([root])
    assert Path(next(running).path).name == "a.md"
    (root / "b.md").unlink()
    (root / "sub" / "c.md").unlink()
    (root / "sub").rmdir()
    assert [(Path(e.path).name, e.reason) for e in running] == [
        ("b.md", "vanished"),
        ("sub", "vanished"),
    ]


def test_root_that_is_neither_file_nor_folder_is_listed(root):
    os.mkfifo(root / "pipe.md")
    assert skipped(root / "pipe.md") == [("pipe.md", "unreadable")]
    assert list(scan([root])) == []


def test_links_inside_add_nothing_and_loops_end(root):
    plant(root, "docs/a.md", "secret/b.md")
    (root / ".memignore").write_text("secret/\n")
    (root / "link.md").symlink_to("docs/a.md")
    (root / "again").symlink_to("docs")
    (root / "docs" / "up").symlink_to("..")
    (root / "leak.md").symlink_to("secret/b.md")
    (root / "circle.md").symlink_to("circle.md")
    assert found(root) == ["docs/a.md"]
    assert skipped(root) == []


def test_links_that_lead_outside_are_listed_and_not_followed(root, tmp_path):
    plant(tmp_path, "outside/a.md", "root2/b.md", "outside/data.bin")
    (root / "folder").symlink_to("../outside")
    (root / "file.md").symlink_to("../outside/a.md")
    (root / "data.bin").symlink_to("../outside/data.bin")
    (root / "prefix").symlink_to("../root2")
    (root / "gone.md").symlink_to("../nowhere.md")
    (root / "gone.bin").symlink_to("../nowhere.bin")
    (root / "node_modules").symlink_to("../outside")
    assert found(root) == []
    assert skipped(root) == [
        ("file.md", "outside"),
        ("folder", "outside"),
        ("prefix", "outside"),
    ]
    assert skipped(root, tmp_path / "root2", tmp_path / "outside") == []


def test_root_given_by_a_link_is_taken_by_its_real_path(root, tmp_path):
    plant(root, "a.md")
    (tmp_path / "link").symlink_to("root")
    assert [entry.path for entry in scan([tmp_path / "link"])] == [os.path.realpath(root / "a.md")]


def test_odd_names(root):
    names = ["new\nline.md", "n" * 252 + ".md", " spaced .md", "漢字.md", "e\u0301.md", "-rf.md"]
    plant(root, *names)
    assert sorted(found(root)) == sorted(names)


def test_names_that_are_no_text_are_listed_printably(root):
    for name in (b"\xff.md", b"\xfe.bin"):
        (root / os.fsdecode(name)).write_text("x")
    for name in (b"\xfd", b"\xfc.egg-info"):
        (root / os.fsdecode(name)).mkdir()
    odd = [entry for entry in scan([root]) if isinstance(entry, SkippedFile)]
    assert [(Path(entry.path).name, entry.reason) for entry in odd] == [
        ("\\udcfd", "undecodable"),
        ("\\udcff.md", "undecodable"),
    ]
    single = next(iter(scan([root / os.fsdecode(b"\xff.md")])))
    assert (single.path, single.reason) == (odd[1].path, "undecodable")
    (root / os.fsdecode(b"\xfd") / "a.md").write_text("x")
    (folder,) = scan([root / os.fsdecode(b"\xfd")])
    assert (folder.path, folder.reason) == (odd[0].path, "undecodable")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every folder")
def test_unreadable_folder_is_listed(root):
    plant(root, "closed/a.md", "b.md")
    (root / "closed").chmod(0)
    try:
        assert found(root) == ["b.md"]
        assert skipped(root) == [("closed", "unreadable")]
    finally:
        (root / "closed").chmod(0o700)


def test_path_beyond_what_the_system_takes_is_listed(root):
    deep = os.open(root, os.O_RDONLY)
    for _ in range(20):
        os.mkdir("d" * 250, dir_fd=deep)
        below = os.open("d" * 250, os.O_RDONLY, dir_fd=deep)
        os.close(deep)
        deep = below
    os.close(deep)
    assert [reason for _, reason in skipped(root)] == ["unreadable"]


def test_folder_whose_ignore_file_cannot_be_read_is_left_out(root):
    plant(root, "a.md", "sub/b.md")
    (root / "sub" / ".memignore").mkdir()
    assert found(root) == ["a.md"]
    (entry,) = [entry for entry in scan([root]) if isinstance(entry, SkippedFile)]
    assert (Path(entry.path).name, entry.reason) == ("sub", "unreadable")
    assert ".memignore" in entry.detail


def test_a_scan_that_finds_nothing_can_be_ended(root):
    plant(root, *(f"{number}.unwanted" for number in range(600)))
    calls = []

    def stop():
        calls.append(1)
        if len(calls) == 3:  # the folder, and 512 of its entries
            raise InterruptedError("asked to end")

    with pytest.raises(InterruptedError, match="asked to end"):
        list(scan([root], ScanRules(checkpoint=stop)))
    assert len(calls) == 3
