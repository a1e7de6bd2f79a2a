"""Divisions of a conversation are compared with the known boundaries of joined ones."""

import json
from pathlib import Path

import pytest

from benchmarks.segmentation import forgetting, summaries, updates
from benchmarks.segmentation.__main__ import main
from benchmarks.segmentation.agreement import agreement
from benchmarks.segmentation.joined import halves, in_order, read_sessions, shuffled
from tests.memory.episodes.said import BOAT, CAKE

TOPICS = ("The mainsail of the boat tore", "Melt the butter for the cake")


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    rows = [
        {
            "_id": f"{group}/{number}",
            "text": f"Ana: {TOPICS[session]} {number}",
            "group": group,
            "metadata": {"session": session},
        }
        for group in ("g1", "g2")
        for session in (0, 1)
        for number in range(12)
    ]
    text = "\n".join(json.dumps(row) for row in rows)
    (tmp_path / "corpus.jsonl").write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    "found, pk, window_diff",
    [
        ([10], 0, 0),
        ([], 5 / 15, 5 / 15),
        ([10, 11], 1 / 15, 5 / 15),
        ([9], 2 / 15, 2 / 15),
        (list(range(1, 20)), 10 / 15, 1),
    ],
    ids=["equal", "none", "one too many", "one too early", "everywhere"],
)
def test_agreement(found: list[int], pk: float, window_diff: float) -> None:
    measured = agreement([10], found, messages=20)
    assert measured.pk == pytest.approx(pk)
    assert measured.window_diff == pytest.approx(window_diff)
    assert measured.boundaries == len(found)


def test_there_must_be_a_boundary() -> None:
    with pytest.raises(ValueError, match="no true boundary"):
        agreement([], [3], messages=9)


def test_pieces_are_joined_at_known_places(collection: Path) -> None:
    first, second = halves(read_sessions(collection))
    assert first == second == [[[f"{topic} {n}" for n in range(12)] for topic in TOPICS]]
    joined = shuffled(first, seed=1)
    (place,) = joined.boundaries
    assert {text[:5] for text in joined.texts[:place]} & {
        text[:5] for text in joined.texts[place:]
    } == set()
    assert shuffled(first, seed=1) == joined
    assert [one.boundaries for one in in_order(first)] == [[12]]


def test_the_table_is_printed(collection: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main([str(collection), "--seeds", "1", "--window", "7"])
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [row[-4:-3] + row[-3:] for row in rows if row[0] == "sessions" and "topics" in row] == [
        ["topics", "0.000", "0.000", "1.00"]
    ] * 2
    assert sum("window" in row for row in rows) == 4


def test_the_share_of_the_evidence_in_summaries(
    collection: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (collection / "qrels").mkdir()
    grades = ["query-id\tcorpus-id\tscore", "q1\tg1/0\t1", "q2\tg2/0\t1"]
    (collection / "qrels" / "test.tsv").write_text("\n".join(grades), encoding="utf-8")
    summaries.main([str(collection), "--chars", "2000"])
    head, *lines = capsys.readouterr().out.splitlines()
    assert head.split()[0] == "4"
    assert [line.split()[-3:-1] for line in lines] == [["1.000", "1.000"]] * 4


def test_forgetting_as_a_weight_of_ranking(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An old episode that nobody used loses its place to a later one with the same words."""
    rows = [
        {
            "_id": f"g1/{session}/{number}",
            "text": f"Ana: {text}",
            "group": "g1",
            "metadata": {"session": session, "date": date, "speaker": "Ana"},
        }
        for session, date in enumerate(("1:56 pm on 8 May, 2021", "9:10 am on 9 May, 2023"))
        for number, text in enumerate((*CAKE, *BOAT) if session else BOAT)
    ]
    asked = [{"_id": f"q{n}", "text": "Who mends the rudder?", "group": "g1"} for n in range(2)]
    for name, lines in (("corpus", rows), ("queries", asked)):
        text = "\n".join(map(json.dumps, lines))
        (tmp_path / f"{name}.jsonl").write_text(text, encoding="utf-8")
    (tmp_path / "qrels").mkdir()
    grades = ["query-id\tcorpus-id\tscore", "q0\tg1/0/6\t1", "q1\tg1/0/6\t1"]
    (tmp_path / "qrels" / "test.tsv").write_text("\n".join(grades), encoding="utf-8")
    forgetting.main([str(tmp_path), "--first", "1"])
    _, *lines = capsys.readouterr().out.splitlines()
    shares = {(line[:14].strip(), line.split()[-4]): line.split()[-3] for line in lines}
    assert shares["nothing", "1.0"] == "0.000"
    assert shares["the evidence", "1.0"] == "1.000"


def test_facts_that_changed_are_ranked_by_relevance_and_recall(
    capsys: pytest.CaptureFixture[str],
) -> None:
    updates.main(["--people", "1"])
    head, *rows, facts = capsys.readouterr().out.splitlines()
    assert "before the old" in head
    assert len(rows) == len(updates.USES) * len(updates.WEIGHTS) + 1
    unweighted = {row.split()[-2] for row in rows if row.split()[-3] == "0.0"}
    assert len(unweighted) == 1
    assert facts.split() == ["facts", "-", "1.000", "1.000"]
