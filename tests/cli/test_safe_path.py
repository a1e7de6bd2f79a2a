"""Nothing is imported from the working directory, which may be somebody else's repository."""

import os
import shutil
import site
import subprocess
import sys
from pathlib import Path

import pytest

from cli.safe_path import protect_children, without_working_directory
from tests.repository import PACKAGES, copy_of_the_repository

ROOT = Path(__file__).parents[2]
STRANGE = "print('strange code ran')"
OTHERS = ("click", "apsw", "numpy", "openai", "torch")


@pytest.fixture
def strange(tmp_path: Path) -> Path:
    """A folder with packages of our names, our libraries' names, and a text."""
    folder = tmp_path / "strange"
    for name in (*PACKAGES, *OTHERS):
        (folder / name).mkdir(parents=True)
        (folder / name / "__init__.py").write_text(STRANGE)
        (folder / name / "main.py").write_text(STRANGE)
    (folder / "pathspec.py").write_text(STRANGE)
    (folder / "notes.py").write_text("def zeppelin(): return 1\n")
    return folder


def ask(command: list[str], cwd: Path, **changes: str) -> str:
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        command, cwd=cwd, env=environ | changes, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "strange" not in done.stdout.replace(str(cwd), "")
    return done.stdout


def use_everything(program: list[str], cwd: Path, **changes: str) -> None:
    """Import, in the program and in its workers, whatever a first use imports."""
    ask([*program, "sync", "."], cwd, **changes)
    assert "notes.py" in ask([*program, "search", "zeppelin"], cwd, **changes)
    ask([*program, "remember", "I live in Oslo"], cwd, **changes)


def test_a_command_that_is_run_as_a_module(strange: Path) -> None:
    shutil.rmtree(strange / "cli")
    command = [sys.executable, "-m", "cli.main", "config", "get", "memory.search.fusion"]
    assert ask(command, strange, PYTHONPATH=str(ROOT)) == "convex\n"


@pytest.mark.slow
@pytest.mark.parametrize("path", [ROOT, f"{ROOT}{os.pathsep}", f".{os.pathsep}{ROOT}"], ids=str)
def test_a_module_that_is_run(strange: Path, path: object) -> None:
    """Python itself looks for `cli` here; all the rest is then found beside that."""
    shutil.rmtree(strange / "cli")
    use_everything([sys.executable, "-m", "cli.main"], strange, PYTHONPATH=str(path))


@pytest.mark.slow
def test_a_program_beside_its_interpreter(strange: Path) -> None:
    """The program as it is installed where the tests run."""
    program = Path(sys.executable).with_name("mem")
    if not program.exists():
        pytest.skip("the program is not installed here")
    use_everything([str(program)], strange)


@pytest.mark.slow
def test_an_editable_install(strange: Path, tmp_path: Path) -> None:
    copy = copy_of_the_repository(tmp_path / "copy")
    venv = tmp_path / "venv"
    ask([sys.executable, "-m", "venv", "--without-pip", str(venv)], tmp_path)
    python = venv / "bin" / "python"
    (packages,) = venv.glob("lib/python*/site-packages")
    (packages / "base.pth").write_text(
        "\n".join(folder for folder in sys.path if "site-p" in folder)
    )
    options = ["--no-deps", "--no-build-isolation", "--no-index", "--quiet"]
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", *options]
    ask([*pip, "--editable", str(copy)], tmp_path)
    use_everything([str(venv / "bin" / "mem")], strange)
    ask([str(venv / "bin" / "sm"), "stats"], strange)


def test_a_folder_that_was_named_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(["/named", "", "lib"]))
    given = [str(tmp_path), "/named", str(tmp_path), str(tmp_path / "lib"), "lib", "", str(ROOT)]
    monkeypatch.setattr(sys, "path", given)
    assert without_working_directory() == ["/named", str(ROOT)]


def test_a_developers_folder_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(sys, "path", ["", str(ROOT), *site.getsitepackages()])
    assert without_working_directory() == sys.path


def test_children_have_it_too(monkeypatch: pytest.MonkeyPatch) -> None:
    environ: dict[str, str] = {}
    protect_children(environ)
    assert environ["PYTHONSAFEPATH"] == "1"
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(["/named", "", "lib"]))
    protect_children(environ)
    assert environ["PYTHONPATH"] == "/named"
