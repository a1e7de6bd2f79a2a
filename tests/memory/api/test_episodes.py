"""Episodes over HTTP: formed in the background, listed, read, and reinforced by use."""

from datetime import timedelta
from typing import Any

import pytest
from starlette.testclient import TestClient

from memory.api.app_state import AppState
from memory.episodes.forming import form_episodes
from tests.memory.episodes.said import BEGUN, BOAT, CAKE
from tests.waiting import wait_until


@pytest.fixture
def told(client: TestClient) -> TestClient:
    """A server with two episodes of different days and sessions."""
    for number, (session, texts) in enumerate((("1", BOAT), ("s2", CAKE))):
        turns = [
            {
                "session_id": session,
                "text": text,
                "ts": (BEGUN + timedelta(days=number, minutes=place)).isoformat(),
            }
            for place, text in enumerate(texts)
        ]
        client.post("/turns/batch", json={"turns": turns}).raise_for_status()
    state: AppState = client.app.state.app_state  # type: ignore[attr-defined]  # a FastAPI app
    form_episodes(state.workspace)
    return client


def ids(client: TestClient, **asked: Any) -> list[int]:
    answer = client.get("/episodes", params=asked)
    assert answer.status_code == 200, answer.text
    return [one["id"] for one in answer.json()["episodes"]]


def test_episodes_are_listed_the_latest_first(told: TestClient) -> None:
    assert ids(told) == [2, 1]
    assert ids(told, session_id="1") == [1]
    assert ids(told, since="2026-03-05") == [2]
    assert ids(told, until="2026-03-04") == [1]
    assert ids(told, min_importance=0.99) == []
    page = told.get("/episodes", params={"limit": 1}).json()
    assert ids(told, cursor=page["next_cursor"]) == [1]
    assert told.get("/episodes", params={"limit": 0}).status_code == 422


def test_an_episode_is_read_with_its_turns(told: TestClient) -> None:
    found = told.get("/episodes/1").json()
    assert (found["citation"], found["episode"]["session_id"]) == ("episode 1", 1)
    assert [turn["text"] for turn in found["turns"]] == list(BOAT)
    assert 0 < found["retrievability"] < 1
    assert told.get("/episodes/9").status_code == 404


def test_what_was_used_is_reinforced_once_a_day(told: TestClient) -> None:
    before = told.get("/episodes/1").json()["episode"]
    body = {"used": ["turn:1", "nothing"], "vote": "helpful"}
    first = told.post("/context/used", json=body).json()
    assert first == {"reinforced": ["episode 1"], "already": [], "others": ["nothing"]}
    again = told.post("/context/used", json={"used": ["episode 1"]}).json()
    assert again["already"] == ["episode 1"]
    after = told.get("/episodes/1").json()["episode"]
    assert after["retrieval_count"] == before["retrieval_count"] + 1 == 1
    assert after["stability"] > before["stability"]
    assert told.post("/context/used", json={"used": ["x"], "vote": "no"}).status_code == 422


def test_a_server_forms_episodes_by_itself(serve_live: Any) -> None:
    server = serve_live()
    turns = [
        {"session_id": "s1", "text": text, "ts": f"2026-03-04T10:0{number}:00Z"}
        for number, text in enumerate(BOAT)
    ]
    with server.client() as client:
        client.post("/turns/batch", json={"turns": turns}).raise_for_status()
        wait_until(lambda: client.get("/episodes").json()["episodes"])
        (episode,) = client.get("/episodes").json()["episodes"]
        assert episode["message_count"] == 8
        (hit,) = client.post(
            "/memory/search", json={"query": "rudder", "sources": ["episode"]}
        ).json()["results"]
        assert hit["citation"] == "episode 1"
