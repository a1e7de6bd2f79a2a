"""A server's language model at work: nothing waits for it, and it is told how it goes."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from memory.api import create_app
from memory.config.loading import LoadedConfig
from memory.config.settings import Config, LLMConfig
from memory.conversations.pipeline import process_turns
from memory.conversations.turns.values import NewTurn
from memory.workspace import Workspace
from tests.memory.api.conftest import BASE_URL, Serve, settings
from tests.memory.conversations.llm_extraction.model import asked_about, knowing
from tests.providers.wire import openai
from tests.providers.wire.server import Answer, Request, WireServer, serving
from tests.waiting import DEADLINE_S, wait_until

ODD = "My grandma's bakery in Graz passed to me in spring."
FACT = "User's bakery is in Graz"


@pytest.fixture
def model() -> Iterator[WireServer]:
    with serving(knowing(bakery=[FACT])) as server:
        yield server


@contextmanager
def reading(home: Path, model: WireServer) -> Iterator[TestClient]:
    """A server in this process whose turns this model reads."""
    loaded = settings(home)
    llm = LLMConfig(endpoint=f"{model.url}/v1", model="m", timeout_s=20)
    config = Config(memory=replace(loaded.config.memory, llm=llm))
    workspace = Workspace(LoadedConfig(config, config, None, home, "argument"))
    with TestClient(create_app(workspace), base_url=BASE_URL) as client:
        yield client


def add(client: TestClient, text: str = ODD) -> dict[str, Any]:
    answer = client.post("/turns", json={"session_id": "s1", "text": text})
    assert answer.status_code == 200
    body: dict[str, Any] = answer.json()
    return body


def turn(client: TestClient, turn_id: int) -> dict[str, Any]:
    body: dict[str, Any] = client.get(f"/turns/{turn_id}").json()
    return body


def test_a_turn_is_taken_in_while_the_model_hangs(home: Path, model: WireServer) -> None:
    asked, answered = threading.Event(), threading.Event()

    def hang(request: Request) -> Answer:
        asked.set()
        assert answered.wait(DEADLINE_S)
        return knowing(bakery=[FACT])(request)

    model.script.append(hang)
    with reading(home, model) as client:
        first = add(client)
        assert asked.wait(DEADLINE_S)
        second = add(client, "I like JRPGs")
        assert [each["content"] for each in second["extracted_memories"]] == ["User likes JRPGs"]
        found = client.post("/memory/search", json={"query": "bakery", "sources": ["turn"]}).json()
        assert found["results"][0]["metadata"]["turn_id"] == first["turn_id"]
        assert turn(client, first["turn_id"])["turn"]["extraction"] == "llm"
        assert client.get("/memory/status").json()["extraction"]["waiting"] == 2
        answered.set()
        wait_until(lambda: turn(client, second["turn_id"])["turn"]["extraction"] == "done")
        told = turn(client, first["turn_id"])
        assert [each["content"] for each in told["extracted_memories"]] == [FACT]


def test_status_and_metrics_tell_how_the_model_does(
    home: Path, model: WireServer, capfd: pytest.CaptureFixture[str]
) -> None:
    model.script.append(openai.rate_limited(Retry_After="1"))
    with reading(home, model) as client:
        added = add(client)
        wait_until(lambda: client.get("/memory/status").json()["extraction"]["llm"]["last_error"])
        wait_until(lambda: turn(client, added["turn_id"])["turn"]["extraction"] == "done")
        found = client.get("/memory/status").json()["extraction"]
        metrics = client.get("/metrics").text
    assert found["model"] == f"m at {model.host}"
    assert (found["mode"], found["waiting"], found["given_up"]) == ("hybrid", 0, 0)
    assert (found["llm"]["turns"], found["llm"]["succeeded"]) == (2, 1)
    assert found["llm"]["failures"] == {"rate limited": 1}
    assert "429" in found["llm"]["last_error"]
    assert found["heuristic"]["turns"] == 1
    assert 'symbiosis_memory_extraction_turns_total{by="llm"} 2.0' in metrics
    assert 'symbiosis_memory_extraction_failures_total{reason="rate limited"} 1.0' in metrics
    assert 'symbiosis_memory_extraction_seconds_count{by="llm"} 2.0' in metrics
    said = capfd.readouterr().err
    assert said.count("mem serve: extraction: ") == 1
    assert "tried again in 1 s" in said
    assert "akery" not in said


@pytest.mark.slow
def test_a_server_ends_while_its_model_hangs_and_the_turn_goes_on_waiting(
    serve_live: Serve, home: Path, model: WireServer
) -> None:
    asked = threading.Event()

    def hang(request: Request) -> Answer:
        asked.set()
        return Answer(silent=True)

    model.script.append(hang)
    server = serve_live(config={"llm": {"endpoint": f"{model.url}/v1", "model": "m"}})
    with server.client() as client:
        added = client.post("/turns", json={"session_id": "s1", "text": ODD}).json()
        assert asked.wait(DEADLINE_S)
    server.process.terminate()
    assert server.process.wait(DEADLINE_S) == 0
    assert "Traceback" not in server.stderr.read()
    with reading(home, model) as client:
        wait_until(lambda: turn(client, added["turn_id"])["extracted_memories"])
        told = turn(client, added["turn_id"])["extracted_memories"]
        assert [each["content"] for each in told] == [FACT]
    assert asked_about(model) == [ODD, ODD]


def test_turns_of_other_processes_are_read_too(home: Path, model: WireServer) -> None:
    with reading(home, model) as client:
        workspace = Workspace(client.app.state.app_state.workspace.loaded)  # type: ignore[attr-defined]
        with workspace:
            (results,) = process_turns(workspace, [NewTurn("s1", ODD)])
        wait_until(lambda: turn(client, results.turn_id)["turn"]["extraction"] == "done")
        assert turn(client, results.turn_id)["extracted_memories"][0]["content"] == FACT
