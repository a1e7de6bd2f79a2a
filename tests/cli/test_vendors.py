"""`mem` on the model of a vendor: its settings reach the vendor's library, and its key nobody."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest

from tests.cli.shell import Answer, Mem
from tests.providers.wire import gemini, openai, voyage
from tests.providers.wire.server import WireServer, serving

QUESTION = "installing takes minutes"


@dataclass(frozen=True)
class Vendor:
    """A vendor's name and how it is asked: its key's variable, its protocol, where that begins."""

    name: str
    variable: str
    wire: ModuleType
    path: str
    dimensions: str


VENDORS = [
    Vendor("openai", "OPENAI_API_KEY", openai, "/v1", "dimensions"),
    Vendor("gemini", "GOOGLE_API_KEY", gemini, "", "outputDimensionality"),
    Vendor("voyage", "VOYAGE_API_KEY", voyage, "/v1", "output_dimension"),
]


@pytest.fixture(params=VENDORS, ids=lambda vendor: vendor.name)
def vendor(request: pytest.FixtureRequest) -> Vendor:
    chosen: Vendor = request.param
    return chosen


@pytest.fixture
def server(vendor: Vendor, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[WireServer]:
    """The vendor's server, which the configuration names; its key is in the environment."""
    with serving(vendor.wire.answer) as server:
        section = {"base_url": server.url + vendor.path, "dimensions": 256, "concurrency": 2}
        embeddings = {"provider": vendor.name, vendor.name: section | {"timeout_seconds": 30}}
        config = folder / "chosen.json"
        config.write_text(json.dumps({"memory": {"embeddings": embeddings}}))
        monkeypatch.setenv("MEM_CONFIG", str(config))
        monkeypatch.setenv(vendor.variable, vendor.wire.KEY)
        yield server


def answered(answer: Answer, vendor: Vendor) -> Answer:
    assert vendor.wire.KEY not in answer.out + answer.err
    return answer


def test_files_are_indexed_and_found_by_the_vendors_model(
    mem: Mem, vendor: Vendor, server: WireServer
) -> None:
    assert answered(mem("sync", "docs", "--json"), vendor).json["embedded"] == 2
    assert f'"{vendor.dimensions}": 256' in json.dumps(server.requests[0].body)
    found = answered(mem("search", QUESTION, "--json"), vendor).json
    assert found["mode_used"] == "hybrid"
    assert found["results"][0]["file_path"].endswith("setup.md")
    status = answered(mem("status", "--json"), vendor).json
    assert (status["model"]["provider"], status["model"]["dimensions"]) == (vendor.name, 256)
    assert status["vectors"] == 2


def test_words_and_the_status_ask_nobody(mem: Mem, server: WireServer) -> None:
    mem("sync", "docs")
    server.requests.clear()
    assert mem("search", "installer", "--mode", "keyword").code == 0
    assert mem("status").code == 0
    assert mem("sync").code == 0, "nothing has changed"
    assert server.requests == []


def test_without_a_key_words_are_stored_and_found(
    mem: Mem, vendor: Vendor, server: WireServer, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = folder / "chosen.json"
    chosen = json.loads(config.read_text())
    del chosen["memory"]["embeddings"][vendor.name]["base_url"]
    (folder / "own.json").write_text(json.dumps(chosen))
    monkeypatch.setenv("MEM_CONFIG", str(folder / "own.json"))
    monkeypatch.delenv(vendor.variable)
    missing = f"needs an API key, and none is set (export {vendor.variable}=..."
    done = mem("sync", "docs")
    assert (done.code, missing in done.err) == (0, True)
    for mode in ("hybrid", "keyword"):
        found = mem("search", "installer", "--mode", mode, "--json").json
        assert found["results"][0]["file_path"].endswith("setup.md")
    assert mem("status", "--json").json["model"] is None, "nothing has begun"
    monkeypatch.setenv("MEM_CONFIG", str(config))
    monkeypatch.setenv(vendor.variable, vendor.wire.KEY)
    assert mem("sync", "--json").json["embedded"] == 2
    monkeypatch.setenv("MEM_CONFIG", str(folder / "own.json"))
    monkeypatch.delenv(vendor.variable)
    found = mem("search", "the installer", "--json").json
    assert found["mode_used"] == "keyword"
    assert [line for line in found["warnings"] if missing in line]
    assert mem("config", "validate").code == mem("status").code == 0


def test_a_key_that_is_refused_leaves_the_words(
    mem: Mem, vendor: Vendor, server: WireServer
) -> None:
    mem("sync", "docs")
    server.script.extend([vendor.wire.wrong_key()] * 2)
    found = answered(mem("search", "the installer", "--json"), vendor).json
    assert found["mode_used"] == "keyword"
    assert found["results"][0]["file_path"].endswith("setup.md")
    (warning,) = [line for line in found["warnings"] if "does not accept the API key" in line]
    assert f"memory.embeddings.{vendor.name}.api_key" in warning


def test_a_turn_is_found_by_words_until_it_is_embedded(
    mem: Mem, vendor: Vendor, server: WireServer
) -> None:
    said = answered(mem("turn", "add", "--session", "s", "My cat sleeps all day."), vendor)
    assert "mem maintain vectors" in said.err
    assert "mem maintain vectors" in mem("remember", "I live in Oslo.").err
    assert server.requests == []
    (run,) = answered(mem("maintain", "vectors", "--json"), vendor).json
    assert run["outcome"] == "ok"
    assert mem("search", "sleepy pets", "--json").json["mode_used"] == "hybrid"


def test_an_import_of_chats_ends_with_their_vectors(
    mem: Mem, vendor: Vendor, server: WireServer, folder: Path
) -> None:
    messages = [{"role": "user", "content": "My cat is called Mia."}]
    (folder / "chat.jsonl").write_text(json.dumps({"messages": messages}) + "\n")
    done = answered(mem("import", "--format", "openai-jsonl", "chat.jsonl", "--json"), vendor)
    assert (done.code, done.json["warnings"]) == (0, [])
    found = mem("search", "cat called", "--json").json
    assert (found["mode_used"], found["results"][0]["source"]) == ("hybrid", "turn")
    assert mem("status", "--json").json["vectors"] == 2  # the turn and its memory


def test_an_import_says_what_it_could_not_embed(
    mem: Mem, vendor: Vendor, server: WireServer, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "chat.jsonl").write_text(
        json.dumps({"messages": [{"role": "user", "content": "My cat sleeps."}]}) + "\n"
    )
    monkeypatch.setenv(vendor.variable, "wrong")
    done = answered(mem("import", "--format", "openai-jsonl", "chat.jsonl"), vendor)
    assert done.code == 0
    assert "does not accept the API key" in done.err
