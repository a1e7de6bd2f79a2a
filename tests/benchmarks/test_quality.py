"""Judged collections are read, ranked and scored as their judges would."""

import json
from collections.abc import Sequence
from math import log2
from pathlib import Path
from random import Random

import pytest

from benchmarks.quality.__main__ import arguments, judge
from benchmarks.quality.__main__ import main as quality_main
from benchmarks.quality.baselines import bm25_rankings, is_unspaced, pairs, tokeniser
from benchmarks.quality.beir import Document, Judged, Question, read_judged
from benchmarks.quality.measures import Score, mean, score
from benchmarks.quality.ours import Indexed
from benchmarks.quality.report import Result, markdown, results_of, table

ANIMALS = {
    "otter": "It swims in rivers and eats fish, and keeps its favourite stone in a pocket.",
    "falcon": "It dives from the sky onto pigeons, faster than any other bird of prey.",
    "badger": "It digs tunnels below the forest and sleeps in them for most of the day.",
    "walrus": "Its long teeth pull it out of the water onto ice where it rests.",
}
QUESTIONS = {
    "q1": ("what dives from the sky", {"falcon": 1}),
    "q2": ("who digs tunnels below the forest", {"badger": 2, "otter": 0}),
    "q3": ("nobody knows the answer", {}),
}


