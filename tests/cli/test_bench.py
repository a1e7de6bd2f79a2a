"""`mem bench`: a person's own questions, and what a setting changes."""

import json
from pathlib import Path

import pytest

from tests.cli.shell import Mem

QUESTIONS = "# mine\n\nthe installer\tdocs/setup.md\ncats by the river\tdocs/animals.md:1\tdocs\n"


def _write(folder: Path, text: str = QUESTIONS) -> str:
    (folder / "questions.tsv").write_text(text)
    return "questions.tsv"


def test_the_places_of_answers_are_ranked(synced: Mem, folder: Path) -> None:
    answer = synced("bench", _write(folder), "--mode", "keyword", "--mode", "hybrid")
    lines = answer.out.splitlines()
    assert lines[0].split()[2:] == [
        "recall@1",
        "recall@3",
        "recall@5",
        "recall@10",
        "MRR",
        "median",
    ]
    assert [line.split()[0] for line in lines[1:]] == ["keyword", "hybrid"]
    assert [line.split()[2:7] for line in lines[1:]] == [["1.000"] * 5] * 2
    assert "2 questions" in answer.err


def test_recall_is_of_all_places_and_mrr_of_the_first(synced: Mem, folder: Path) -> None:
    file = _write(folder, "cats by the river\tdocs/setup.md\tdocs/animals.md\n")
    found = synced("bench", file, "--mode", "keyword", "--json").json
    assert found["questions"][0]["ranks"] == {"keyword": [None, 1]}
    assert found["modes"]["keyword"]["recall"] == {"1": 0.5, "3": 0.5, "5": 0.5, "10": 0.5}
    assert found["modes"]["keyword"]["mrr"] == 1.0


def test_lines_must_be_those_of_the_answer(synced: Mem, folder: Path) -> None:
    (folder / "docs" / "long.md").write_text("# A\n\nzebra\n\n" + "filler words\n\n" * 300)
    synced("sync", "docs")
    file = _write(folder, "zebra\tdocs/long.md:3\nzebra\tdocs/long.md:590-600\n")
    found = synced("bench", file, "--mode", "keyword", "--json").json
    assert [one["ranks"]["keyword"] for one in found["questions"]] == [[1], [None]]
    assert (
        "not among the first 10:\n    line 2: zebra"
        in synced("bench", file, "--mode", "keyword").out
    )


def test_a_turn_is_a_place(synced: Mem, folder: Path) -> None:
    synced("turn", "add", "--session", "s", "the gasket hums")
    (hit,) = synced("search", "gasket", "--source", "turn", "--json").json["results"]
    found = synced("bench", _write(folder, f"gasket\t{hit['citation']}\n"), "--json").json
    assert found["questions"][0]["ranks"]["hybrid"] == [1]


def test_what_a_change_does(synced: Mem, folder: Path) -> None:
    file = _write(folder)
    before = synced("bench", file, "--mode", "keyword", "--json")
    (folder / "before.json").write_text(before.out)
    (folder / "docs" / "setup.md").write_text("nothing of that kind\n")
    synced("sync", "docs")
    out = synced("bench", file, "--mode", "keyword", "--before", "before.json").out
    assert "keyword, before" in out
    assert "keyword, now" in out
    assert "keyword: 0 better, 1 worse of 2" in out
    assert " 1 ->  -  the installer" in out


def test_a_place_that_is_not_indexed_is_told(synced: Mem, folder: Path) -> None:
    answer = synced("bench", _write(folder, "x\tdocs/gone.md\ny\tmemory 99\n"), "--mode", "keyword")
    assert "line 1: nothing indexed is called 'docs/gone.md'" in answer.err
    assert answer.code == 0


@pytest.mark.parametrize(
    "text, complaint",
    [
        ("", "has no question"),
        ("a question alone\n", "line 1, has no question and place"),
        ("\tdocs/setup.md\n", "line 1, has no question and place"),
        (b"\xff\xfe\x00", "is not UTF-8"),
    ],
)
def test_a_file_of_no_questions_is_refused(
    synced: Mem, folder: Path, text: str | bytes, complaint: str
) -> None:
    data = text.encode() if isinstance(text, str) else text
    (folder / "questions.tsv").write_bytes(data)
    answer = synced("bench", "questions.tsv")
    assert (answer.code, complaint in answer.err) == (2, True)


@pytest.mark.parametrize("value", ["[]", "{", json.dumps({"modes": {}}), '{"modes": 3}'])
def test_figures_of_something_else_are_refused(synced: Mem, folder: Path, value: str) -> None:
    (folder / "before.json").write_text(value)
    answer = synced("bench", _write(folder), "--before", "before.json")
    assert (answer.code, "not an answer of mem bench" in answer.err) == (2, True)


def test_files_that_are_not_there(synced: Mem, folder: Path) -> None:
    assert "cannot be read" in synced("bench", "none.tsv").err
    assert "cannot be read" in synced("bench", _write(folder), "--before", "none.json").err
