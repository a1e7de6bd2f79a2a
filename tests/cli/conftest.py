"""`mem` as a user types it, run in the process of the test."""

from pathlib import Path

import pytest

from cli.main import run
from tests.cli.shell import SETUP, Answer, Mem


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with two documents in `docs`; nothing says how to colour."""
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "TERM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "setup.md").write_text(SETUP)
    (docs / "animals.md").write_text("Cats and dogs share a house by the river.\n")
    return tmp_path


@pytest.fixture
def mem(folder: Path, capsys: pytest.CaptureFixture[str]) -> Mem:
    """Runs `mem` with the given arguments."""

    def mem(*arguments: str) -> Answer:
        capsys.readouterr()
        code = run(arguments)
        return Answer(code, *capsys.readouterr())

    return mem


@pytest.fixture
def synced(mem: Mem) -> Mem:
    """The same, once `docs` has been indexed."""
    assert mem("sync", "docs").code == 0
    return mem
