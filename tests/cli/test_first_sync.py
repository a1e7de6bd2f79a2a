"""Paths that a first sync refuses, asks about, or does not remember."""

import signal
from pathlib import Path

import pytest

from tests.cli.shell import Mem, start
from tests.waiting import output_of, wait_until

pytestmark = pytest.mark.usefixtures("folder")


@pytest.mark.parametrize("command", ["sync", "watch"])
@pytest.mark.parametrize("path", ["/", "~", "~/.."], ids=["disk", "home", "above-home"])
def test_a_home_folder_and_a_disk_need_a_yes(mem: Mem, command: str, path: str) -> None:
    answer = mem(command, str(Path(path).expanduser()))
    assert answer.code == 2
    assert "holds everything you have" in answer.err
    assert "--yes" in answer.err
    assert not mem("files", "--roots", "--json").out  # there is not even a database


def test_a_yes_reads_a_home_folder(mem: Mem, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = folder / "house"
    home.mkdir()
    (home / "a.md").write_text("A quince in the pantry.\n")
    monkeypatch.setenv("HOME", str(home))
    assert mem("sync", str(home)).code == 2
    assert "would add" in mem("sync", str(home), "--dry-run").out
    assert mem("sync", str(home), "--yes", "--json").json["added"] == 1


@pytest.mark.parametrize("command", ["sync", "watch"])
def test_a_binary_given_by_name_is_refused_and_not_remembered(
    mem: Mem, folder: Path, command: str
) -> None:
    (folder / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(64))
    answer = mem(command, "picture.png")
    assert answer.code == 2
    assert "picture.png is not a text: it holds zero bytes" in answer.err
    assert mem("files", "--roots", "--json").json == []


def test_dangling_links_are_no_files(mem: Mem, folder: Path) -> None:
    notes = folder / "notes"
    notes.mkdir()
    (notes / "a.md").write_text("A quince in the pantry.\n")
    for number in range(7):
        (notes / f"link{number}.md").symlink_to("nowhere.md")
    (notes / "circle.md").symlink_to("circle.md")
    answer = mem("sync", "notes", "--json").json
    assert (answer["added"], answer["failed"], answer["errors"]) == (1, 0, [])
    why = mem("files", "--why", "notes/link1.md", "--json").json
    assert (why["verdict"], why["rule"], why["rule_text"]) == ("ignored", "dangling", "nowhere.md")
    (notes / "nowhere.md").write_text("It is here now, with cardamom.\n")
    assert mem("sync", "--json").json["added"] == 1
    (notes / "a.md").unlink()
    (notes / "a.md").symlink_to("gone.md")
    assert mem("sync", "--json").json["deleted"] == 1


def test_a_dry_run_in_a_pipe_lists_files_as_they_are_found(mem: Mem, folder: Path) -> None:
    notes = folder / "notes"
    notes.mkdir()
    for number in range(3):
        (notes / f"{number}.md").write_text(f"Quince {number} in the pantry.\n")
    lines = mem("sync", "notes", "--dry-run").out.splitlines()
    assert lines[:3] == [f"would add notes/{number}.md" for number in range(3)]
    assert lines[3].startswith("Dry run in")
    assert mem("sync", "notes", "--dry-run", "--json").json["added"] == 3


@pytest.mark.slow
def test_an_interrupted_first_sync_remembers_nothing(mem: Mem, folder: Path) -> None:
    notes = folder / "many"
    notes.mkdir()
    for number in range(6000):
        (notes / f"{number}.md").write_text(f"Quince {number} in the pantry.\n" * 20)
    process = start("sync", "many", cwd=folder)
    try:
        wait_until(lambda: process.poll() is not None or mem("files", "--json").code == 0)
        process.send_signal(signal.SIGINT)
        output_of(process)
        assert process.returncode == 130
    finally:
        process.kill()
        output_of(process)
    assert mem("files", "--roots", "--json").json == []
