"""A conversation from its first word to its last trace, over HTTP and by `sm`, in processes."""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.cli.shell import environment, shell, unmeasured
from tests.waiting import wait_until

Sm = Callable[..., Any]

SECRET = "xylophone"
"""Stands in what is forgotten, and nowhere else."""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    settings = {"storage_path": "memory.db", "files": {"auto_sync": False}}
    (tmp_path / "own.json").write_text(json.dumps({"memory": settings}))
    return tmp_path


@pytest.fixture
def sm(home: Path) -> Sm:
    """Runs `sm` in a process of its own; what it prints as JSON."""

    def sm(*arguments: str) -> Any:
        answer = shell(*arguments, "--json", cwd=home, module="cli.sm", MEM_CONFIG="own.json")
        assert answer.code == 0, answer.err
        return answer.json

    return sm


@pytest.fixture
def server(home: Path) -> Iterator[httpx.Client]:
    """A client of a server over the same database."""
    process = subprocess.Popen(
        [sys.executable, "-m", "cli.main", "--config", "own.json", "serve", "--port", "0"],
        cwd=home,
        env=unmeasured(environment()),
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stderr is not None
        url = next(found[0] for line in process.stderr if (found := re.search(r"http://\S+", line)))
        with httpx.Client(base_url=url, timeout=60, trust_env=False) as client:
            yield client
        process.terminate()


def say(server: httpx.Client, text: str, **more: Any) -> list[dict[str, Any]]:
    body = {"session_id": "s1", "role": "user", "text": text, **more}
    answer = server.post("/turns", json=body)
    assert answer.status_code == 200, answer.text
    extracted: list[dict[str, Any]] = answer.json()["extracted_memories"]
    return extracted


def test_from_the_first_turn_to_the_last_trace(server: httpx.Client, sm: Sm, home: Path) -> None:
    # Turns are taken in and facts extracted: over HTTP, and by `sm` in the same database.
    first = say(server, f"I like {SECRET} music and my name is Alex", auto_extract=True)
    by_content = {one["content"]: one for one in first}
    assert {one["action"] for one in first} == {"create"}
    likes = next(one["id"] for content, one in by_content.items() if SECRET in content)
    name = next(one["id"] for content, one in by_content.items() if "Alex" in content)
    again = sm(
        "add-turn", "--session", "s1", "--role", "user", "--text", f"I really like {SECRET} music."
    )
    assert [(one["id"], one["action"]) for one in again["extracted_memories"]] == [(likes, "merge")]
    assert say(server, f"Do I like {SECRET} music?") == []

    # The context holds the turns and the memories.
    context = server.get("/context", params={"session_id": "s1", "k": 20}).json()
    assert context["short_term"][0]["text"].startswith(f"I like {SECRET}")
    assert {likes, name} <= {one["id"] for one in context["mid_term"]}
    assert context["long_term_hint"] == []
    told = sm("get-context", "--session", "s1", "--k", "20")
    assert [one["id"] for one in told["mid_term"]] == [one["id"] for one in context["mid_term"]]

    # Two mentions are not enough to be promoted, three more are.
    assert server.post("/gc").json()["counts"]["promoted"] == 0
    for text in (f"I love {SECRET} music", f"I like {SECRET} music!"):
        assert [one["id"] for one in say(server, text)] == [likes]
    assert sm("gc", "--dry-run")["counts"]["promoted"] == 1
    report = server.post("/gc").json()
    assert report["counts"] == {"created": 0, "promoted": 1, "archived": 0, "deleted": 0}
    assert sm("list", "--layer", "long", "--sort", "score")[0]["id"] == likes
    hint = server.get("/context", params={"session_id": "s1"}).json()["long_term_hint"]
    assert [one["id"] for one in hint] == [likes]
    assert sm("stats")["memories"]["long"] == 1

    # It is explained: hits, the parts of the score, rules, quoted sources, the promotion.
    why = server.get(f"/memories/{likes}/why").json()
    assert why["hits"] == 3
    assert why["score"]["frequency"] == pytest.approx(1.386, abs=1e-3)
    assert why["rules"]
    assert len(why["sources"]) == 4
    assert all(SECRET in source["quote"] for source in why["sources"])
    assert why["last_actions"][0]["action"] == "promoted"
    assert sm("explain", "--id", str(likes))["hits"] == 3

    # A change of mind archives what was said before.
    (changed,) = [one for one in say(server, "My name is Sascha.") if one["action"] == "create"]
    assert server.get(f"/memories/{name}/why").json()["superseded_by"]["id"] == changed["id"]

    # It is forgotten with the turns that it came from, and nothing of it is left.
    found = server.post("/memory/search", json={"query": SECRET, "min_score": 0}).json()
    assert found["results"]
    gone = server.post("/memory/forget", json={"text": SECRET, "verify": True}).json()
    assert gone["ok"], gone
    assert {one["kind"] for one in gone["forgotten"]} == {"memory", "turn"}
    assert len(gone["checks"]) > 3
    assert server.post("/memory/search", json={"query": SECRET}).json()["results"] == []
    assert server.get(f"/memories/{likes}").status_code == 404
    for path in home.glob("memory.db*"):
        assert SECRET.encode() not in path.read_bytes().lower(), path.name


def test_from_a_message_to_its_episode_its_fact_and_the_context(server: httpx.Client) -> None:
    texts = ("My sister lives in Oslo.", "My sister is named Ida.", "I live in Berlin.")
    turns = [
        {"session_id": 7, "text": text, "ts": f"2026-03-04T10:0{number}:00Z"}
        for number, text in enumerate(texts)
    ]
    server.post("/turns/batch", json={"turns": turns}).raise_for_status()

    # The server's own jobs form an episode and its facts, since nobody has spoken for a pause.
    def counts() -> dict[str, Any]:
        found: dict[str, Any] = server.get("/memory/status").json()["conversations"]
        return found

    wait_until(lambda: counts()["episodes"] == 1 and counts()["current_triples"] == 3)
    (episode,) = server.get("/episodes", params={"session_id": 7}).json()["episodes"]
    assert (episode["session_id"], episode["message_count"]) == (7, 3)
    asked = {"query": "Where does Ida live?", "sources": ["triple"], "max_results": 1}
    (hit,) = server.post("/memory/search", json=asked).json()["results"]
    assert (hit["text"], hit["metadata"]["episode_ids"]) == ("Ida lives in Oslo", [episode["id"]])

    wanted = {"session_id": 8, "query": "Where does my sister Ida live?"}
    wanted["include"] = "episodes,triples"
    context = server.get("/context", params=wanted).json()
    assert [part["kind"] for part in context["parts"]][:2] == ["episode", "turn"]
    assert {part["session_id"] for part in context["parts"]} == {7}
    used = server.post("/context/used", json={"used": [hit["citation"], "turn:1"]}).json()
    assert used["reinforced"] == ["episode 1", hit["citation"]]
    assert server.get("/episodes/1").json()["episode"]["retrieval_count"] == 1
    refused = server.get("/context", params={**wanted, "include": "everything"})
    assert (refused.status_code, "include" in refused.text) == (422, True)
