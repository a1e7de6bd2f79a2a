"""`mem ingest`: files and texts taken in once."""

import io
import sys
from pathlib import Path

import pytest

from tests.cli.shell import Mem, shell


def test_a_text(mem: Mem) -> None:
    answer = mem(
        *("ingest", "--text", "She wrote the first program.", "--title", "Ada Lovelace"),
        *("--tag", "person", "--tag", "history", "--metadata", '{"year": 1843}'),
    )
    assert answer.code == 0
    citation, _, chunks = answer.out.strip().partition("  ")
    assert chunks == "1 chunk"
    found = mem("search", "lovelace", "--tag", "person", "--tag", "history", "--json")
    (hit,) = found.json["results"]
    assert (hit["citation"], hit["source"], hit["file_path"]) == (citation, "text", None)
    (record,) = mem("files", "--json").json
    assert record["metadata"] == {"year": 1843, "title": "Ada Lovelace"}
    assert record["tags"] == ["person", "history"]
    left = mem("search", "lovelace", "--without-tag", "history", "--json")
    assert left.json["results"] == []


def test_the_same_text_has_the_same_id(mem: Mem) -> None:
    first = mem("ingest", "--text", "Once.", "--json").json
    again = mem("ingest", "--text", "Once.", "--json", "--tag", "x").json
    assert first == again
    assert first == {"id": first["id"], "chunks": 1, "refused": 0, "warnings": []}


def test_a_text_from_stdin(mem: Mem, folder: Path) -> None:
    answer = shell("ingest", "-", "--json", cwd=folder, stdin="Rivers, bridges: Brücken.\n")
    assert answer.code == 0
    text_id = answer.json["id"]
    assert mem("show", text_id).out == "1  Rivers, bridges: Brücken.\n"


def test_stdin_that_is_no_text(mem: Mem, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"ab\xff")))
    answer = mem("ingest", "-")
    assert answer.code == 2
    assert "the input is not UTF-8: byte 2 belongs to no character" in answer.err


def test_files_and_folders(mem: Mem, folder: Path) -> None:
    answer = mem("ingest", "docs/setup.md", "docs", "--tag", "manual", "--metadata", '{"v": 2}')
    assert (answer.code, answer.out, answer.err) == (0, "2 files added, 0 already known\n", "")
    assert mem("ingest", "docs").out == "0 files added, 2 already known\n"
    records = mem("files", "--json").json
    assert [record["tags"] for record in records] == [["manual"]] * 2
    assert [record["metadata"] for record in records] == [{"v": 2}] * 2
    assert mem("search", "installer", "--tag", "manual", "--json").json["total_results"] >= 1
    assert mem("files", "--roots", "--json").json == []
    report = mem("ingest", "docs", "--json").json
    assert sorted(report["file_ids"]) == sorted(record["id"] for record in records)
    assert (report["added"], report["failed"]) == (0, [])


def test_what_cannot_be_read_is_listed(mem: Mem, folder: Path) -> None:
    (folder / "docs" / "x.md").write_bytes(b"\0\1")
    answer = mem("ingest", "docs")
    assert answer.code == 0
    assert answer.err.split() == ["skipped", "docs/x.md", "binary:", "holds", "zero", "bytes"]
    alone = mem("ingest", "docs/x.md")
    assert (alone.code, alone.out) == (2, "")
    assert "x.md cannot be indexed: binary: holds zero bytes" in alone.err


@pytest.mark.parametrize(
    "typed, code, message",
    [
        pytest.param([], 2, "Nothing to ingest", id="nothing"),
        pytest.param(["--text", " \n"], 2, "the text is empty", id="empty"),
        pytest.param(["typo"], 4, "typo does not exist", id="no file"),
        pytest.param(["docs", "--title", "T"], 2, "a file takes no title", id="title"),
        pytest.param(["docs", "--text", "x"], 2, "a text and a path", id="both"),
        pytest.param(["-", "docs"], 2, "a text and a path", id="stdin and path"),
        pytest.param(["-", "--text", "x"], 2, "a text and a path", id="stdin and text"),
        pytest.param(["docs", "--metadata", "{"], 2, "--metadata is not JSON:", id="no JSON"),
        pytest.param(["docs", "--metadata", "[1]"], 2, "not a JSON object", id="no object"),
        pytest.param(
            ["docs", "--metadata", '{"a": NaN}'], 2, "the metadata cannot be stored", id="NaN"
        ),
        pytest.param(
            ["--text", "x", "--metadata", '{"timestamp": "now"}'], 2, "timestamp 'now'", id="time"
        ),
    ],
)
def test_what_cannot_be_taken_in(mem: Mem, typed: list[str], code: int, message: str) -> None:
    answer = mem("ingest", *typed)
    assert (answer.code, answer.out) == (code, "")
    assert message in answer.err


def test_a_mistake_leaves_no_database(mem: Mem, folder: Path) -> None:
    for typed in (["typo"], ["--text", ""], ["docs", "--metadata", "{"]):
        assert mem("ingest", *typed, "--db", "new.db").code != 0
        assert not (folder / "new.db").exists()
