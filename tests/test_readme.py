"""Every command in the README does what it says."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repository import BIN, ROOT, blocks, copy_of_the_repository

README = (ROOT / "README.md").read_text(encoding="utf-8")
PYTHON_PAGE = (ROOT / "docs/python.md").read_text(encoding="utf-8")
BENCHMARKS = (ROOT / "docs/benchmarks.md").read_text(encoding="utf-8")


def commands(text: str) -> list[str]:
    """The lines of a block that a reader would type, without comments."""
    lines = [line.removeprefix("$ ") for line in text.splitlines()]
    return [line.split("  #")[0].strip() for line in lines if line.strip()]


def run(command: list[str], cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
    environment.pop("MAKEFLAGS", None)
    environment["HOME"] = str(cwd)  # for the files of agents
    environment["COLUMNS"] = "100"  # xdist has a narrower terminal, and excerpts depend on it
    return subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    """A folder to work in, with a copy of this repository's documents."""
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    return tmp_path


ANSWERS = {
    "mem sync ./docs": r"^Done in .+ Files: \d+ added\n[\d,]+ new chunks",
    "mem search how long": r"^ 1\. docs/privacy\.md:.+(\n.+)*Turns are kept until",
    "mem setup claude-code": r"^written +/.+/\.claude\.json\nwritten +/.+/settings\.json\n",
    "mem status": r"^database +/.+, your own, shared by all folders\n(.+\n)+files +\d+ indexed",
    "mem turn add": r"create  memory 1  User lives in Oslo\n.+ User's sister Ida is",
    "mem remember": r"^memory \d  The spare key hangs behind the boiler",
    "mem search where do I live": r"^ 1\. memory 1  .+\n.+\n.+\n +User lives in Oslo",
    "mem explain 1": r"^memory 1  User lives in Oslo(.*\n)+score 1\.00 now",
    "mem context s1": r"^Recalled from memory(.*\n)+This session.+\n(.*\n)+\[1\] .+to Oslo in May",
    "mem forget": r"^1 record forgotten\n  memory 1\n(.*\n)*nothing left  records",
}
"""What a command answers; of several that it begins with, the longest counts."""


def test_commands_of_the_program(documents: Path) -> None:
    """All in order, in one folder, by one user, as a reader would type them."""
    expected = set(ANSWERS)
    for command in [each for block in blocks(README, "sh") for each in commands(block)]:
        words = shlex.split(command)
        typed = " ".join(words)
        done = run(words, documents)
        assert done.returncode == 0, f"{command}: {done.stderr}"
        name = max(filter(typed.startswith, ANSWERS), key=len)
        assert re.search(ANSWERS[name], done.stdout), f"{command}: {done.stdout}"
        assert "warning" not in done.stderr, f"{command}: {done.stderr}"
        expected.discard(name)
    assert expected == set()


def test_install_lines_are_those_of_the_page_about_it() -> None:
    """That page's lines have tests of their own."""
    page = (ROOT / "docs/installation.md").read_text(encoding="utf-8")
    install, tried = (commands(block) for block in blocks(README, "console"))
    assert install == commands(blocks(page, "sh")[0])
    assert tried == ["make demo", "make test"]


def test_the_three_figures_are_measured() -> None:
    """Each is in the section that its row names, which says when it was measured."""
    (table,) = re.findall(r"^## Three figures\n(.*?)^## ", README, re.DOTALL | re.MULTILINE)
    rows = re.findall(
        r"^\| ([^|]+) \| ([^|]+) \| \[.+\]\(docs/benchmarks\.md#(.+)\) \|$", table, re.M
    )
    assert len(rows) == 3
    for what, measured, anchor in rows:
        section = section_of(anchor)
        assert re.search(r"\b20\d\d-\d\d-\d\d\b", section), anchor
        numbers = re.findall(r"\.\d+|\d+\.\d+|\d[\d,]{2,}", f"{what} {measured}")
        held = {number.removeprefix("0") for number in re.findall(r"[\d.,]*\d", section)}
        assert len(numbers) >= 2
        assert set(numbers) - held == set(), what


def section_of(anchor: str) -> str:
    """The section of the benchmarks that an address leads to, with those below it."""
    for level, title in re.findall(r"^(##+) (.+)$", BENCHMARKS, re.MULTILINE):
        if re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") == anchor:
            rest = BENCHMARKS.split(f"\n{level} {title}\n")[1]
            return re.split(rf"^#{{1,{len(level)}}} ", rest, flags=re.MULTILINE)[0]
    raise AssertionError(f"docs/benchmarks.md has no section #{anchor}")


@pytest.mark.parametrize(
    "block",
    [*blocks(README, "python"), *blocks(PYTHON_PAGE, "python")],
    ids=["readme", "synchronous", "asynchronous"],
)
def test_python_examples(documents: Path, block: str) -> None:
    (documents / "example.py").write_text(block, encoding="utf-8")
    done = run([sys.executable, "example.py"], documents)
    assert done.returncode == 0, done.stderr
    assert re.search(r"docs/|boiler", done.stdout)


def test_make_demo(tmp_path: Path) -> None:
    """Its recipe in a copy of the repository; the environment is the one the tests run in."""
    (BIN.parent / ".installed").touch()
    copy = copy_of_the_repository(tmp_path / "copy")
    done = run(["make", "demo", f"VENV={BIN.parent}"], copy)
    assert done.returncode == 0, done.stderr
    assert len(re.findall(r"docs/[\w./]+\.\w+:\d+", done.stdout)) >= 3


def test_make_test_is_how_these_tests_are_run() -> None:
    assert "make test" in "".join(blocks(README, "console"))
    done = run(["make", "--dry-run", "test", f"VENV={BIN.parent}"], ROOT)
    assert done.returncode == 0, done.stderr
    assert "-m pytest" in done.stdout
