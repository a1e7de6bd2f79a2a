"""Globs compared with git's own matcher, and with sizes at which backtracking would never end."""

import os
import shutil
import subprocess
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.file_patterns import FilePatterns
from ingest.glob_matching import NO_GLOB, Automaton, GlobSet
from ingest.glob_syntax import parse_glob
from ingest.ignore import FolderRules, IgnoreFile
from tests.examples import examples

_NAMES = [b"a", b"b", b"ab", b"ba", b"aab", b"a]b", b"a-b", b"[a]", b"a b ", b"A", b"9", b"a*",
          b"a\\b", "é".encode(), b"\xff", b"a\tb", b"!a", b"#a", b".a", b"_"]  # fmt: skip
_DEEP = [b"/".join(parts) for n in (2, 3, 4) for parts in product([b"a", b"b", b"ab"], repeat=n)]
_FOLDERS = [b"d", b"d/a", b"a", b"a/b", b"a/b/ab", b"a/a", b"ab", b"b/a/b", "é".encode()]

_PIECES = st.sampled_from(
    ["a", "a", "b", "ab", "*", "*", "**", "***", "?", "/", "/", "/**/", "**/", "/**", "\\", "[",
     "]", "[ab]", "[!a]", "[^b]", "[a-c]", "[]a]", "[!]a]", "[a\\]b]", "[-a]", "[a-", "[[:alpha:]]",
     "[[:digit:]a]", "[[:nope:]]", "[[:a]", "[+--]", "[\\--a]", "[b-a]", "[/]", "!", "#", " ",
     "\\ ", "\t", ".", "-", "é", "\udcff", "\\*", "\\/"]
)  # fmt: skip
_LINES = st.lists(_PIECES, min_size=1, max_size=8).map("".join)


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    git = shutil.which("git")
    if git is None:
        pytest.skip("git is not installed")
    root = tmp_path_factory.mktemp("repository")
    subprocess.run([git, "init", "-q", str(root)], check=True)
    for folder in _FOLDERS:
        (root / os.fsdecode(folder)).mkdir(parents=True, exist_ok=True)
    return root


def git_lines(root, paths: list[bytes]) -> dict[bytes, int]:
    """The number of the line, from 1, by which git decides about each path."""
    told = subprocess.run(
        ["git", "-C", str(root), "-c", "core.excludesFile=/dev/null", "check-ignore", "-z", "-v",
         "-n", "--no-index", "--stdin"],
        input=b"\0".join(paths),
        capture_output=True,
    ).stdout.split(b"\0")  # fmt: skip
    return {told[at + 3]: int(told[at + 1] or 0) for at in range(0, len(told) - 1, 4)}


def our_line(rules: IgnoreFile, path: bytes, folders: set[bytes]) -> int:
    """The same by our rules; an ignored folder decides about everything in it."""
    parts = path.split(b"/")
    below = ""
    for depth, part in enumerate(parts, 1):
        here = b"/".join(parts[:depth])
        found = rules.last(os.fsdecode(part), below, folder=depth < len(parts) or here in folders)
        if found is not None and (found[1] or depth == len(parts)):
            return found[0] + 1
        below += os.fsdecode(part) + "/"
    return 0


def assert_git_agrees(repository, lines: list[str]) -> None:
    (repository / ".gitignore").write_bytes(os.fsencode("\n".join(lines) + "\n"))
    folders = {
        os.path.relpath(place, os.fsencode(repository))
        for place, _, _ in os.walk(os.fsencode(repository))
    }
    paths = [*_NAMES, *_DEEP, *_FOLDERS[:2]]
    rules = IgnoreFile(lines)
    assert {path: our_line(rules, path, folders) for path in paths} == git_lines(repository, paths)


@given(st.lists(_LINES, min_size=1, max_size=12))
@settings(max_examples=examples(100))
def test_git_decides_by_the_same_line(repository, lines):
    assert_git_agrees(repository, lines)


