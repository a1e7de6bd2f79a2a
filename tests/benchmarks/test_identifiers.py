"""The published test set of identifiers: it is what it says, and its names are found."""

import json
import re
from pathlib import Path
from random import Random

import pytest

from benchmarks.identifiers.__main__ import main
from benchmarks.identifiers.asking import Asked, asked, shares, texts
from benchmarks.identifiers.documents import Document, real_documents
from benchmarks.identifiers.logs import KINDS, made_documents, make_names
from benchmarks.identifiers.questions import FORMS, Question, TestSet, make_test_set
from benchmarks.identifiers.truth import documents_with, holds
from benchmarks.identifiers.typos import mistyped
from benchmarks.identifiers.writing import digest, write
from memory.config.loading import load_config
from memory.files.ingestion import sync_files
from memory.retrieval.searching import search
from memory.workspace import Workspace

LEAST = {
    "alone": 0.99,
    "in a sentence": 0.99,
    "in another case style": 0.99,
    "with a typo": 0.90,
}


@pytest.fixture(scope="module")
def test_set() -> TestSet:
    return make_test_set(of_a_kind=5, one_of=24)


@pytest.fixture(scope="module")
def outcome(test_set: TestSet, tmp_path_factory: pytest.TempPathFactory) -> list[Asked]:
    """Every question of the small set, asked in this process."""
    folder = tmp_path_factory.mktemp("identifiers").resolve()
    files = write(test_set, folder)
    with Workspace(load_config(environ={}, database=folder / "memory.db")) as workspace:
        sync_files(workspace, [str(files)])

        def ask(query: str) -> list[str]:
            results = search(workspace, query).results[:3]
            return texts([{"file_path": hit.file_path, "text": hit.text} for hit in results], files)

        return list(asked(test_set.questions, ask))


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_names_are_found(outcome: list[Asked], form: str) -> None:
    found, of = shares(outcome, lambda question: question.form)[form]
    missed = [item.question.query for item in outcome if item.question.form == form]
    assert found >= LEAST[form] * of, missed


@pytest.mark.slow
def test_every_kind_is_asked_for_in_every_form_it_can_have(test_set: TestSet) -> None:
    forms = {(question.kind, question.form) for question in test_set.questions}
    kinds = {kind for kind, _ in forms}
    assert kinds >= set(KINDS) | {"ClassName", "functionName", "function_name", "CONSTANT_NAME"}
    assert {(kind, form) for kind in kinds for form in FORMS if "case" not in form} <= forms
    assert ("key-of-settings", "in another case style") in forms


@pytest.mark.slow
def test_every_answer_stands_where_the_set_says(test_set: TestSet) -> None:
    documents = {item.path: item for item in test_set.documents}
    assert len(documents) == len(test_set.documents)
    for question in test_set.questions:
        assert question.documents
        for path in question.documents:
            item = documents[path]
            assert any(name in f"{item.path}\n{item.text}" for name in question.names)


def test_a_made_name_and_its_look_alikes_stand_in_files_of_their_own() -> None:
    names = make_names(Random(1), of_a_kind=2)
    documents = made_documents(Random(1), names)
    assert {item.kind for item in names} == set(KINDS)
    for item in names:
        (where,) = documents_with(documents, item.kind, item.name)
        others = [documents_with(documents, item.kind, name) for name in item.look_alikes]
        assert all(len(found) == 1 and found != [where] for found in others)


@pytest.mark.slow
def test_the_same_set_is_made_again(test_set: TestSet) -> None:
    small = make_test_set(of_a_kind=1, one_of=90)
    assert digest(small) == digest(make_test_set(of_a_kind=1, one_of=90))
    assert digest(small) != digest(test_set)


@pytest.mark.slow
def test_real_documents_are_texts_with_paths_of_their_own() -> None:
    documents = real_documents(one_of=8)
    assert len({item.path for item in documents}) == len(documents) > 100
    assert {item.path.split("/")[0] for item in documents} == {"library", "pip", "setuptools"}


