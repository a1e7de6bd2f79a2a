"""A configured model whose extra is missing is an error in every report, with its command."""

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from fastapi.testclient import TestClient

from cli.commands import mem
from contracts import install_hint
from memory.api import create_app
from memory.config.loading import load_config
from memory.workspace import Workspace

LIBRARIES = ("voyageai", "openai", "onnxruntime", "sentence_transformers", "google.genai")
CASES = {
    "voyage": (
        {"embeddings": {"provider": "voyage"}},
        "provider voyage needs the library voyageai",
    ),
    "gemini": (
        {"embeddings": {"fallback_provider": "gemini"}},
        "provider gemini needs the library google.genai",
    ),
    "onnx": ({"embeddings": {"provider": "minilm"}}, "needs the library onnxruntime"),
    "sentence-transformers": (
        {"embeddings": {"provider": "sentence_transformers"}},
        "needs the library sentence_transformers",
    ),
    "reranking": ({"search": {"rerank": {"enabled": True}}}, "reranking needs"),
    "openai": (
        {"llm": {"endpoint": "http://127.0.0.1:9/v1", "model": "m"}},
        "the chat provider openai needs",
    ),
}


EXTRAS = {"reranking": "sentence-transformers"}


@pytest.mark.parametrize("case", CASES)
def test_every_report_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: str) -> None:
    for library in LIBRARIES:
        monkeypatch.setitem(sys.modules, library, None)
    content, fact = CASES[case]
    path = tmp_path / "c.json"
    memory = {"storage_path": "./m.db", **content}
    path.write_text(json.dumps({"memory": memory}))
    with TestClient(create_app(Workspace(load_config(path))), base_url="http://127.0.0.1") as web:
        reports = [web.get("/memory/status").json(), web.post("/gc").json()]
    for command in ("status", "gc"):
        done = CliRunner().invoke(mem, ["--config", str(path), command])
        (line,) = (line for line in done.stdout.splitlines() if line.startswith("error: "))
        reports.append({"errors": [line.removeprefix("error: ")]})
        told = CliRunner().invoke(mem, ["--config", str(path), command, "--json"])
        reports.append(json.loads(told.stdout))
    for report in reports:
        (error,) = report["errors"]
        assert fact in error
        assert error.endswith(f"which is not installed ({install_hint(EXTRAS.get(case, case))})")


def test_nothing_is_missing_where_nothing_is_configured(tmp_path: Path) -> None:
    done = CliRunner().invoke(mem, ["--db", str(tmp_path / "m.db"), "remember", "The key is red"])
    assert done.exit_code == 0
    told = CliRunner().invoke(mem, ["--db", str(tmp_path / "m.db"), "status", "--json"])
    assert json.loads(told.stdout)["errors"] == []
