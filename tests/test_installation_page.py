"""The page about installing: extras, sizes, the way back, and what removing leaves."""

import re
import shlex
import sqlite3
import subprocess
from pathlib import Path

import pytest

from contracts.installation import EXTRAS_MB
from memory.values.user_folders import user_config_folder, user_data_folder
from tests.repository import BIN, ROOT

PAGE = (ROOT / "docs/installation.md").read_text(encoding="utf-8")
DECLARED = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
EXTRAS = re.findall(
    r"^([\w-]+) = ",
    DECLARED.split("[project.optional-dependencies]")[1].split("\n[")[0],
    re.MULTILINE,
)


def block(heading: str) -> list[str]:
    """The commands of the first block below a heading, without comments."""
    section = PAGE.split(f"\n## {heading}\n")[1]
    (found, *_) = re.findall(r"^```sh\n(.*?)^```", section, re.DOTALL | re.MULTILINE)
    return [line.split("  #")[0].strip() for line in found.splitlines()]


def test_every_extra_is_listed_with_its_size() -> None:
    rows = re.findall(r"^\| `([\w-]+)` \| .* \| ([\d,]*) ?\|$", PAGE, re.MULTILINE)
    assert {name for name, _ in rows} == set(EXTRAS) - {"bench", "dev", "distil"}
    listed = {name: int(size.replace(",", "")) for name, size in rows if size}
    assert listed == EXTRAS_MB


@pytest.mark.parametrize("line", [*block("Install"), *block("Upgrade")])
def test_install_lines_name_this_folder_and_existing_extras(line: str) -> None:
    words = shlex.split(line)
    if words[0] == "pipx":
        assert words[1:-1] in (["install"], ["install", "--force"])
        named = re.fullmatch(r"\.(?:\[([\w,-]+)\])?", words[-1])
        assert named is not None
        assert set((named[1] or "").split(",")) - {""} <= set(EXTRAS)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home of a user with one document and Claude Code."""
    folder = tmp_path / "home"
    (folder / "notes").mkdir(parents=True)
    (folder / "notes" / "house.md").write_text("The spare key hangs behind the boiler.\n")
    (folder / ".claude.json").write_text("{}\n")
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("PATH", f"{BIN}:/usr/bin:/bin")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "run"))
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "MEM_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    return folder


def typed(line: str, home: Path, code: int = 0) -> str:
    done = subprocess.run(["sh", "-c", line], cwd=home, capture_output=True, text=True, check=False)
    assert done.returncode == code, f"{line}: {done.stderr}"
    return done.stdout


@pytest.mark.slow
def test_what_is_removed_is_everything(home: Path) -> None:
    before = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    for line in ("mem init", "mem sync notes", "mem setup claude-code", "mem remember 'A fact'"):
        typed(line, home)
    written = {path for path in home.rglob("*") if path.is_file()} - before.keys()
    folders = (user_data_folder(), user_config_folder())
    elsewhere = [path for path in written if not any(map(path.is_relative_to, folders))]
    assert elsewhere == [home / ".claude/settings.json"]
    export, *lines, uninstall = block("Remove")
    for line in (export, *lines):
        if line != "mem service remove":  # it needs systemd or launchd, and has tests of its own
            typed(line, home)
    assert uninstall == "pipx uninstall symbiosis-memory"
    (home / "memory.jsonl.gz").unlink()
    assert {path: path.read_bytes() for path in home.rglob("*") if path.is_file()} == before


@pytest.mark.slow
def test_the_way_back_from_a_newer_version(home: Path) -> None:
    database = user_data_folder() / "memory.db"
    typed("mem sync notes", home)
    (backup,) = (line for line in block("Upgrade") if line.startswith("mem backup"))
    typed(backup, home)
    connection = sqlite3.connect(database)
    connection.execute("PRAGMA user_version = 1000")
    connection.close()
    typed("mem search key", home, code=8)
    database.rename(home / "newer.db")
    typed(backup.replace("backup", "restore", 1), home)
    assert "notes/house.md" in typed("mem search key", home)
