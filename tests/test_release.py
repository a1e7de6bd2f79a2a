"""The built wheel and sdist, installed by the programs that users have, and used.

pipx and uv are installed into an environment of the test; what they install comes from the package
index, without torch. Without an index the tests are skipped by name.
"""

import json
import os
import re
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

import memory
from tests.repository import copy_of_the_repository

pytestmark = pytest.mark.slow

BUILD = """
import sys
from setuptools import build_meta
folder = sys.argv[1]  # setuptools puts arguments of its own there
build_meta.build_sdist(folder)
build_meta.build_wheel(folder)
"""
GUIDE = "# Boiler\n\nThe spare key hangs behind the boiler.\n"


def done(*command: object, cwd: Path, **changes: str) -> str:
    """The output of a command that succeeds."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    ran = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env={**kept, **changes},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr + ran.stdout
    return ran.stdout


@pytest.fixture(scope="module")
def built(new_folder: Callable[[str], Path]) -> tuple[Path, Path]:
    """The wheel and the sdist."""
    folder = new_folder("dist")
    copy = copy_of_the_repository(folder / "copy")
    done(sys.executable, "-W", "ignore", "-c", BUILD, folder, cwd=copy)
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return wheel, sdist


@pytest.fixture(scope="module")
def tools(new_folder: Callable[[str], Path]) -> Path:
    """The folder of the programs pipx and uv."""
    folder = new_folder("tools")
    done(sys.executable, "-m", "venv", folder, cwd=folder)
    pip = [folder / "bin" / "pip", "install", "--quiet", "pipx", "uv"]
    if subprocess.run(pip, check=False).returncode:
        pytest.skip("pipx and uv cannot be installed here: is there a package index?")
    return folder / "bin"


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """Folders of this test's own for tools, programs and data."""
    names = ("PIPX_HOME", "PIPX_BIN_DIR", "UV_TOOL_DIR", "UV_TOOL_BIN_DIR", "XDG_CONFIG_HOME")
    folders = {name: str(tmp_path / name.lower()) for name in (*names, "XDG_DATA_HOME")}
    return {**folders, "XDG_RUNTIME_DIR": str(tmp_path / "run"), "PIPX_MAN_DIR": str(tmp_path)}


def use(mem: Path, cwd: Path, home: dict[str, str]) -> None:
    """What a user does first."""
    (cwd / "docs").mkdir()
    (cwd / "docs" / "boiler.md").write_text(GUIDE, encoding="utf-8")
    assert done(mem, "--version", cwd=cwd, **home) == f"mem {memory.__version__}\n"
    assert "1 added" in done(mem, "sync", "docs", cwd=cwd, **home)
    found = json.loads(done(mem, "search", "where is the spare key", "--json", cwd=cwd, **home))
    assert found["results"][0]["citation"] == "docs/boiler.md:1-3"
    done(mem, "turn", "add", "I live in Oslo", "--session", "s", cwd=cwd, **home)
    assert "Oslo" in done(mem.with_name("sm"), "get-context", "--session", "s", cwd=cwd, **home)
    done(mem, "doctor", cwd=cwd, **home)


def test_pipx_installs_the_wheel(
    built: tuple[Path, Path], tools: Path, home: dict[str, str], tmp_path: Path
) -> None:
    done(tools / "pipx", "install", "--python", sys.executable, built[0], cwd=tmp_path, **home)
    use(Path(home["PIPX_BIN_DIR"], "mem"), tmp_path, home)
    listed = done(tools / "pipx", "list", "--short", cwd=tmp_path, **home)
    assert listed == f"symbiosis-memory {memory.__version__}\n"


def test_uv_installs_the_wheel_and_runs_it_once(
    built: tuple[Path, Path], tools: Path, home: dict[str, str], tmp_path: Path
) -> None:
    uv = (tools / "uv", "tool", "install", "--quiet", "--python", sys.executable)
    done(*uv, built[0], cwd=tmp_path, **home)
    use(Path(home["UV_TOOL_BIN_DIR"], "mem"), tmp_path, home)
    uvx = (tools / "uvx", "--quiet", "--python", sys.executable, "--from", built[0])
    assert done(*uvx, "mem", "--version", cwd=tmp_path) == f"mem {memory.__version__}\n"


def test_the_sdist_installs_and_brings_no_torch(
    built: tuple[Path, Path], tools: Path, home: dict[str, str], tmp_path: Path
) -> None:
    venv = tmp_path / "venv"
    uv = (tools / "uv", "--quiet")
    done(*uv, "venv", "--python", sys.executable, venv, cwd=tmp_path)
    done(*uv, "pip", "install", "--python", venv / "bin/python", built[1], cwd=tmp_path)
    use(venv / "bin" / "mem", tmp_path, home)
    names = done(*uv, "pip", "list", "--python", venv / "bin/python", cwd=tmp_path)
    assert not re.search(r"^(torch|transformers|onnxruntime) ", names, re.MULTILINE)


def test_the_sdist_holds_what_a_wheel_is_built_from(built: tuple[Path, Path]) -> None:
    with tarfile.open(built[1]) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    needed = {"pyproject.toml", "README.md", "LICENSE", "NOTICE", "memory/py.typed"}
    assert needed <= names
    assert not {name for name in names if name.startswith(("tests/", "docs/", "benchmarks/"))}
    assert "providers/onnx/data/minilm/model.onnx" in names
