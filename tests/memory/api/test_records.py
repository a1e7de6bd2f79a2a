"""Records over HTTP: every route, the errors of each, and the examples of the LoA Memory Engine."""

import re
import shlex
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from memory.api.app_state import AppState
from tests.memory.api.conftest import Serve

FACT = {"category": "preference", "key": "coffee_order", "value": "Oat milk latte"}

LOA_EXAMPLES = r"""
curl -X POST http://localhost:4200/memory/fact \
  -H "Authorization: Bearer TOKEN" \
  -H "Content-Type: application/json" \
  -d '{"category":"preference","key":"coffee_order","value":"Oat milk latte","confidence":0.9}'

curl "http://localhost:4200/memory/context?topic=coffee" \
  -H "Authorization: Bearer TOKEN"

curl -X POST http://localhost:4200/memory/signal \
  -H "Authorization: Bearer TOKEN" \
  -H "Content-Type: application/json" \
  -d '{"signal_type":"mood","value":"Upbeat, excited about new project"}'
"""


def post(client: TestClient, path: str, **body: Any) -> dict[str, Any]:
    answer = client.post(path, json=body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_the_examples_of_loa_work_as_printed(serve_live: Serve) -> None:
    """The port and the token aside, against a real server."""
    server = serve_live(config={"server": {"tokens": ["the-token"]}})
    answers = []
    with server.client() as client:
        for example in LOA_EXAMPLES.strip().split("\n\n"):
            line = example.replace("\\\n", " ").replace("TOKEN", "the-token")
            words = shlex.split(line)[1:]
            options = {"-X": "GET", "-d": None}
            headers = {}
            while words:
                word = words.pop(0)
                if word == "-H":
                    name, _, value = words.pop(0).partition(": ")
                    headers[name] = value
                elif word in options:
                    options[word] = words.pop(0)
                else:
                    url = word.replace("http://localhost:4200", server.url)
            method = str(options["-X"])
            assert client.request(method, url, content=options["-d"]).status_code == 401
            answer = client.request(method, url, content=options["-d"], headers=headers)
            assert answer.status_code == 200, (example, answer.text)
            answers.append(answer.json())
        fact, context, signal = answers
        assert (fact["citation"], fact["confidence"]) == ("fact preference/coffee_order", 0.9)
        assert [found["citation"] for found in context["results"]] == [fact["citation"]]
        assert [found["value"] for found in context["facts"]] == ["Oat milk latte"]
        assert (signal["id"], signal["signal_type"]) == (1, "mood")
        known = {"Authorization": "Bearer the-token"}
        assert client.get("/memory/health").json() == {"status": "ok"}
        health = client.get("/memory/health", headers=known).json()
        assert health["records"] == {
            **dict.fromkeys(("people", "patterns", "open_loops"), 0),
            **dict.fromkeys(("facts", "signals"), 1),
        }
        assert health["fact_categories"] == {"preference": 1}


def test_all_routes_of_its_table_are_there(client: TestClient) -> None:
    paths = client.get("/openapi.json").json()["paths"]
    there = {
        f"{method.upper()} {re.sub(r'{.*?}', '_', path)}"
        for path in paths
        for method in paths[path]
    }
    wanted = {
        *("POST /memory/fact", "GET /memory/context", "GET /memory/person/_"),
        *("POST /memory/person", "GET /memory/open-loops", "POST /memory/open-loop"),
        *("POST /memory/open-loop/_/resolve", "POST /memory/signal", "GET /memory/patterns"),
        *("POST /memory/pattern", "GET /memory/health"),
    }
    assert wanted <= there


def test_a_fact_is_stated_and_its_history_shown(client: TestClient) -> None:
    first = post(client, "/memory/fact", **FACT, source="user")
    assert (first["action"], first["confidence"], first["state"]) == ("created", 0.9, "current")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", first["updated_at"])
    again = post(client, "/memory/fact", **{**FACT, "value": "Tea"})
    assert [old["value"] for old in again["history"]] == ["Oat milk latte"]
    over = post(client, "/memory/fact", **FACT, expires_at="2024-01-01T00:00:00+01:00")
    assert (over["state"], over["expires_at"]) == ("expired", "2023-12-31T23:00:00.000Z")
    assert client.get("/memory/context", params={"topic": "latte"}).json()["facts"] == []
    also = client.get("/memory/context", params={"topic": "latte", "archived": True}).json()
    assert [one["state"] for one in also["facts"]] == ["expired"]
    found = client.post("/memory/search", json={"query": "latte", "archived": True}).json()
    assert [hit["citation"] for hit in found["results"]] == [first["citation"]]
    assert client.get("/memory/manage/fact:1").json()["state"] == "expired"


def test_a_topic_is_ranked_over_all_kinds(client: TestClient) -> None:
    post(client, "/memory/fact", category="work", key="project", value="Rebuilds the lighthouse")
    post(client, "/memory/person", name="Ana", notes="Keeper of the lighthouse")
    post(client, "/memory/pattern", pattern_type="habit", description="Walks to the lighthouse")
    post(client, "/memory/open-loop", topic="Paint the lighthouse")
    post(client, "/memory/signal", signal_type="mood", value="Glad about the lighthouse")
    post(client, "/turns", session_id="s1", text="The lighthouse is white")
    found = client.get("/memory/context", params={"topic": "lighthouse", "limit": 50}).json()
    cited = [one["citation"] for one in found["results"]]
    kinds = {"fact work/project", "person Ana", "pattern 1", "loop 1", "signal 1"}
    assert (set(cited), len(cited)) == (kinds, 5)
    scores = [one["score"] for one in found["results"]]
    assert scores == sorted(scores, reverse=True)
    groups = ("facts", "people", "patterns", "open_loops", "signals")
    assert [[one["citation"] for one in found[name]] for name in groups] == [
        ["fact work/project"],
        ["person Ana"],
        ["pattern 1"],
        ["loop 1"],
        ["signal 1"],
    ]
    assert client.get("/memory/context", params={"topic": "zeppelin"}).json()["results"] == []
    least = client.get("/memory/context", params={"topic": "lighthouse", "limit": 1}).json()
    assert len(least["results"]) == 1


@pytest.mark.parametrize("name", ["AC/DC", "a/b/c", "Zoë O'Neil?#", "why", "x/"])
def test_a_profile_of_any_name(client: TestClient, name: str) -> None:
    client.post("/memory/person", json={"name": name}).raise_for_status()
    found = client.get(f"/memory/person/{quote(name, safe='')}")
    assert found.status_code == 200
    assert found.json()["name"] == name


def test_a_profile_has_everything_that_names_the_person(client: TestClient) -> None:
    post(client, "/memory/person", name="Sarah Miller", aliases=["Sal"], last_contact="at the fair")
    post(client, "/memory/person", name="Sarah Jones")
    turns = [
        {"session_id": "s1", "text": "I met Sarah Miller", "ts": "2024-03-04T10:00:00Z"},
        {"session_id": "s1", "text": "See you", "ts": "2024-03-06T10:00:00Z", "speaker": "Sal"},
        {"session_id": "s1", "text": "Sarah Jones called", "ts": "2024-03-07T10:00:00Z"},
    ]
    post(client, "/turns/batch", turns=turns)
    post(client, "/memory/ingest/text", text="Sal keeps the spare key.")
    post(client, "/memory/fact", category="contact", key="sarah_miller", value="Lives in Porto")
    post(client, "/memory/open-loop", topic="Call Sal back")
    post(client, "/memory/open-loop", topic="Call Sarah Jones back")
    for name in ("Sarah Miller", "sal"):
        found = client.get(f"/memory/person/{name}").json()
        assert (found["name"], found["last_contact"]) == ("Sarah Miller", "at the fair")
        assert found["last_contact_at"] == "2024-03-06T10:00:00.000Z"
        assert [one["citation"] for one in found["facts"]] == ["fact contact/sarah_miller"]
        assert [one["topic"] for one in found["open_loops"]] == ["Call Sal back"]
        assert {one["source"] for one in found["mentions"]} == {"turn", "text"}
        assert len(found["mentions"]) == 3
    post(client, "/memory/person", name="Sal", last_contact="2024-04-01")
    later = client.get("/memory/person/Sal").json()
    assert later["last_contact_at"] == "2024-04-01T00:00:00.000Z"
    assert client.get("/memory/person/Nobody").status_code == 404
    assert client.get("/memory/person/").status_code == 404
    assert client.get("/memory/person/Sarah Jones").json()["patterns"] == []


def test_loops_are_listed_and_resolved(client: TestClient) -> None:
    (turn,) = post(client, "/turns/batch", turns=[{"session_id": "s1", "text": "It came"}])[
        "turn_ids"
    ]
    post(client, "/memory/open-loop", topic="Passport", priority=2)
    post(client, "/memory/open-loop", topic="Taxes", priority=5)
    post(client, "/memory/open-loop", topic="passport")
    listed = client.get("/memory/open-loops").json()["open_loops"]
    assert [(one["topic"], one["mention_count"]) for one in listed] == [
        ("Taxes", 1),
        ("Passport", 2),
    ]
    done = post(client, "/memory/open-loop/1/resolve", evidence=[turn], note="It came by post")
    assert (done["resolved"], done["resolution"]) == (1, "It came by post")
    assert done["evidence"][0]["reason"] == "resolution"
    assert client.post("/memory/open-loop/2/resolve").json()["resolved"] == 1
    assert client.get("/memory/open-loops").json() == {"open_loops": []}
    assert client.post("/memory/open-loop/9/resolve").status_code == 404


def test_patterns_are_listed_by_confidence(client: TestClient) -> None:
    for description in ("Runs", "Reads", "reads"):
        post(client, "/memory/pattern", pattern_type="habit", description=description)
    found = client.get("/memory/patterns").json()["patterns"]
    assert [(one["description"], one["confidence"]) for one in found] == [
        ("Reads", 0.68),
        ("Runs", 0.6),
    ]


@pytest.mark.parametrize(
    "path, body, status",
    [
        ("fact", {**FACT, "confidence": 1.1}, 422),
        ("fact", {**FACT, "confidence": "high"}, 422),
        ("fact", {**FACT, "expires_at": "soon"}, 422),
        ("fact", {**FACT, "evidence": ["turn:99"]}, 404),
        ("fact", {**FACT, "weight": 1}, 422),
        ("fact", {"category": "a", "key": "b"}, 422),
        ("open-loop", {"topic": "a", "priority": 6}, 422),
        ("open-loop", {"topic": " "}, 422),
        ("pattern", {"pattern_type": "mood", "description": "a"}, 422),
        ("pattern", {"pattern_type": "habit", "description": "a", "confidence": -1}, 422),
        ("person", {"name": "Ana", "sentiment": "cold"}, 422),
        ("signal", {"signal_type": "mood"}, 422),
    ],
    ids=str,
)
def test_what_is_invalid_is_refused(
    client: TestClient, path: str, body: dict[str, Any], status: int
) -> None:
    answer = client.post(f"/memory/{path}", json=body)
    assert answer.status_code == status
    assert answer.json()["hint"]
    assert set(client.get("/memory/health").json()["records"].values()) == {0}


@pytest.mark.parametrize("topic", ["", " ", None])
def test_a_topic_is_needed(client: TestClient, topic: str | None) -> None:
    asked = {} if topic is None else {"topic": topic}
    assert client.get("/memory/context", params=asked).status_code == 422


def test_writes_of_several_clients_at_once_are_one_record(client: TestClient) -> None:
    state: AppState = client.app.state.app_state  # type: ignore[attr-defined]  # a FastAPI app
    from concurrent.futures import ThreadPoolExecutor

    def state_once(number: int) -> int:
        body = {"pattern_type": "habit", "description": "Runs"}
        return client.post("/memory/pattern", json=body).status_code

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(state_once, range(12))) == {200}
    (pattern,) = client.get("/memory/patterns").json()["patterns"]
    assert pattern["frequency"] == 12
    assert state.workspace.storage.count_chunks() == 3  # two of `docs`, one of the pattern


