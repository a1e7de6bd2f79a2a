"""Messages of `mem` about costs, kept vectors, and an unusable model."""

import json
from dataclasses import replace
from pathlib import Path

from cli.files.sync import cost_lines
from cli.operations.status import _rows
from memory.config.loading import load_config
from memory.operations.status import read_status
from memory.values.reports import EmbeddingCost
from memory.values.status_reports import FallbackStatus, QueriesWithoutVectors
from memory.workspace import Workspace
from tests.cli.shell import Mem

REMOTE = EmbeddingCost("openai", "m", "api.example", 2, 31_000, 0.0006)


def test_a_dry_run_of_a_reindex(synced: Mem) -> None:
    answer = synced("reindex", "--dry-run", "--provider", "fake")
    assert answer.code == 0
    first, second = answer.out.splitlines()
    assert first.endswith(" texts to embed")
    assert second == "No text would leave this machine: fake embeds it here"
    cost = synced("reindex", "--dry-run", "--provider", "fake", "--json").json
    assert (cost["provider"], cost["host"], cost["dollars"]) == ("fake", None, 0.0)
    assert synced("reindex", "--dry-run").out == "0 texts to embed\n"
    assert "cannot be used together" in synced("reindex", "--dry-run", "--prune").err


def test_a_price_is_said_or_said_to_be_unknown() -> None:
    said = "Would send 2 texts, about 31,000 tokens, to api.example (openai, m): "
    assert cost_lines(REMOTE) == [f"{said}$0.0006"]
    assert cost_lines(replace(REMOTE, dollars=None)) == [f"{said}no price known"]
    assert cost_lines(replace(REMOTE, texts=0)) == cost_lines(None) == []


def test_the_status_has_what_is_kept(mem: Mem, folder: Path) -> None:
    (folder / "own.json").write_text(json.dumps({"memory": {"embeddings": {"provider": "fake"}}}))
    assert mem("sync", "docs", "--config", "own.json").code == 0
    out = mem("status", "--config", "own.json").out
    assert "of 512.0 MB (0 of " in out
    assert "texts already known)" in out
    assert "no model" not in out
    assert "fallback" not in out


def test_the_status_has_who_answered_instead(mem: Mem, folder: Path) -> None:
    assert mem("sync", "docs", "--db", "x.db").code == 0
    with Workspace(load_config(database=folder / "x.db")) as workspace:
        found = read_status(workspace)
    assert {"no model", "fallback"}.isdisjoint(dict(_rows(found)))
    failed = QueriesWithoutVectors(1_200, "2026-01-01T00:00:00.000Z", "no answer", None)
    line = dict(_rows(replace(found, queries_without_vectors=failed)))["no model"]
    assert line.startswith("1,200 answered by words only, the last ")
    assert line.endswith(": no answer")
    refused = FallbackStatus("static", False, "it has no vectors", 0, None)
    line = dict(_rows(replace(found, fallback=refused)))["fallback"]
    assert line == "static cannot be the fallback: it has no vectors"
    ready = FallbackStatus("static", True, None, 3, "2026-01-01T00:00:00.000Z")
    line = dict(_rows(replace(found, fallback=ready)))["fallback"]
    assert line == "static stands by, has answered 3"
