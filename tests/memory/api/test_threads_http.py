"""POST /threads/analyze."""

from typing import Any

import pytest
from starlette.testclient import TestClient

MESSAGES = [
    {"role": "user", "content": "How do I bleed the radiator?", "id": "m1"},
    {"role": "assistant", "content": [{"type": "text", "text": "Open the valve."}]},
    {"role": "user", "content": "Thanks, that worked!"},
]


def test_a_thread_is_judged(client: TestClient) -> None:
    answer = client.post("/threads/analyze", json={"messages": MESSAGES}).json()
    assert (answer["score"], answer["recommendation"]) == (0.6, "save")
    assert answer["signals"]["turn_count"] == 2


@pytest.mark.parametrize(
    "body, fact",
    [
        pytest.param({"messages": "hello"}, "messages", id="no list"),
        pytest.param({"messages": ["hello"]}, "messages", id="no objects"),
        pytest.param(
            {"messages": [{"role": "user", "content": 7}]}, "content of message 1", id="no text"
        ),
    ],
)
def test_what_is_no_thread(client: TestClient, body: dict[str, Any], fact: str) -> None:
    answer = client.post("/threads/analyze", json=body)
    assert answer.status_code == 422
    assert fact in answer.json()["detail"]


def test_a_stored_session_is_judged(client: TestClient) -> None:
    for message in MESSAGES:
        text = message["content"] if isinstance(message["content"], str) else "Open it."
        turn = {"session_id": 7, "role": message["role"], "text": text}
        assert client.post("/turns", json=turn).status_code == 200
    given = client.post("/threads/analyze", json={"messages": MESSAGES}).json()
    assert client.post("/threads/analyze", json={"session_id": 7}).json() == given
    assert client.post("/threads/analyze", json={"session_id": "8"}).status_code == 404
    for body in ({}, {"session_id": 7, "messages": MESSAGES}):
        answer = client.post("/threads/analyze", json=body)
        assert (answer.status_code, "either" in answer.json()["detail"]) == (422, True)


def test_recall_finds_what_was_said_and_no_file(client: TestClient) -> None:
    client.post("/memory/ingest/text", json={"text": "The pump needs oil."})
    client.post("/turns", json={"session_id": "s", "text": "I love water pumps"})
    answer = client.post("/memory/recall", json={"query": "pump"}).json()
    said, text = sorted(answer["results"], key=lambda hit: hit["source"] == "text")
    assert text["source"] == "text"
    assert {said["source"], *(one["source"] for one in said["also"])} == {"memory", "turn"}
    (hit,) = client.post("/memory/recall", json={"query": "pump", "k": 1}).json()["results"]
    assert "explanation" not in hit
    assert client.post("/memory/recall", json={"query": "pump", "k": 0}).status_code == 422
