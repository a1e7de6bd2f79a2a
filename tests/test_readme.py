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
    return subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    """A folder to work in, with a copy of this repository's documents."""
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    return tmp_path


def test_commands_of_the_program(documents: Path) -> None:
    for command in [each for block in blocks("sh") for each in commands(block)]:
        done = run(shlex.split(command), documents)
        assert done.returncode == 0, f"{command}: {done.stderr}"
        assert done.stdout.strip(), f"{command} says nothing"


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
