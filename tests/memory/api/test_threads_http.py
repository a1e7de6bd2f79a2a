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
