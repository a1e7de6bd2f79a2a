"""The ablation switches off what it says, and tells a difference from chance."""

import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from benchmarks.ablation.__main__ import main
from benchmarks.ablation.measuring import Subject
from benchmarks.ablation.report import Result, confidence, results_of, table
from benchmarks.ablation.variants import (
    DEFAULT,
    VARIANTS,
    Around,
    FewCandidates,
    FoundCosines,
    Remembering,
    Variant,
    title_in_text,
    with_stop_words,
    without_identifiers,
    without_names,
    without_title,
)
from benchmarks.quality.beir import Document, Judged, Question
from contracts import KeywordFields, KeywordQuery, Scope
from memory.config.loading import load_config
from memory.files.ingestion import sync_files
from memory.files.roots import list_roots
from memory.index.embedding.active_model import embedder_of
from memory.retrieval.server_caches import candidates_of
from memory.workspace import Workspace
from search import HybridSearch, QueryAnalysis, QueryVectorInfo, SearchOptions, analyse

DOCUMENTS = (
    Document("otter", "Swimmers", " ".join(["It eats fish and keeps a stone."] * 20)),
    Document("falcon", "Hunters", "It dives onto pigeons, faster than any other bird."),
    Document("names", "", "The function parseHttpHeader reads one line after another."),
)
QUESTIONS = {"swimmers": "otter", "bird that dives": "falcon", "parseHttpHeader": "names"}


def judged(questions: Mapping[str, str] = QUESTIONS) -> Judged:
    asked = [Question(text, {document: 1}) for text, document in questions.items()]
    return Judged("small", DOCUMENTS, asked)


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    """Forty files, each of one chunk."""
    for number in range(40):
        text = f"Number {number} of the otters has the name otter_{number}.\n"
        (tmp_path / f"{number}.md").write_text(text, encoding="utf-8")
    with Workspace(load_config(environ={}, cwd=tmp_path, database=tmp_path / "x.db")) as opened:
        sync_files(opened, [tmp_path])
        yield opened


def test_variants_differ_from_the_default_in_one_thing_each() -> None:
    assert VARIANTS[0] == Variant(DEFAULT)
    assert len({variant.name for variant in VARIANTS}) == len(VARIANTS)
    for variant in VARIANTS[1:]:
        changed = (variant.options, variant.analysis, variant.index, variant.fields)
        assert sum(map(bool, (*changed, variant.chunk_size))) == 1, variant.name


def test_what_changes_nothing_answers_alike(workspace: Workspace) -> None:
    vector = embedder_of(workspace).query_vector("number of otters")
    assert vector is not None

    def ask(search: HybridSearch) -> list[tuple[str, float]]:
        answer = search.search(
            "otters -otter_7", SearchOptions(min_score=0), QueryVectorInfo(vector)
        )
        return [(hit.row.uid, hit.score) for hit in answer.hits]

    expected = ask(HybridSearch(candidates_of(workspace)))
    assert len(expected) == 10
    remembering = HybridSearch(Remembering(candidates_of(workspace)))
    for search in (HybridSearch(Around(candidates_of(workspace))), remembering, remembering):
        assert ask(search) == expected


def test_without_reserved_ranks_an_identifier_is_a_word_like_others(workspace: Workspace) -> None:
    search = HybridSearch(candidates_of(workspace))

    def lifted(query: QueryAnalysis) -> list[bool]:
        hits = search.search(query, SearchOptions(explain=True, mode="keyword")).hits
        return [hit.explanation.lifted for hit in hits if hit.explanation]

    query = analyse("otter_12")
    assert any(lifted(query))
    unreserved = lifted(without_names(query))
    assert unreserved
    assert not any(unreserved)


def test_cosines_of_what_words_found_are_left_out(workspace: Workspace) -> None:
    vector = embedder_of(workspace).query_vector("otters")
    assert vector is not None
    assert set(candidates_of(workspace).cosines(vector, [1, 2])) == {1, 2}
    assert FoundCosines(candidates_of(workspace)).cosines(vector, [1, 2]) == {}


def test_a_tenth_of_the_candidates_is_asked_for(workspace: Workspace) -> None:
    index = FewCandidates(candidates_of(workspace))
    vector = embedder_of(workspace).query_vector("otters")
    assert vector is not None
    assert len(index.vector_candidates(vector, Scope(), limit=50)) == 5
    query = KeywordQuery(words=("otters",))
    assert len(index.keyword_candidates(query, Scope(), limit=50)) == 5
    assert len(candidates_of(workspace).keyword_candidates(query, Scope(), limit=50)) == 40


def test_stop_words_are_looked_up_once() -> None:
    analysis = with_stop_words(analyse("the otter and the fish"))
    assert analysis.keyword.words == ("otter", "fish", "the", "and")