def write_collection(folder: Path, rows: Sequence[dict[str, object]]) -> Path:
    (folder / "qrels").mkdir(parents=True)
    lines = [json.dumps(row) for row in rows]
    (folder / "corpus.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    asked = [json.dumps({"_id": key, "text": text}) for key, (text, _) in QUESTIONS.items()]
    (folder / "queries.jsonl").write_text("\n".join(asked) + "\n\n", encoding="utf-8")
    grades = [
        f"{key}\t{document}\t{grade}"
        for key, (_, relevant) in QUESTIONS.items()
        for document, grade in relevant.items()
    ]
    tsv = "\n".join(("query-id\tcorpus-id\tscore", *grades)) + "\n"
    (folder / "qrels" / "test.tsv").write_text(tsv, encoding="utf-8")
    return folder


@pytest.fixture
def animals(tmp_path: Path) -> Path:
    rows: list[dict[str, object]] = [
        {"_id": name, "title": name.capitalize(), "text": text} for name, text in ANIMALS.items()
    ]
    return write_collection(tmp_path / "animals", [*rows, {"_id": "untitled", "text": "Nothing."}])


def test_a_collection_is_read_with_the_questions_that_have_an_answer(animals: Path) -> None:
    judged = read_judged(animals)
    assert judged.name == "animals"
    assert [one.id for one in judged.documents] == [*ANIMALS, "untitled"]
    assert judged.documents[0].whole == f"Otter\n\n{ANIMALS['otter']}"
    assert judged.documents[-1].whole == "Nothing."
    assert judged.questions == [
        Question("what dives from the sky", {"falcon": 1}),
        Question("who digs tunnels below the forest", {"badger": 2}),
    ]


def test_conversations_are_no_documents(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [{"_id": "t1", "text": "Hello.", "group": "chat-1"}]
    with pytest.raises(ValueError, match="chats holds conversations"):
        read_judged(write_collection(tmp_path / "chats", rows))


@pytest.mark.parametrize(
    "ranked, relevant, expected",
    [
        (["a"], {"a": 1}, Score(1, 1, 1)),
        (["b", "a"], {"a": 1}, Score(1 / log2(3), 1, 0.5)),
        (["b"], {"a": 1}, Score(0, 0, 0)),
        ([], {"a": 1}, Score(0, 0, 0)),
        (["a", "x", "b"], {"a": 1, "b": 3}, Score((1 + 3 / 2) / (3 + 1 / log2(3)), 1, 1)),
        (["x"] * 10 + ["a"], {"a": 1}, Score(0, 0, 0)),
        (["a"], dict.fromkeys("abcdefghijkl", 1), Score(1 / 4.5435595, 1 / 12, 1)),
    ],
    ids=["first", "second", "missed", "nothing", "grades", "eleventh", "more than ten"],
)
def test_a_ranking_is_scored(ranked: list[str], relevant: dict[str, int], expected: Score) -> None:
    found = score(ranked, relevant)
    assert (found.ndcg, found.recall, found.mrr) == pytest.approx(
        (expected.ndcg, expected.recall, expected.mrr)
    )


def test_no_order_is_better_than_the_ideal_one() -> None:
    random = Random(5)
    relevant = {str(number): random.randint(1, 3) for number in range(6)}
    best = sorted(relevant, key=lambda key: -relevant[key])
    assert score(best, relevant).ndcg == pytest.approx(1)
    for _ in range(50):
        order = random.sample([*relevant, "x", "y"], 8)
        assert score(order, relevant).ndcg <= 1


def test_the_mean_is_of_each_number() -> None:
    assert mean([Score(1, 0.5, 0), Score(0, 0.5, 1)]) == Score(0.5, 0.5, 0.5)


@pytest.mark.parametrize(
    "text, expected",
    [
        ("Plain Words, 2 of them", ["plain", "words", "2", "of", "them"]),
        ("记忆引擎", ["记忆", "忆引", "引擎"]),
        ("国", ["国"]),
        ("在 getUserById 里", ["在", "getuserbyid", "里"]),
        ("API接口v2的说明", ["api", "接口", "v2", "的说", "说明"]),
        ("ภาษา", ["ภา", "าษ", "ษา"]),
    ],
)
def test_words_of_unspaced_scripts_are_pairs(text: str, expected: list[str]) -> None:
    assert pairs(text) == expected


@pytest.mark.parametrize(
    "text, unspaced",
    [("Words with spaces", False), ("没有空格的文字 and two", True), ("Слова с пробелами", False)],
)
def test_scripts_without_spaces_are_noticed(text: str, unspaced: bool) -> None:
    assert is_unspaced([text]) is unspaced


def test_bm25_finds_words_in_both_kinds_of_script() -> None:
    pytest.importorskip("bm25s")
    pytest.importorskip("Stemmer")
    english = Judged(
        "english",
        [Document(name, name, text) for name, text in ANIMALS.items()],
        [Question("tunnel digging", {"badger": 1}), Question("zebra", {"otter": 1})],
    )
    assert [found[:1] for found in bm25_rankings(english)] == [["badger"], []]
    chinese = Judged(
        "chinese",
        [Document("a", "", "记忆引擎很快"), Document("b", "", "天气很好")],
        [Question("引擎", {"a": 1})],
    )
    assert "pairs" in tokeniser(chinese)
    assert list(bm25_rankings(chinese)) == [["a"]]


def test_every_mode_ranks_the_documents_of_a_collection(animals: Path, tmp_path: Path) -> None:
    judged = read_judged(animals)
    work = tmp_path / "work"
    results = [one for one in judge(judged, work, provider="static") if one.system != "BM25"]
    assert [one.system for one in results] == ["model alone", "keyword", "vector", "hybrid"]
    assert {one.about for one in results} == {"", "symbiosis-static-256"}
    assert all((one.documents, one.questions) == (5, 2) for one in results)
    assert all(one.ndcg == one.recall == one.mrr == 1 for one in results)


def test_a_second_run_embeds_nothing_again(animals: Path, tmp_path: Path) -> None:
    judged, work = read_judged(animals), tmp_path / "work"
    first = list(judge(judged, work, provider="static"))
    database = work / "animals" / "static" / "bench.db"
    before = database.stat().st_size
    assert list(judge(judged, work, provider="static")) == first
    assert database.stat().st_size == before


def test_a_database_from_elsewhere_answers_for_its_new_files_alone(
    animals: Path, tmp_path: Path
) -> None:
    """Copied for its vectors, it must not find what it was made from."""
    judged = read_judged(animals)
    there, here = tmp_path / "there", tmp_path / "here"
    for folder in (there, here):
        folder.mkdir()
    Indexed(judged, there, provider="static").close()
    (here / "bench.db").write_bytes((there / "bench.db").read_bytes())
    indexed = Indexed(judged, here, provider="static")
    try:
        status = indexed.files()
    finally:
        indexed.close()
    assert len(status) == len(judged.documents)
    assert all(Path(path).is_relative_to(here.resolve()) for path in status)


KEYWORD = Result("one", "keyword", "", 5, 2, 0.8, 0.9, 0.7)
HYBRID = Result("one", "hybrid", "model-a", 5, 2, 0.85, 0.9, 0.75)
BM25 = Result("one", "BM25", "words", 5, 2, 0.6, 0.7, 0.5)
OTHER = Result("two", "hybrid", "model-b", 1000, 20, 0.5, 0.4, 0.3)


def test_the_table_has_a_column_for_each_way_and_model() -> None:
    head, _, first, second = table([KEYWORD, HYBRID, BM25, OTHER], "ndcg").splitlines()
    assert head == "|  | BM25 | keyword | hybrid, model-a | hybrid, model-b |"
    assert first == "| one | 0.600 | 0.800 | **0.850** | — |"
    assert second == "| two | — | — | — | **0.500** |"


def test_a_run_is_shown_with_its_collections() -> None:
    shown = markdown({"date": "2026-03-04T10", "commit": "abc"}, [KEYWORD, HYBRID, BM25, OTHER])
    assert shown.startswith("Measured on 2026-03-04 at commit abc.")
    assert [f"**{name}@10**" in shown for name in ("nDCG", "recall", "MRR")] == [True] * 3
    assert "- one: 5 documents, 2 questions; BM25: words." in shown
    assert "- two: 1,000 documents, 20 questions." in shown


def test_what_was_measured_before_is_kept(
    animals: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "work" / "results.json"
    kept.parent.mkdir()
    old = Result("animals", "hybrid", "symbiosis-static-256", 1, 1, 0.1, 0.1, 0.1)
    known = {"date": "d", "commit": "c", "results": [OTHER.as_json(), old.as_json()]}
    kept.write_text(json.dumps(known), encoding="utf-8")
    quality_main([str(animals), "--work", str(kept.parent)])
    results = {one.place: one for one in results_of(kept)}
    assert results[OTHER.place] == OTHER
    assert results[old.place].ndcg == 1
    assert "| animals |" in capsys.readouterr().out


def test_a_model_that_is_none_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        arguments(["--work", "here", "--provider", "statik"])
    assert "sentence_transformers" in capsys.readouterr().err
