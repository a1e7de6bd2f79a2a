"""`mem backup`, `mem restore` and `mem compact` as a user meets them."""

from pathlib import Path

import pytest

from tests.cli.shell import Mem


def test_a_memory_goes_to_a_file_and_back(synced: Mem, folder: Path) -> None:
    saved = synced("backup", "saved.db")
    assert saved.code == 0
    assert saved.out.startswith("saved.db: ")
    assert "2 files" in saved.out
    (folder / "docs" / "animals.md").write_text("Nothing about pets any more.\n")
    synced("sync")
    assert "animals.md" not in synced("search", "cats and dogs", "--mode", "keyword").out
    back = synced("restore", "saved.db")
    assert back.code == 0
    assert "holds 2 files" in back.out
    assert "what it held before is in" in back.err
    assert "docs/animals.md:1" in synced("search", "cats and dogs", "--mode", "keyword").out


def test_programs_get_json(synced: Mem, folder: Path) -> None:
    (folder / "saved").mkdir()
    report = synced("backup", "saved", "--keep", "1", "--json").json
    assert report["files"] == 2
    assert Path(report["path"]).exists()
    again = synced("backup", "saved", "--keep", "1", "--json").json
    assert again["removed"] == [report["path"]]
    assert synced("backup", "saved", "--keep", "1").err.startswith("removed ")
    restored = synced("restore", str(next((folder / "saved").iterdir())), "--json").json
    assert (restored["files"], restored["damaged"]) == (2, False)
    compacted = synced("compact", "--json").json
    assert compacted["after_bytes"] > 0


@pytest.mark.parametrize(
    "arguments, code, fact",
    [
        pytest.param(("backup", "docs/setup.md"), 2, "already exists", id="file-there"),
        pytest.param(("backup", "new.db", "--keep", "2"), 2, "no folder", id="keep-file"),
        pytest.param(("backup", "no/such/place.db"), 4, "no folder", id="no-folder"),
        pytest.param(("backup", ""), 2, "empty", id="empty-path"),
        pytest.param(("restore", "nowhere.db"), 4, "there is no file", id="no-file"),
        pytest.param(("restore", "docs/setup.md"), 8, "not a SQLite database", id="no-database"),
    ],
)
def test_mistakes_are_named(synced: Mem, arguments: tuple[str, ...], code: int, fact: str) -> None:
    answer = synced(*arguments)
    assert (answer.code, answer.out) == (code, "")
    assert fact in answer.err


def test_without_a_database_there_is_nothing_to_save(mem: Mem) -> None:
    assert mem("backup", "saved.db").code == 4
    assert mem("compact").code == 4


def test_a_damaged_database_is_replaced_and_said_so(synced: Mem, folder: Path) -> None:
    synced("backup", "saved.db")
    place = Path(synced("status", "--json").json["database"])
    data = bytearray(place.read_bytes())
    data[16384 : 16384 * 4] = bytes(16384 * 3)
    place.write_bytes(data)
    assert synced("search", "installer").code != 0
    back = synced("restore", "saved.db")
    assert back.code == 0
    assert "was damaged" in back.err
    assert "docs/setup.md" in synced("search", "installer").out


def test_compacting_says_what_it_gained(synced: Mem) -> None:
    assert synced("compact").out.endswith(" s\n")
