"""Memories over HTTP: the routes of the first design, and what was added to them."""

from typing import Any

import pytest
from starlette.testclient import TestClient


@pytest.fixture
def kept(client: TestClient) -> TestClient:
    """A server that has heard three turns: a name, a home, and that the home is another one."""
    for text in ("I like JRPGs and my name is Alex", "I live in Berlin", "I live in Oslo"):
        client.post("/turns", json={"session_id": "s1", "text": text})
    return client


def contents(answer: Any) -> set[str]:
    assert answer.status_code == 200, answer.text
    return {memory["content"] for memory in answer.json()["memories"]}


def test_what_was_said_is_listed_by_score(kept: TestClient) -> None:
    answer = kept.get("/memories", params={"layer": "mid"})

    assert contents(answer) == {"User likes JRPGs", "User's name is Alex", "User lives in Oslo"}
    scores = [memory["score"] for memory in answer.json()["memories"]]
    assert scores == sorted(scores, reverse=True)
    assert contents(kept.get("/memories", params={"q": "jrpg"})) == {"User likes JRPGs"}
    assert contents(kept.get("/memories", params={"status": "archived"})) == {
        "User lives in Berlin"
    }
    first = kept.get("/memories", params={"limit": 2}).json()
    rest = kept.get("/memories", params={"limit": 2, "cursor": first["next_cursor"]}).json()
    assert (len(first["memories"]), len(rest["memories"]), rest["next_cursor"]) == (2, 1, None)


def test_a_memory_is_added_changed_and_removed(client: TestClient) -> None:
    body = {"content": "User plays the violin", "importance": 1, "tags": ["music"]}
    made = client.post("/memories", json=body).json()
    assert (made["layer"], made["action"], made["tags"]) == ("mid", "create", ["music"])
    assert client.post("/memories", json=body).json()["action"] == "merge"
    at = f"/memories/{made['id']}"

    changed = client.patch(at, json={"content": "User plays the trombone", "tags": []}).json()
    assert (changed["content"], changed["tags"]) == ("User plays the trombone", [])
    assert contents(client.get("/memories", params={"q": "violin"})) == set()
    assert client.patch(at, json={"status": "deleted"}).json()["status"] == "deleted"
    assert contents(client.get("/memories")) == set()
    assert client.get(at).json()["status"] == "deleted"
    gone = client.delete(at, params={"verify": True}).json()
    assert ([one["citation"] for one in gone["forgotten"]], gone["ok"]) == (["memory 1"], True)
    assert client.get(at).status_code == client.delete(at).status_code == 404


def test_sem_mem_remembers_under_its_own_name(client: TestClient) -> None:
    metadata = {"timestamp": "2024-05-06T10:00:00", "source": "chat"}
    made = client.post("/memory/remember", json={"text": "User sings", "metadata": metadata}).json()

    assert (made["content"], made["metadata"]) == ("User sings", metadata)
    assert made["occurred_at"] == "2024-05-06T10:00:00.000Z"


def test_why(kept: TestClient) -> None:
    archived = kept.get("/memories", params={"status": "archived"}).json()["memories"][0]

    found = kept.get(f"/memories/{archived['id']}/why").json()

    assert found["memory"] == archived
    assert found["superseded_by"]["content"] == "User lives in Oslo"
    assert [source["quote"] for source in found["sources"]] == ["I live in Berlin"]
    assert found["rules"]
    assert [action["action"] for action in found["last_actions"]] == ["archived", "created"]
    score = found["score"]
    assert score["total"] == pytest.approx(
        score["frequency"] + score["recency"] + score["importance"]
    )
    assert (found["hits"], found["last_seen_at"], found["age_days"] < 1) == (0, None, True)


@pytest.mark.parametrize(
    "method, path, body, field",
    [
        ("POST", "/memories", {"content": " "}, "the content is empty"),
        ("POST", "/memories", {}, "content"),
        ("POST", "/memories", {"content": "tea", "importance": 2}, "importance"),
        ("POST", "/memories", {"content": "tea", "tag": []}, "tag"),
        ("POST", "/memory/remember", {"text": "tea", "metadata": {"timestamp": 1}}, "timestamp"),
        ("PATCH", "/memories/1", {"status": "gone"}, "status"),
        ("PATCH", "/memories/1", {"score": 2}, "score"),
        ("GET", "/memories?layer=short", None, "there is no layer 'short'"),
        ("GET", "/memories?limit=0", None, "the limit is 0"),
        ("GET", "/memories?most=5", None, "most"),
        ("GET", "/memories?cursor=x", None, "the cursor is 'x'"),
        ("GET", "/memories/x", None, "memory_id"),
    ],
)
def test_what_cannot_be(
    client: TestClient, method: str, path: str, body: dict[str, Any] | None, field: str
) -> None:
    client.post("/memories", json={"content": "User sings"})

    answer = client.request(method, path, json=body)

    assert answer.status_code == 422
    assert field in answer.text
    assert answer.json()["hint"]
    assert contents(client.get("/memories")) == {"User sings"}


@pytest.mark.parametrize(
    "method, path",
    [("GET", ""), ("PATCH", ""), ("DELETE", ""), ("GET", "/why"), ("POST", "/confirm")],
)
def test_an_unknown_memory(client: TestClient, method: str, path: str) -> None:
    answer = client.request(method, f"/memories/99{path}", json={} if method == "PATCH" else None)

    assert answer.status_code == 404
    assert "there is no memory 99" in answer.json()["detail"]
