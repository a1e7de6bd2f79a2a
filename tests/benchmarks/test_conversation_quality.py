"""Judged conversations are told, asked and scored."""

import json
from pathlib import Path

import pytest

from benchmarks.quality.conversations import judge, main, table

SAID = (
    ("g1", "a", "Ana", "I bought a boat in Split last week"),
    ("g1", "b", "Bo", "A boat is a lot of work"),
    ("g1", "c", "Ana", "It is called Cormorant"),
    ("g2", "d", None, "I keep bees behind the house"),
    ("g2", "e", None, "The honey is dark this year"),
)
ASKED = (
    ("g1", "q1", "what did Ana buy", "a"),
    ("g1", "q2", "what is the boat of Ana called", "c"),
    ("g2", "q3", "where are the bees", "d"),
    ("g2", "q4", "nobody knows", None),
)


@pytest.fixture
def conversations(tmp_path: Path) -> Path:
    (tmp_path / "qrels").mkdir()
    corpus = [
        {"_id": key, "text": text, "group": group, "metadata": {"speaker": speaker}}
        for group, key, speaker, text in SAID
    ]
    queries = [{"_id": key, "text": text, "group": group} for group, key, text, _ in ASKED]
    for name, rows in (("corpus", corpus), ("queries", queries)):
        lines = "\n".join(json.dumps(row) for row in rows)
        (tmp_path / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    grades = [f"{key}\t{answer}\t1" for _, key, _, answer in ASKED if answer]
    tsv = "\n".join(("query-id\tcorpus-id\tscore", *grades))
    (tmp_path / "qrels" / "test.tsv").write_text(tsv, encoding="utf-8")
    return tmp_path


def test_questions_are_asked_of_their_own_conversation(conversations: Path) -> None:
    found = judge(conversations, provider="static", modes=("hybrid", "keyword", "mixed"))
    assert [len(answers) for answers in found["hybrid"]] == [2, 1]
    assert all(one.score.recall == 1 for answers in found["keyword"] for one in answers)
    (q1, _), (q3,) = found["hybrid"]
    assert (q1.score.mrr, q3.score.mrr) == (1, 1)
    head, _, hybrid, keyword, mixed = table("two", found)
    assert head.startswith("| two | nDCG@10 | first half | second half |")
    assert hybrid.startswith("| hybrid | ")
    assert keyword.count("|") == 10
    assert mixed.endswith("| 1.000 | 1.000 | 1.000 |")


def test_the_table_is_printed(conversations: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(conversations), "--mode", "keyword"]) == 0
    out = capsys.readouterr().out
    assert f"{conversations.name}, static" in out
    assert "| keyword | " in out
