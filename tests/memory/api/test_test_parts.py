"""The fake model and the fake reranker are for tests: no door admits them elsewhere."""

import asyncio
import json
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from contracts import ConfigError, MemError
from memory.config.loading import load_config
from memory.config.sections.embeddings import EmbeddingsConfig
from memory.config.settings import MemoryConfig, RerankConfig, SearchConfig
from memory.manager import MemoryManager
from providers import ProviderSettings, create, known_providers
from providers.rerankers.base import create_reranker
from providers.settings import TEST_VARIABLE
from search import SearchOptions
from tests.cli.shell import python


@pytest.fixture(autouse=True)
def _elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(TEST_VARIABLE)


@pytest.mark.parametrize("body", [{"provider": "fake"}, {"provider": "fake", "dry_run": True}])
def test_over_http(client: TestClient, body: dict[str, object]) -> None:
    answer = client.post("/memory/reindex", json=body)
    assert answer.status_code == 422
    assert "'fake'" in answer.json()["detail"]
    assert "fake" not in answer.json()["hint"]
    assert client.get("/memory/reindex").json()["spaces"][0]["provider"] == "static"


@pytest.mark.parametrize(
    "memory",
    [
        {"embeddings": {"provider": "fake"}},
        {"embeddings": {"fallback_provider": "fake"}},
        {"search": {"rerank": {"provider": "fake"}}},
    ],
)
def test_in_a_file(tmp_path: Path, memory: dict[str, object]) -> None:
    path = tmp_path / "constitution_config.json"
    path.write_text(json.dumps({"memory": memory}))
    with pytest.raises(ConfigError, match="fake"):
        load_config(path)


def test_on_the_command_line(tmp_path: Path) -> None:
    code = """
import os
from cli.main import run
os.environ.pop("SYMBIOSIS_MEMORY_TESTS", None)
calls = (
    ["ingest", "--text", "A pump."],
    ["reindex", "--provider", "fake"],
    ["reindex", "--provider", "fake", "--dry-run"],
    ["init"],
    ["config", "set", "memory.embeddings.provider", "fake"],
    ["config", "set", "memory.search.rerank.provider", "fake"],
    ["search", "pump"],
)
print([run(["--db", "m.db", *arguments]) for arguments in calls])
"""
    answer = python(code, cwd=tmp_path)
    assert answer.out.splitlines()[-1] == "[0, 2, 2, 0, 3, 3, 0]", answer
    assert "'fake'" in answer.err


def test_in_python(tmp_path: Path) -> None:
    asyncio.run(in_python(tmp_path))


async def in_python(tmp_path: Path) -> None:
    path = str(tmp_path / "m.db")
    embeddings = MemoryConfig(storage_path=path, embeddings=EmbeddingsConfig(provider="fake"))
    with pytest.raises(MemError, match="fake"):
        await MemoryManager(embeddings).ingest_text("A pump.")
    rerank = RerankConfig(provider="fake")
    async with MemoryManager(
        MemoryConfig(storage_path=path, search=SearchConfig(rerank=rerank))
    ) as memory:
        await memory.ingest_text("A pump.")
        (warning,) = (await memory.answer("pump", SearchOptions(rerank=True))).warnings
        assert "there is no reranker named 'fake'" in warning
    for make in (create, create_reranker):
        with pytest.raises(ConfigError, match="fake"):
            make("fake", ProviderSettings())
    assert "fake" not in known_providers()
