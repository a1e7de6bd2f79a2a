"""Questions with their answer there, removed, and never there; the database stays as it was."""

import json
from pathlib import Path

import pytest

from benchmarks.abstention import Answers, Measured, auc, main, measure, row, some
from benchmarks.quality.beir import Document, Judged, Question
from benchmarks.quality.ours import Indexed
from search import Ranking, analyse

ANIMALS = Judged(
    "animals",
    [
        Document("otter", "Otter", "It swims in rivers and keeps a favourite stone in a pocket."),
        Document("falcon", "Falcon", "It dives from the sky onto pigeons, faster than others."),
        Document("badger", "Badger", "It digs tunnels below the forest and sleeps most days."),
    ],
    [
        Question("what dives from the sky onto pigeons", {"falcon": 1}, "a"),
        Question("who digs tunnels below the forest", {"badger": 1}, "b"),
    ],
)
STARS = Judged("stars", [], [Question("spectral classes of binary pulsars", {"x": 1}, "c")])


def test_a_removed_answer_is_back_afterwards(tmp_path: Path) -> None:
    indexed = Indexed(ANIMALS, tmp_path, provider="static")
    try:
        chunks = indexed.workspace.storage.count_chunks()
        found = measure(ANIMALS, indexed, odd=False, others=[STARS])
        assert indexed.workspace.storage.count_chunks() == chunks == 3
        half = measure(ANIMALS, indexed, odd=True, others=[])
    finally:
        indexed.close()
    assert found.right.weak == [False, False]
    assert found.removed.weak == [True, True]
    assert found.foreign.weak == [True]
    assert row("animals", found)[:5] == ("animals", "2", "0.0%", "0.0%", "0.0%")
    assert len(half.right.weak) == 1, "ord('a') is odd, ord('b') is not"


def test_an_empty_answer_has_the_least_evidence() -> None:
    answers = Answers()
    answers.add(Ranking([], "hybrid", analyse("x"), weak=True))
    assert (answers.evidence, answers.share_weak) == ([-1.0], 1.0)
    assert row("none", Measured())[1:3] == ("0", "nan%")


@pytest.mark.parametrize(
    "higher, lower, expected",
    [([2, 3], [0, 1], 1.0), ([0], [1], 0.0), ([1], [1], 0.5), ([1, 3], [2, 2], 0.5)],
)
def test_the_area_under_the_curve(higher: list[float], lower: list[float], expected: float) -> None:
    assert auc(higher, lower) == expected


def test_some_are_spread_over_all() -> None:
    assert list(some([Question(str(n), {}) for n in range(10)], 100))[9].text == "9"
    assert [one.text for one in some([Question(str(n), {}) for n in range(10)], 4)] == [
        *("0", "3", "6", "9")
    ]


def test_the_command_prints_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "animals"
    (folder / "qrels").mkdir(parents=True)
    rows = [{"_id": one.id, "title": one.title, "text": one.text} for one in ANIMALS.documents]
    asked = [{"_id": one.id, "text": one.text} for one in ANIMALS.questions]
    (folder / "corpus.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (folder / "queries.jsonl").write_text("\n".join(map(json.dumps, asked)))
    (folder / "qrels/test.tsv").write_text("q\tc\ts\na\tfalcon\t1\nb\tbadger\t1\n")
    main([str(folder), "--work", str(tmp_path / "work"), "--odd", "animals"])
    printed = capsys.readouterr()
    assert "| animals | 1 | 0.0% | 0.0% | nan% | 1.000 | nan |" in printed.out
    assert printed.err.startswith("animals 1 ")
