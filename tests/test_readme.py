"""Every command in the README does what it says."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repository import ROOT, copy_of_the_repository

README = (ROOT / "README.md").read_text(encoding="utf-8")
BIN = Path(sys.executable).parent


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.DOTALL | re.MULTILINE)


def commands(text: str) -> list[str]:
    """The lines of a block that a reader would type, without comments."""
    lines = [line.removeprefix("$ ") for line in text.splitlines()]
    return [line.split("  #")[0].strip() for line in lines if line.strip()]


def run(command: list[str], cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
    environment.pop("MAKEFLAGS", None)
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
    "mem init": r"^Wrote /.+/constitution_config\.json\nThe memory of every folder is /",
    "mem sync ./docs": r"^Done in .+ Files: \d+ added\n\d+ new chunks",
    "mem search how long": r"^ 1\. docs/privacy\.md:.+(\n.+)*Turns are kept until",
    "mem search --mode keyword": r'"citation": "docs/cli\.md:.+"mode_used": "keyword"',
    "mem search --path": r"^ 1\. docs/.+(\n.+)*sync\s+lock",
    "mem show": r"^ 1  # Architecture\n(.*\n){8}10  ",
    "mem status": r"^database  /.+, your own, shared by all folders\n(.+\n)+files     \d+ indexed",
    "mem sync": r"Files: \d+ unchanged\n$",
    "mem turn add": r"create  memory 1  User lives in Oslo\n.+ User's sister Ida is",
    "mem remember": r"^memory \d  The spare key hangs behind the boiler",
    "mem search where do I live": r"^ 1\. memory 1  .+\n.+\n.+\n +User lives in Oslo",
    "mem memories list": r"spare key (.*\n)+.+sister Ida is a painter\n(.*\n)*.+lives in Oslo",
    "mem explain 1": r"^memory 1  User lives in Oslo(.*\n)+score 1\.00 now",
    "mem context s1": r"^Short-term\n.+I moved to Oslo in May(.*\n)+Mid-term\n(.*\n)*memory 1 ",
    "mem forget": r"^1 record forgotten\n  memory 1\n(.*\n)*nothing left  records",
}
"""What a command answers; of several that it begins with, the longest counts."""


def test_commands_of_the_program(documents: Path) -> None:
    """All in order, in one folder, by one user, as a reader would type them."""
    expected = set(ANSWERS)
    for command in [each for block in blocks("sh") for each in commands(block)]:
        words = shlex.split(command)
        typed = " ".join(words)
        done = run(words, documents)
        assert done.returncode == 0, f"{command}: {done.stderr}"
        name = max(filter(typed.startswith, ANSWERS), key=len)
        assert re.search(ANSWERS[name], done.stdout), f"{command}: {done.stdout}"
        assert "warning" not in done.stderr, f"{command}: {done.stderr}"
        expected.discard(name)
    assert expected == set()


def test_the_first_example_answers_as_shown(documents: Path) -> None:
    example, *others = blocks("console")
    typed = [line for line in example.splitlines() if line.startswith("$ ")]
    shown = [line.strip() for line in example.splitlines() if not line.startswith("$ ")]
    answers = [run(shlex.split(line.removeprefix("$ ")), documents) for line in typed]
    assert [done.returncode for done in answers] == [0, 0]
    found = " ".join(answers[-1].stdout.split())  # lines are as wide as the terminal
    assert len(shown) == 3
    shown = [" ".join(line.split()) for line in shown]
    assert without_lines(shown[0]) in without_lines(found)
    assert [line for line in shown[1:] if line not in found] == []
    rest = [each for block in others for each in commands(block)]
    assert rest == ["make demo", "make test", "pipx install ."]  # these have tests of their own


def without_lines(text: str) -> str:
    """A text whose citations name no lines, which move with the pages."""
    return re.sub(r"(\.md):\d+-\d+", r"\1", text)


@pytest.mark.parametrize("block", blocks("python"), ids=["synchronous", "asynchronous"])
def test_python_examples(documents: Path, block: str) -> None:
    (documents / "example.py").write_text(block, encoding="utf-8")
    done = run([sys.executable, "example.py"], documents)
    assert done.returncode == 0, done.stderr
    assert "docs/" in done.stdout


def test_make_demo(tmp_path: Path) -> None:
    """Its recipe in a copy of the repository; the environment is the one the tests run in."""
    (BIN.parent / ".installed").touch()
    copy = copy_of_the_repository(tmp_path / "copy")
    done = run(["make", "demo", f"VENV={BIN.parent}"], copy)
    assert done.returncode == 0, done.stderr
    assert len(re.findall(r"docs/[\w./]+\.\w+:\d+", done.stdout)) >= 3


def test_make_test_is_how_these_tests_are_run() -> None:
    assert "make test" in "".join(blocks("console"))
    done = run(["make", "--dry-run", "test", f"VENV={BIN.parent}"], ROOT)
    assert done.returncode == 0, done.stderr
    assert "-m pytest" in done.stdout


def test_named_extras_exist() -> None:
    named = set(re.findall(r"^\| `([\w-]+)` \|", README, re.MULTILINE))
    declared = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    section = declared.split("[project.optional-dependencies]")[1].split("\n[")[0]
    extras = set(re.findall(r"^([\w-]+) = ", section, re.MULTILINE))
    assert named == extras - {"bench", "dev", "distil"}
