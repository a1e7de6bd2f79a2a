"""`mem doctor`: what it prints, and what it returns."""

from pathlib import Path

import apsw
import pytest

from tests.cli.shell import Mem, shell


@pytest.fixture
def damaged(synced: Mem, folder: Path) -> Path:
    """The database of the working directory, with a keyword entry gone."""
    database = folder / "damaged.db"
    assert synced("sync", "docs", "--db", str(database)).code == 0
    connection = apsw.Connection(str(database))
    connection.execute("DELETE FROM chunks_fts WHERE rowid = 1").fetchall()
    connection.close()
    return database


def test_a_database_that_is_well(synced: Mem) -> None:
    answer = synced("doctor", "--files")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith("23 checks in ")
    assert answer.out.endswith(": no problem\n")


def test_a_problem_is_named_with_its_repair_and_mended(mem: Mem, damaged: Path) -> None:
    answer = mem("doctor", "--db", str(damaged))
    assert answer.code == 10
    assert "problem: chunks that no word finds: 1 (" in answer.out
    assert "  --fix adds their keyword entries\n" in answer.out
    assert "to repair them: mem doctor --fix\n" in answer.err
    again = mem("doctor", "--fix", "--db", str(damaged))
    assert again.code == 0
    assert again.out.startswith("fixed: chunks that no word finds: 1 (")
    assert mem("doctor", "--db", str(damaged)).code == 0


def test_the_report_as_json(damaged: Path, folder: Path) -> None:
    answer = shell("doctor", "--json", "--db", str(damaged), cwd=folder)
    assert (answer.code, answer.err) == (10, "")
    report = answer.json
    assert report["healthy"] is False
    (problem,) = report["problems"]
    assert (problem["check"], problem["count"], problem["fixable"]) == ("keywords", 1, True)
    assert {check["name"]: check["outcome"] for check in report["checks"]}["texts"] == "fine"


def test_files_that_are_left_to_the_next_sync(mem: Mem, damaged: Path, folder: Path) -> None:
    (folder / "docs/animals.md").write_text("Foxes came to the river.\n")
    answer = mem("doctor", "--files", "--fix", "--db", str(damaged))
    assert answer.code == 0
    assert "1 file to be indexed again: mem sync\n" in answer.err
    assert mem("sync", "--json", "--db", str(damaged)).json["updated"] == 1


def test_there_is_nothing_to_examine(mem: Mem, folder: Path) -> None:
    answer = mem("doctor", "--db", "none.db")
    assert answer.code == 4
    (folder / "text.db").write_text("no database\n" * 200)
    answer = mem("doctor", "--db", "text.db")
    assert (answer.code, "is not a SQLite database" in answer.err) == (8, True)


def test_a_new_database_of_what_can_be_read(mem: Mem, damaged: Path, folder: Path) -> None:
    answer = mem("doctor", "--salvage", "new.db", "--db", str(damaged))
    assert answer.code == 0
    assert answer.out.startswith("new.db holds 2 documents, 2 chunks, 0 turns, 0 memories\n")
    assert mem("search", "cats", "--db", "new.db").code == 0
    again = mem("doctor", "--salvage", "new.db", "--json", "--db", str(damaged))
    assert (again.code, again.error["error"]) == (2, "input")
    again = mem("doctor", "--salvage", "other.db", "--json", "--db", str(damaged))
    assert again.json["rows"]["chunks"] == 2


def test_a_file_that_cannot_be_opened_any_more(mem: Mem, damaged: Path) -> None:
    data = bytearray(damaged.read_bytes())
    data[100:400] = b"\xff" * 300
    damaged.write_bytes(data)
    answer = mem("doctor", "--db", str(damaged))
    assert answer.code == 9
    assert "is damaged" in answer.err
    assert "mem restore FILE" in answer.err
