"""Ignore files, compared with git itself where it is installed."""

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest import FileEntry, ScanRules, ignored, scan
from tests.examples import examples

_EVERYTHING = ScanRules(("*",))


def plant(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def found(root: Path) -> set[str]:
    real = root.resolve()
    return {
        str(Path(entry.path).relative_to(real))
        for entry in scan([root], _EVERYTHING)
        if isinstance(entry, FileEntry)
    } - {".gitignore", ".memignore"}


_TREE = [
    "a.md",
    "a.txt",
    "keep.md",
    "docs/a.md",
    "docs/a.txt",
    "docs/keep.md",
    "docs/deep/a.md",
    "docs/deep/er/b.txt",
    "x/docs/a.md",
    "foo/a.md",
    "x/foo/b.md",
    "#hash",
    "!bang",
    "sp ace.md",
    "star*.md",
]


@pytest.mark.parametrize(
    "lines, left_out",
    [
        pytest.param(["*.txt"], {"a.txt", "docs/a.txt", "docs/deep/er/b.txt"}, id="suffix"),
        pytest.param(["/a.md"], {"a.md"}, id="anchored"),
        pytest.param(["docs/a.md"], {"docs/a.md"}, id="path-is-anchored"),
        pytest.param(["**/docs/a.md"], {"docs/a.md", "x/docs/a.md"}, id="any-depth"),
        pytest.param(["foo/"], {"foo/a.md", "x/foo/b.md"}, id="folder"),
        pytest.param(["a.md/"], set(), id="folder-pattern-spares-files"),
        pytest.param(["docs/**"], {n for n in _TREE if n.startswith("docs/")}, id="all-below"),
        pytest.param(
            ["docs/**", "!docs/keep.md"],
            {n for n in _TREE if n.startswith("docs/")} - {"docs/keep.md"},
            id="all-below-but-one",
        ),
        pytest.param(
            ["docs/", "!docs/keep.md"],
            {n for n in _TREE if n.startswith(("docs/", "x/docs"))},
            id="nothing-comes-back-from-an-ignored-folder",
        ),
        pytest.param(
            ["*.md", "!keep.md"],
            {n for n in _TREE if n.endswith(".md")} - {"keep.md", "docs/keep.md"},
            id="last-line-wins",
        ),
        pytest.param(
            ["!keep.md", "*.md"], {n for n in _TREE if n.endswith(".md")}, id="negation-first"
        ),
        pytest.param(
            ["*", "!*/", "!*.md"],
            {"a.txt", "docs/a.txt", "docs/deep/er/b.txt", "#hash", "!bang"},
            id="whitelist",
        ),
        pytest.param(["\\#hash", "\\!bang"], {"#hash", "!bang"}, id="escaped"),
        pytest.param(["# comment", "", "  "], set(), id="no-rules"),
        pytest.param(["sp ace.md  "], {"sp ace.md"}, id="trailing-blanks"),
        pytest.param(["star\\*.md"], {"star*.md"}, id="escaped-star"),
        pytest.param(["a.m[c-e]"], {n for n in _TREE if n.endswith("a.md")}, id="class"),
        pytest.param(
            ["[z-a]", "!", "\\", "foo\\", "a.tx?"],
            {"a.txt", "docs/a.txt"},
            id="broken-lines-are-no-rules",
        ),
    ],
)
def test_lines_mean_what_they_mean_to_git(tmp_path, lines, left_out):
    plant(tmp_path, dict.fromkeys(_TREE, "x"))
    (tmp_path / ".gitignore").write_text("\n".join(lines) + "\n")
    assert set(_TREE) - found(tmp_path) == left_out


def test_deeper_files_win_and_memignore_wins_over_gitignore(tmp_path):
    plant(
        tmp_path,
        {
            ".gitignore": "*.txt\nprivate/\n",
            "sub/.gitignore": "!b.txt\n*.md\n",
            "sub/deep/.memignore": "!c.md\nd.txt\n",
            ".memignore": "!private/\nsub/b.txt\n",
            **dict.fromkeys(
                [
                    "a.txt",
                    "a.md",
                    "sub/a.txt",
                    "sub/b.txt",
                    "sub/a.md",
                    "sub/deep/c.md",
                    "sub/deep/b.txt",
                    "sub/deep/d.txt",
                    "private/p.md",
                ],
                "x",
            ),
        },
    )
    files = {name for name in found(tmp_path) if "ignore" not in name}
    assert files == {"a.md", "sub/deep/c.md", "sub/deep/b.txt", "private/p.md"}


def test_ignore_files_of_other_systems_are_read(tmp_path):
    plant(tmp_path, {"a.txt": "x", "é.md": "x", "b.md": "x"})
    (tmp_path / ".gitignore").write_bytes(b"\xef\xbb\xbfa.txt\r\n\xff\r\n" + "é.md\r\n".encode())
    assert found(tmp_path) == {"b.md"}


_PARTS = st.sampled_from(["a", "b", "docs", "*", "**", "?", "a*", "*.md", "b.md", "[ab]"])
_PATTERNS = st.builds(
    lambda bang, lead, parts, tail: bang + lead + "/".join(parts) + tail,
    st.sampled_from(["", "", "!"]),
    st.sampled_from(["", "", "/"]),
    st.lists(_PARTS, min_size=1, max_size=3),
    st.sampled_from(["", "", "/"]),
).filter(lambda line: not line.endswith("**/") and "**/**" not in line)
_PATHS = [
    "a",
    "b.md",
    "docs/a",
    "docs/b.md",
    "docs/a.md/b",
    "docs/docs/ab",
    "docs/docs/b.md",
    "b/a/b.md",
    "b/a/a",
    "ab/docs/b",
    "ab/b/b.md",
]


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    git = shutil.which("git")
    if git is None:
        pytest.skip("git is not installed")
    root = tmp_path_factory.mktemp("repository")
    subprocess.run([git, "init", "-q", str(root)], check=True)
    plant(root, dict.fromkeys(_PATHS, "x"))
    return root


@given(st.lists(_PATTERNS, min_size=1, max_size=5), st.lists(_PATTERNS, max_size=3))
@settings(max_examples=examples(150))
def test_git_agrees(repository, above, below):
    (repository / ".gitignore").write_text("\n".join(above) + "\n")
    (repository / "docs" / ".gitignore").write_text("\n".join(below) + "\n")
    listed = subprocess.run(
        [
            "git",
            "-C",
            str(repository),
            "-c",
            "core.excludesFile=/dev/null",
            "ls-files",
            "-z",
            "--others",
            "--exclude-standard",
        ],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split("\0")
    ours = {name for name in found(repository) if not name.endswith(".gitignore")}
    assert ours == {name for name in listed if name and not name.endswith(".gitignore")}
    entries = [entry for entry in ignored([repository], _EVERYTHING) if entry.rule == "gitignore"]
    assert {(entry.file, entry.line, entry.text, entry.path) for entry in entries} == named_by_git(
        repository, [entry.path for entry in entries]
    )


def named_by_git(
    repository: Path, paths: list[str]
) -> set[tuple[str | None, int | None, str, str]]:
    """The file, line and pattern by which git says that it ignores each of these paths."""
    told = subprocess.run(
        ["git", "-C", str(repository), "check-ignore", "-z", "-v", "--no-index", "--stdin"],
        input="\0".join(paths),
        capture_output=True,
        text=True,
    ).stdout.split("\0")
    return {
        (str(repository / told[at]), int(told[at + 1]), told[at + 2], told[at + 3])
        for at in range(0, len(told) - 1, 4)
    }