@pytest.mark.parametrize(
    "change, expected",
    [
        (without_title, KeywordFields("text", identifiers="a_b")),
        (without_identifiers, KeywordFields("text", "title")),
        (title_in_text, KeywordFields("title\ntext", identifiers="a_b")),
    ],
)
def test_an_entry_of_the_keyword_index_is_changed(
    change: Callable[[KeywordFields], KeywordFields], expected: KeywordFields
) -> None:
    assert change(KeywordFields("text", "title", identifiers="a_b")) == expected


def test_a_collection_is_asked_in_every_variant(tmp_path: Path) -> None:
    subject = Subject(judged(), tmp_path, provider="static")
    words = {"mode": "keyword"}
    assert subject.gains(VARIANTS[0]) == [1, 1, 1]
    assert subject.gains(Variant("words", words)) == [1, 1, 1]
    assert subject.gains(Variant("no titles", words, fields=without_title)) == [0, 1, 1]
    assert subject.gains(Variant("again", words)) == [1, 1, 1]
    assert subject.model == "symbiosis-static-256"


def test_a_copied_database_keeps_its_vectors_and_loses_its_files(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    Subject(judged(), first, provider="static").gains(Variant("no titles", fields=without_title))
    second.mkdir()
    shutil.copyfile(first / "default.db", second / "default.db")
    subject = Subject(judged(), second, provider="static")
    assert subject.gains(VARIANTS[0]) == [1, 1, 1]
    subject.close()
    with Workspace(load_config(environ={}, cwd=tmp_path, database=second / "default.db")) as left:
        assert [root.path for root in list_roots(left)] == [str((second / "docs").resolve())]


def test_other_chunks_have_a_database_of_their_own(tmp_path: Path) -> None:
    subject = Subject(judged(), tmp_path, provider="static")
    assert subject.gains(Variant("small", chunk_size=250)) == [1, 1, 1]
    config = tmp_path / "chunks-250.json"
    with Workspace(
        load_config(config, environ={}, database=tmp_path / "chunks-250.db")
    ) as workspace:
        assert candidates_of(workspace).count_chunks() > len(DOCUMENTS)


@pytest.mark.parametrize(
    "gains, default, low, high",
    [
        ([0.5, 1, 0], [0.5, 1, 0], 0, 0),
        ([1, 1, 1], [0.5, 0.5, 0.5], 0.5, 0.5),
        ([1, 0] * 50, [0, 1] * 50, -0.2, 0.2),
    ],
    ids=["equal", "always better", "as often better as worse"],
)
def test_confidence_comes_from_paired_differences(
    gains: Sequence[float], default: Sequence[float], low: float, high: float
) -> None:
    assert confidence(gains, default) == pytest.approx((low, high), abs=0.05)


def test_the_table_marks_what_is_no_chance() -> None:
    shown = table(
        [
            Result("one", "m", DEFAULT, 1200, 0.5, 0, 0, 0),
            Result("one", "m", "words alone", 1200, 0.48, -0.02, -0.03, -0.01),
            Result("one", "m", "rrf", 1200, 0.51, 0.01, -0.01, 0.03),
            Result("two", "m", DEFAULT, 9, 0.25, 0, 0, 0),
        ]
    )
    assert shown.splitlines() == [
        "|  | one | two |",
        "| --- | ---: | ---: |",
        f"| {DEFAULT} | 0.5000 | 0.2500 |",
        "| words alone | **-0.0200** | — |",
        "| rrf | +0.0100 | — |",
        "| questions | 1,200 | 9 |",
    ]


def test_a_run_keeps_what_others_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folders = [_written(tmp_path / name) for name in ("first", "second")]
    for folder in folders:
        main([str(folder), "--work", str(tmp_path / "work"), "--only", "words alone"])
    results = results_of(tmp_path / "work" / "ablation.json")
    assert [one.place[::2] for one in results] == [
        (name, variant) for name in ("first", "second") for variant in (DEFAULT, "words alone")
    ]
    assert all(one.questions == 3 and one.ndcg == 1 for one in results)
    assert "| words alone | +0.0000 | +0.0000 |" in capsys.readouterr().out


def _written(folder: Path) -> Path:
    """The small collection in the layout of BEIR."""
    (folder / "qrels").mkdir(parents=True)
    rows = [{"_id": one.id, "title": one.title, "text": one.text} for one in DOCUMENTS]
    asked = [{"_id": f"q{number}", "text": text} for number, text in enumerate(QUESTIONS)]
    for name, lines in (("corpus", rows), ("queries", asked)):
        text = "\n".join(map(json.dumps, lines)) + "\n"
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
    grades = [f"q{number}\t{name}\t1" for number, name in enumerate(QUESTIONS.values())]
    tsv = "\n".join(("query-id\tcorpus-id\tscore", *grades)) + "\n"
    (folder / "qrels" / "test.tsv").write_text(tsv, encoding="utf-8")
    return folder
