"""Turns over HTTP: stored and found at once, remembered by rules, each only once."""

import httpx
import pytest
from starlette.testclient import TestClient

SAID = {"session_id": "s1", "role": "user", "text": "I like JRPGs and my name is Alex"}


def add(client: TestClient, **turn: object) -> httpx.Response:
    return client.post("/turns", json={"session_id": "s1", "text": "hello there", **turn})


def search(client: TestClient, query: str, **more: object) -> list[dict[str, object]]:
    answer = client.post("/memory/search", json={"query": query, "sources": ["turn"], **more})
    found: list[dict[str, object]] = answer.json()["results"]
    return found


def test_what_is_said_is_found_and_remembered_at_once(client: TestClient) -> None:
    answer = client.post("/turns", json={**SAID, "auto_extract": True})
    assert answer.status_code == 200
    body = answer.json()
    assert {(item["content"], item["action"]) for item in body["extracted_memories"]} == {
        ("User likes JRPGs", "create"),
        ("User's name is Alex", "create"),
    }
    assert (body["repeated"], body["warnings"]) == (False, [])
    (hit,) = search(client, "JRPGs", mode="keyword")
    assert hit["metadata"] == {
        "turn_id": body["turn_id"],
        "session_id": "s1",
        "role": "user",
    }
    turn = client.get(f"/turns/{body['turn_id']}").json()
    assert turn["turn"]["text"] == SAID["text"]
    assert turn["turn"]["extraction"] == "done"
    assert turn["extracted_memories"] == body["extracted_memories"]


def test_nothing_is_remembered_unless_it_is_wanted_and_a_user_says_it(client: TestClient) -> None:
    for more in (
        {"auto_extract": False},
        {"no_extract": True},
        {"role": "assistant"},
        {"role": "tool"},
    ):
        body = client.post("/turns", json={**SAID, **more}).json()
        assert body["extracted_memories"] == []
        turn = client.get(f"/turns/{body['turn_id']}").json()["turn"]
        assert turn["extraction"] == "off"


def test_the_same_key_stores_nothing_twice(client: TestClient) -> None:
    key = {"Idempotency-Key": "k1"}
    first = client.post("/turns", json=SAID, headers=key).json()
    again = client.post("/turns", json=SAID, headers=key).json()
    assert again == {**first, "repeated": True}
    assert add(client, client_id="k1").status_code == 422
    batch = {"turns": [SAID, {**SAID, "text": "I live in Oslo"}]}
    whole = client.post("/turns/batch", json=batch, headers={"Idempotency-Key": "k2"}).json()
    second = client.post("/turns/batch", json=batch, headers={"Idempotency-Key": "k2"}).json()
    assert second["turn_ids"] == whole["turn_ids"]
    assert (whole["repeated"], second["repeated"]) == (0, 2)


def test_a_refused_batch_names_its_first_invalid_turn(client: TestClient) -> None:
    for bad, said in (
        ({"text": " "}, "turns.2: the text is ' '"),
        ({"ts": "yesterday"}, "turns.2: "),
        ({"speaker": ""}, "turns.2: speaker is ''"),
    ):
        answer = client.post("/turns/batch", json={"turns": [SAID, SAID, {**SAID, **bad}, SAID]})
        assert answer.status_code == 422
        assert answer.json()["detail"].startswith(said)
    assert client.post("/turns", json={**SAID, "text": ""}).json()["detail"] == "the text is ''"


def test_a_batch_keeps_its_order_and_its_times(client: TestClient) -> None:
    turns = [
        {"session_id": 7, "text": f"word{n}", "ts": f"2023-05-0{n}T10:00:00Z", "speaker": "Ann"}
        for n in (3, 1, 2)
    ]
    body = client.post("/turns/batch", json={"turns": turns}).json()
    assert body["turn_ids"] == sorted(body["turn_ids"])
    assert body["extracted_memories"] == [[], [], []]
    texts = [hit["text"] for hit in search(client, "word1", session_id=7, mode="keyword")]
    assert texts == ["word1", "word2", "word3"]  # the first, and what was said after it
    assert search(client, "word1", until="2023-05-01", mode="keyword")[0]["text"] == "word1"
    assert client.post("/turns/batch", json={"turns": []}).json()["turn_ids"] == []


@pytest.mark.parametrize(
    "turn, field",
    [
        ({"text": " "}, "the text"),
        ({"role": "robot"}, "role"),
        ({"ts": "soon"}, "'soon' is not a time"),
        ({"session_id": None}, "session_id"),
        ({"sesion": "x"}, "sesion"),
        ({"image_paths": "a.png"}, "image_paths"),
    ],
)
def test_what_is_no_turn_is_refused(
    client: TestClient, turn: dict[str, object], field: str
) -> None:
    answer = add(client, **turn)
    assert answer.status_code == 422
    assert field in answer.text
    assert answer.json()["hint"]
    assert search(client, "hello") == []


def test_an_unknown_turn_is_not_found(client: TestClient) -> None:
    assert client.get("/turns/99").status_code == 404
    assert client.get("/turns/x").status_code == 422


def test_the_turns_of_a_session_are_listed_in_pages(client: TestClient) -> None:
    """In the order in which they were said, the newest on the first page."""
    times = {"b": "2024-01-02", "d": "2024-01-04", "a": "2024-01-01", "c": "2024-01-03"}
    for text, ts in times.items():
        add(client, session_id=7, text=text, ts=ts, metadata={"n": text})
    add(client, session_id=8, text="of another")

    def page(**asked: object) -> tuple[list[str], str | None]:
        body = client.get("/turns", params={"session_id": 7, **asked}).raise_for_status().json()
        assert all(turn["metadata"] == {"n": turn["text"]} for turn in body["turns"])
        assert all(turn["session_id"] == 7 for turn in body["turns"])
        return [turn["text"] for turn in body["turns"]], body["next_cursor"]

    assert page() == (["a", "b", "c", "d"], None)
    newest, cursor = page(limit=3)
    assert newest == ["b", "c", "d"]
    assert page(limit=3, cursor=cursor) == (["a"], None)
    assert page(session_id="new") == ([], None)


@pytest.mark.parametrize(
    "asked",
    [{}, {"limit": 0}, {"limit": 1001}, {"cursor": "x"}, {"cursor": "soon_1"}, {"order": "up"}],
    ids=str,
)
def test_what_is_no_page_of_turns_is_refused(client: TestClient, asked: dict[str, object]) -> None:
    session = {"session_id": "s"} if asked else {}
    answer = client.get("/turns", params={**session, **asked})
    assert answer.status_code == 422
    assert answer.json()["hint"]
