"""GET /context, POST /gc and GET /gc: the operations over HTTP."""

from pathlib import Path

import httpx
import pytest
from starlette.testclient import TestClient

from memory.api.app_state import AppState
from memory.config.loading import load_config
from memory.conversations.turns.adding import add_turns
from memory.conversations.turns.values import NewTurn
from memory.workspace import Workspace
from tests.memory.api.conftest import Serve
from tests.memory.conversations.memories.made import make
from tests.waiting import wait_until


@pytest.fixture
def lived(client: TestClient) -> Workspace:
    """The server's database, with a turn and three memories."""
    state: AppState = client.app.state.app_state  # type: ignore[attr-defined]  # FastAPI's
    add_turns(state.workspace, [NewTurn("s1", "I like tea", ts="2020-01-01", auto_extract=False)])
    make(state.workspace, "User likes tea")
    make(state.workspace, "User lives in Bergen", hits=4)
    make(state.workspace, "User waits for a parcel", age_days=20)
    return state.workspace


def test_context(client: TestClient, lived: Workspace) -> None:
    found = client.get("/context", params={"session_id": "s1", "k": 2}).json()
    assert found.keys() >= {"short_term", "mid_term", "long_term_hint", "warnings"}
    assert [turn["text"] for turn in found["short_term"]] == ["I like tea"]
    assert [one["content"] for one in found["mid_term"]] == [
        "User lives in Bergen",
        "User likes tea",
    ]
    asked = client.get("/context", params={"session_id": "s1", "query": "who likes tea"}).json()
    assert asked["mid_term"][0]["content"] == "User likes tea"


def test_what_an_agent_reads(client: TestClient, lived: Workspace) -> None:
    asked = {"session_id": "s2", "query": "who likes tea", "max_tokens": 200, "system": "Be kind."}
    found = client.get("/context", params=asked).json()
    assert [part["kind"] for part in found["parts"]] == ["system", "fact", "turn"]
    assert found["markdown"].startswith("Be kind.\n\nRecalled from memory")
    assert found["messages"] == [{"role": "system", "content": found["markdown"]}]
    assert 0 < found["tokens"] <= found["max_tokens"] == 200
    assert found["left_out"] == {"parts": 0, "tokens": 0}
    (turn,) = [part for part in found["parts"] if part["kind"] == "turn"]
    assert turn["citation"] == "session s1 turn 1, 2020-01-01"
    seen = client.get("/context", params={**asked, "seen_turn_ids": [turn["turn_id"], 99]}).json()
    assert "turn" not in {part["kind"] for part in seen["parts"]}


@pytest.mark.parametrize(
    "asked, named",
    [
        pytest.param({}, "session_id", id="no-session"),
        pytest.param({"session_id": ""}, "session_id", id="empty-session"),
        pytest.param({"session_id": "s1", "k": 0}, "k is 0", id="k"),
        pytest.param({"session_id": "s1", "k": "many"}, "k", id="no-number"),
        pytest.param({"session_id": "s1", "max_tokens": 0}, "max_tokens is 0", id="no-tokens"),
        pytest.param({"session_id": "s1", "seen_turn_ids": "x"}, "seen_turn_ids", id="seen"),
        pytest.param({"session_id": "s1", "max_token": 9}, "max_token", id="misspelt"),
        pytest.param(
            {"session_id": "s1", "system": "word " * 99, "max_tokens": 9}, "raise", id="system"
        ),
    ],
)
def test_what_a_context_cannot_be_of(client: TestClient, asked: dict[str, str], named: str) -> None:
    answer = client.get("/context", params=asked)
    assert answer.status_code in (400, 422)
    assert answer.headers["content-type"] == "application/problem+json"
    assert named in answer.text


def test_a_server_collects_by_itself(serve_live: Serve, home: Path) -> None:
    """It spares what a person asked to keep."""
    server = serve_live()
    with server.client() as client:
        client.post("/memories", json={"content": "The boiler is loud"}).raise_for_status()
    server.process.terminate()
    server.process.wait(30)
    with Workspace(load_config(home / "config.json")) as workspace:
        make(workspace, "User waits for a parcel", age_days=20)
        with workspace.storage.database.transaction() as tx:
            tx.run("UPDATE memories SET created_at = '2020-01-01T00:00:00.000Z' WHERE id = 1")
    with serve_live().client() as client:
        wait_until(lambda: _told(client, "gc") == "memories promoted: 0, archived: 0, deleted: 1")
        assert client.get("/gc").json()["counts"]["deleted"] == 1
        assert [one["content"] for one in client.get("/memories").json()["memories"]] == [
            "The boiler is loud"
        ]


def _told(client: httpx.Client, job: str) -> str | None:
    jobs = {one["name"]: one for one in client.get("/memory/status").json()["jobs"]}
    message: str | None = jobs[job]["message"]
    return message


def test_gc(client: TestClient, lived: Workspace) -> None:
    dry = client.post("/gc", json={"dry_run": True}).json()
    assert dry["counts"] == {"created": 0, "promoted": 1, "archived": 0, "deleted": 1}
    assert client.get("/gc").json()["memories"] == {
        "mid": 3,
        "long": 0,
        "archived": 0,
        "deleted": 0,
    }
    done = client.post("/gc").json()
    assert done["counts"] == dry["counts"]
    assert [(one["id"], one["code"]) for one in done["removed"]] == [(3, "score")]
    found = client.get("/gc").json()
    assert found["memories"] == {"mid": 1, "long": 1, "archived": 0, "deleted": 0}
    assert found["last_gc"]["counts"] == done["counts"]
    assert (found["turns"], found["sessions"]) == (1, 1)


def test_a_misspelt_field_is_refused(client: TestClient) -> None:
    answer = client.post("/gc", json={"dryrun": True})
    assert answer.status_code == 422
    assert "dry_run" in answer.text


def test_a_token_is_needed(guarded: TestClient) -> None:
    assert guarded.post("/gc").status_code == 401
    assert guarded.get("/context", params={"session_id": "s1"}).status_code == 401
