"""The local models are measured, each by a process of its own; nothing is said about speed."""

import json
import math
from pathlib import Path

import pytest

from benchmarks.harness.model_child import Worked, work
from benchmarks.harness.model_child import main as child_main
from benchmarks.harness.report import marks
from benchmarks.models import PAGE, TEXTS, arguments, documents, main, questions
from memory.config.sections.embeddings import LOCAL_PROVIDERS


def figures(path: Path) -> dict[str, tuple[float, str]]:
    told = json.loads(path.read_text(encoding="utf-8"))["figures"]
    return {one["what"]: (one["value"], one["unit"]) for one in told}


def test_documents_are_different_and_of_one_length() -> None:
    texts = documents(20)
    assert {len(text) for text in texts} == {800}
    assert len(set(texts)) == 20
    assert documents(5) == texts[:5]
    assert all(3 <= len(question.split()) <= 9 for question in questions(20))


def test_everything_is_embedded_in_calls(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    worked = work("static", questions=["where", "who"], documents=documents(300))
    assert (worked.model, worked.dimensions) == ("symbiosis-static-256", 256)
    assert len(worked.questions) == 2
    assert all(one.wall_s > 0 for one in (*worked.questions, worked.load, worked.documents))
    told = tmp_path / "work.json"
    told.write_text(json.dumps({"provider": "fake", "questions": ["a"], "documents": []}))
    child_main([str(told)])
    printed = Worked.from_json(capsys.readouterr().out)
    assert (printed.model, len(printed.questions)) == ("fake", 1)


def test_a_model_has_all_its_figures(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    target = tmp_path / "models.json"
    main(["--provider", "static", "--texts", "4", "--json", str(target)])
    found = figures(target)
    assert {what.removeprefix("static, "): unit for what, (_, unit) in found.items()} == {
        "loading": "ms",
        "one question": "ms",
        "memory, questions": "MB",
        "documents, one core": "texts/s",
        "documents, all cores": "texts/s",
        "memory, 4 documents": "MB",
    }
    assert all(math.isfinite(value) and value > 0 for value, _ in found.values())
    assert capsys.readouterr().out.count("static, ") == len(found)


def test_the_local_providers_are_those_with_a_model() -> None:
    assert {*TEXTS, "onnx", "fake", "auto"} == set(LOCAL_PROVIDERS)
    assert arguments(["--provider", "static", "--texts", "7"]).texts == 7


def test_the_page_has_a_place_for_the_figures() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert all(page.count(mark) == 1 for mark in marks("models"))