@pytest.mark.slow
@given(st.lists(_LINES, min_size=20, max_size=120))
@settings(max_examples=examples(400))
def test_git_decides_by_the_same_line_of_many(repository, lines):
    assert_git_agrees(repository, lines)


@pytest.mark.parametrize(
    "line, name, below",
    [
        pytest.param("*a*a*a*a*a*a*a*ab", "a" * 200, "", id="stars"),
        pytest.param("*?*?*?*?*?*?*?*?b", "a" * 200, "", id="stars-and-marks"),
        pytest.param("*[ab]*[ab]*[ab]*[ab]*[ab]*[ab]*c", "ab" * 100, "", id="classes"),
        pytest.param("/" + "**/a/" * 12 + "b", "a", "a/" * 200, id="nested-folders"),
        pytest.param("**/a/**/a/**/a/**/a*a*a*b", "a" * 200, "a/" * 200, id="both"),
        pytest.param("/" + "*/" * 100 + "*b", "a", "a/" * 100, id="one-star-a-folder"),
        pytest.param("*a" * 100_000, "a" * 255, "", id="long-line"),
    ],
)
@pytest.mark.parametrize("is_folder", [False, True], ids=["file", "folder"])
def test_no_pattern_takes_for_ever(line, name, below, is_folder):
    rules = FolderRules().joined(memignore=[], gitignore=[line])
    for part in below.split("/")[:-1]:
        rules = rules.below(part)
    assert rules.ruling(name, folder=is_folder) is None
    assert not FilePatterns([line.removeprefix("/")]).take(name, below)


_MANY = {
    "names": lambda i: f"made{i}.txt",
    "beginnings": lambda i: f"file{i}_*",
    "endings": lambda i: f"*_{i}.txt",
    "insides": lambda i: f"*_{i}_*",
    "both-ends": lambda i: f"f*{i}*.md",
    "classes": lambda i: f"*[xyz]{i}?*",
    "folders": lambda i: f"made/d{i}/*.txt",
    "any-folder": lambda i: f"**/d{i}/**/*.txt",
}


@pytest.mark.parametrize("kind", _MANY)
def test_the_last_of_thousands_of_patterns_decides(kind):
    lines = [_MANY[kind](number) for number in range(3000)]
    rules = IgnoreFile(lines)
    apart = [IgnoreFile([line]) for line in lines[::50]]
    names = ["file7_a", "made100.txt", "a_150.txt", "b_200_c", "f250.md", "ax3000_", "1.txt"]
    for name, below in product(names, ["", "made/d150/", "a/d50/c/", "made/"]):
        found = rules.last(name, below, folder=False)
        single = [n * 50 for n, each in enumerate(apart) if each.last(name, below, folder=False)]
        assert {found and found[0]} >= set(single[-1:]) or (found and found[0] > single[-1])


_GLOBS = st.lists(st.sampled_from(["a", "b", "*", "?", "[!a]", "/", "**/", "/**"]), max_size=6)


@given(
    st.lists(_GLOBS.map("".join), min_size=1, max_size=90),
    st.lists(st.text("ab/", min_size=1, max_size=12), max_size=20),
)
@settings(max_examples=examples(200))
def test_a_set_answers_as_its_globs_do_alone(patterns, texts):
    parsed = [(number, parse_glob(pattern)) for number, pattern in enumerate(patterns)]
    globs = [(number, glob) for number, glob in parsed if glob]
    together = GlobSet(globs, of_names=False)
    small = Automaton(globs, remembered_bytes=2000)  # forgets all the time
    for text in texts:
        alone = [number for number, glob in globs if Automaton([(0, glob)]).last(text) == 0]
        assert together.last(text) == small.last(text) == max(alone, default=NO_GLOB)


@given(st.lists(_LINES.filter(lambda line: "[" not in line), min_size=1, max_size=5))
@settings(max_examples=examples(100))
def test_file_patterns_compare_characters(patterns):
    assert FilePatterns([*patterns, "?.md"]).take("É.MD", "")