def test_a_set_is_written_in_the_form_of_beir(tmp_path: Path) -> None:
    made = TestSet(
        [Document("a/b.py", "foo_bar = 1")],
        [Question("function_name", "alone", "foo_bar", ("foo_bar",), ("a/b.py",))],
    )
    files = write(made, tmp_path)
    assert (files / "a/b.py").read_text() == "foo_bar = 1"
    (row,) = map(json.loads, (tmp_path / "corpus.jsonl").read_text().splitlines())
    assert row == {"_id": "a/b.py", "text": "foo_bar = 1"}
    (row,) = map(json.loads, (tmp_path / "questions.jsonl").read_text().splitlines())
    assert (row["query"], row["documents"]) == ("foo_bar", ["a/b.py"])


@pytest.mark.parametrize(
    "kind, name, text, is_there",
    [
        ("version", "2.4.1", "now 2.4.1.", True),
        ("version", "2.4.1", "now 2.4.10", False),
        ("version", "2.4.1", "now 2.4.1rc1", False),
        ("version", "2.4.1", "now 2.4.1.1", False),
        ("version", "2.4.1", "now 12.4.1", False),
        ("version", "2.4.1", "now 1.2.4.1", False),
        ("numbered name", "user_id_1", "user_id_10", False),
        ("numbered name", "user_id_1", "self.user_id_1.save()", True),
        ("numbered name", "user_id_1", "USER_ID_1", False),
        ("ticket", "ABC-12", "ABC-123 or XABC-12", False),
        ("ticket", "ABC-12", "(ABC-12)", True),
        ("flag", "--dry-run", "use --dry-run=yes", True),
        ("flag", "--dry-run", "use --dry-run-all", False),
        ("path", "/srv/a.conf", "/srv/a.conf.bak", False),
        ("path", "/srv/a.conf", "in /srv/a.conf.", True),
        ("Rust macro", "foo_bar!", "foo_bar!(1)", True),
    ],
)
def test_the_scan_knows_borders(kind: str, name: str, text: str, *, is_there: bool) -> None:
    assert holds(text, kind, name) is is_there


@pytest.mark.parametrize("name", ["parse_config", "getUserById", "12.4.1", "A-12345", "0af31c9"])
def test_a_typo_is_one_slip(name: str) -> None:
    random = Random(name)
    for _ in range(100):
        typo = mistyped(random, name, lambda _: False)
        shorter, longer = sorted((name, typo), key=len)
        assert typo != name
        assert len(longer) - len(shorter) <= 1
        differing = [place for place in range(len(shorter)) if shorter[place] != longer[place]]
        if len(shorter) < len(longer):
            place = differing[0] if differing else len(shorter)
            assert longer[:place] + longer[place + 1 :] == shorter
        elif len(differing) == 2:
            place = differing[0]
            assert differing == [place, place + 1]
            assert name[place : place + 2] == typo[place : place + 2][::-1]
        else:
            assert len(differing) == 1


def test_a_typo_is_no_other_name() -> None:
    assert mistyped(Random(1), "abc", lambda _: False) == ""
    assert mistyped(Random(1), "parse_config", lambda _: True) == ""


@pytest.mark.slow
def test_the_command_asks_a_server_and_prints_a_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    size = ["--of-a-kind", "1", "--one-of", "120"]
    main([*size, "--missed"])
    printed = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"\d+ documents, \d+ questions, digest [0-9a-f]{16}, Python .*", printed[0])
    assert printed[1].split()[0] == "kind"
    (totals,) = [line for line in printed if line.startswith("all ")]
    assert len(re.findall(r"[01]\.\d{3} of \d+", totals)) == len(FORMS)
    main([*size, "--only-write", "--out", str(tmp_path)])
    assert capsys.readouterr().out.splitlines() == printed[:1]
    assert (tmp_path / "questions.jsonl").exists()
