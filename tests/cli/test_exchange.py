"""`mem export` and `mem import` as a user meets them."""

import json
from pathlib import Path

import pytest

from tests.cli.shell import Mem


def test_a_memory_moves_to_another_database(synced: Mem, folder: Path) -> None:
    written = synced("export", "all.jsonl.gz")
    assert written.code == 0
    assert written.out.startswith("all.jsonl.gz: 2 documents, ")
    taken = synced("--db", "other.db", "import", "all.jsonl.gz")
    assert taken.code == 0
    assert taken.out.startswith("2 added; ")
    assert ", 0 embedded here)" in taken.out
    found = [synced(*db, "search", "cats and dogs").out for db in ((), ("--db", "other.db"))]
    assert found[0] == found[1]
    again = synced("--db", "other.db", "import", "all.jsonl.gz")
    assert again.out.startswith("2 unchanged; 0 chunks")


def test_every_record_is_counted(synced: Mem) -> None:
    synced("turn", "add", "--session", "s1", "I live in Oslo")
    synced("fact", "add", "work/desk", "By the window")
    synced("person", "add", "Ida")
    said = "1 turn, 1 memory, 2 other records"
    written = synced("export", "all.jsonl")
    assert said in written.out, written.out
    taken = synced("--db", "other.db", "import", "all.jsonl")
    assert taken.out.startswith(f"2 added, {said}; ")


def test_lines_go_to_stdout(synced: Mem) -> None:
    lines = [json.loads(line) for line in synced("export").out.splitlines()]
    assert [line["type"] for line in lines[:2]] == ["export", "root"]
    assert synced("export", "-", "--json").out == synced("export").out


def test_programs_get_json(synced: Mem) -> None:
    assert synced("export", "all.jsonl", "--no-vectors", "--json").json["vectors"] == 0
    report = synced("--db", "other.db", "import", "all.jsonl", "--json").json
    assert (report["added"], report["errors"]) == (2, [])
    assert report["embedded"] > 0


def test_bad_lines_are_listed(synced: Mem, folder: Path) -> None:
    synced("export", "all.jsonl")
    with (folder / "all.jsonl").open("a") as lines:
        lines.writelines('{"type": "dream"}\n' for _ in range(12))
    taken = synced("--db", "other.db", "import", "all.jsonl")
    assert taken.code == 0
    assert "'dream', which this version does not know" in taken.err
    assert "and 2 lines more" in taken.err
    strict = synced("--db", "third.db", "import", "all.jsonl", "--strict")
    assert (strict.code, "cannot be used" in strict.err) == (2, True)


@pytest.mark.parametrize(
    "arguments, code, fact",
    [
        pytest.param(("export", "docs/setup.md"), 2, "already exists", id="file-there"),
        pytest.param(("export", "no/such/place"), 9, "cannot be written", id="no-folder"),
        pytest.param(("import", "nowhere.jsonl"), 4, "there is no file", id="no-file"),
        pytest.param(("import", "docs/setup.md"), 2, "not that of an export", id="no-export"),
        pytest.param(("import", "docs"), 4, "docs is a folder", id="folder"),
        pytest.param(("import", "bytes"), 2, "the file is not UTF-8: byte", id="no-text"),
    ],
)
def test_mistakes_are_named(
    synced: Mem, folder: Path, arguments: tuple[str, ...], code: int, fact: str
) -> None:
    (folder / "bytes").write_bytes(b"\x9f\x80" * 99)
    answer = synced(*arguments)
    assert (answer.code, answer.out) == (code, "")
    assert fact in answer.err


def test_an_older_store_comes_in(mem: Mem, folder: Path) -> None:
    store = folder / "old"
    store.mkdir()
    (store / "metadatas.json").write_text('[{"text": "The ferry leaves at noon."}, {}]')
    taken = mem("import", "--format", "leader-toolbox", "old")
    assert taken.code == 0
    assert taken.out.startswith("1 added, 1 failed; 1 chunk ")
    assert "2: it has no text" in taken.err
    assert "all texts are embedded again: there are no embeddings beside them" in taken.err
    assert "The ferry leaves at noon." in mem("search", "ferry").out
    assert mem("import", "--format", "leader-toolbox", "docs").code == 4