def test_records_are_forgotten_by_citation_with_proof(client: TestClient, home: Path) -> None:
    """Nothing of their text is left: no row, no index entry, no change, no byte of a file."""
    post(client, "/memory/fact", **FACT | {"value": "Wormwood from the quetzal"})
    post(client, "/memory/fact", **FACT | {"value": "Ratafia"})
    post(client, "/memory/person", name="Ottilie Zwingli", aliases=["Tilly"], notes="Bassoonist")
    post(client, "/memory/open-loop", topic="Repair the orrery")
    post(client, "/memory/pattern", pattern_type="habit", description="Fences on Sundays")
    post(client, "/memory/signal", signal_type="mood", value="Exuberant")
    cited = ["fact preference/coffee_order", "person Tilly", "loop 1", "pattern:1", "signal 1"]
    body = {"citations": cited, "verify": True}
    dry = post(client, "/memory/forget", **body, dry_run=True)
    assert len(dry["forgotten"]) == 6
    report = post(client, "/memory/forget", **body)
    assert report["ok"]
    assert all(check["ok"] for check in report["checks"])
    assert {one["kind"] for one in report["forgotten"]} == {
        *("fact", "former_fact", "person", "open_loop", "pattern", "signal")
    }
    words = b"quetzal wormwood ratafia zwingli tilly bassoonist orrery fences exuberant".split()
    changes = client.get("/memory/changes").text.casefold().encode()
    stored = b"".join(file.read_bytes() for file in home.glob("data/memory.db*")).lower()
    assert [word for word in words if word in changes or word in stored] == []
    unknown = client.post("/memory/forget", json={"citations": ["coffee"]})
    assert (unknown.status_code, "names no record" in unknown.text) == (422, True)


@pytest.mark.parametrize(
    "topic, found",
    [
        ("cofee", "coffee"),
        ("coff", "coffee"),
        ("Copenhagn", "copenhagen"),
        ("where is copenhagn", "where is copenhagen"),
        ("which cofee", "which coffee"),
        ("kubernetes cofee pods", None),
        ("cofee pods", None),
        ("cop", None),
        ("co", None),
        ("tea", None),
        ("coffee", None),
    ],
)
def test_a_topic_is_found_by_a_part_of_a_word_or_a_misspelled_one(
    client: TestClient, topic: str, found: str | None
) -> None:
    post(client, "/memory/fact", **FACT)
    post(client, "/memory/fact", category="biographical", key="where", value="is in Copenhagen")
    answer = client.get("/memory/context", params={"topic": topic}).json()
    warning = f"no record answers {topic!r}; these answer {found!r}"
    assert (warning in answer["warnings"]) == (found is not None)
    if found:
        assert found.split()[-1] in answer["results"][0]["text"].casefold()
        assert (answer["topic"], len(answer["facts"])) == (topic, len(answer["results"]))
