"""Distillation by a model behind a server: what is sent, believed, repaired and rejected."""

import json
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from fastapi.testclient import TestClient

from cli.records.distillation import distillation_lines
from memory.api.app import create_app
from memory.config.sections.conversations import DistillationConfig, DistillationLLMConfig
from memory.conversations.pipeline import process_turns
from memory.conversations.turns.adding import add_turns
from memory.conversations.turns.values import NewTurn
from memory.operations.forget.removal import forget
from memory.operations.forget.values import ForgetRequest
from memory.operations.jobs.registry import DISTILLATION, open_work
from memory.operations.jobs.running import run_work
from memory.operations.status import read_status
from memory.records.distillation.running import distil
from memory.records.facts import NewFact, list_facts, read_fact, write_fact
from memory.records.open_loops import NewOpenLoop, list_open_loops, write_open_loop
from memory.records.patterns import list_patterns
from memory.records.people import list_people
from memory.records.signals import list_signals
from memory.values.record_kinds import RecordName
from memory.values.status_reports import DistillationStatus
from memory.workspace import Workspace
from tests.memory.databases import opened
from tests.providers.wire import chat
from tests.providers.wire.server import Answer, Request, WireServer, serving

TOLD = "I drink oat milk latte every morning. My aunt Zadie drove me."
PHONE = "I have to phone Mara"


def with_model(base: Path, server: WireServer, **more: Any) -> Workspace:
    llm = DistillationLLMConfig(endpoint=f"{server.url}/v1", timeout_s=5.0)
    return opened(base, distillation=DistillationConfig(llm=llm, **more))


def say(memory: Workspace, *texts: str) -> None:
    turns = [
        NewTurn("s1", text, ts=f"2026-03-02T09:{number:02}:00Z")
        for number, text in enumerate(texts)
    ]
    add_turns(memory, turns)


def answering(**lists: list[dict[str, str]]) -> Callable[[Request], Answer]:
    return lambda _: chat.said(json.dumps(lists))


def fact(value: str, quote: str) -> dict[str, str]:
    return {"category": "preference", "key": "coffee_order", "value": value, "quote": quote}


def loop(topic: str, quote: str, to: str = "") -> dict[str, str]:
    return {"topic": topic, "to": to, "quote": quote}


def test_all_kinds_are_written_with_their_evidence(tmp_path: Path) -> None:
    text = f"I always order an oat milk latte. I run every Sunday. {PHONE}, and I slept 4 hours."
    run = "I run every Sunday"
    habit = {"pattern_type": "habit", "description": "runs every Sunday", "quote": run}
    answer = answering(
        facts=[fact("oat milk latte", "I always order an oat milk latte")],
        patterns=[habit],
        open_loops=[loop("phone Mara", "I have to phone Mara", "Mara")],
        signals=[{"signal_type": "sleep", "value": "4 hours", "quote": "I slept 4 hours"}],
        people=[],
        closed=[],
    )
    with serving(answer) as server, with_model(tmp_path, server) as memory:
        say(memory, text)
        found = distil(memory)
        by_model = {one.action for one in found.written if one.by == "llm"}
        assert {"fact", "pattern"} <= by_model
        (made,), (runs,) = list_facts(memory, archived=True), list_patterns(memory)
        assert (made.value, made.source, made.confidence) == ("oat milk latte", "distillation", 0.5)
        assert runs.description == "runs every Sunday"
        (waits,) = list_open_loops(memory)
        assert (waits.topic, waits.mention_count) == ("phone Mara", 1)  # the rules found it, too
        (slept,) = list_signals(memory, signal_type="sleep")
        for one in (made, runs, waits, slept):
            assert [link.turn_id for link in one.evidence] == [1]
        (request,) = server.requests
        assert request.body["model"] == "qwen2.5:7b"
        sent = json.loads(request.body["messages"][1]["content"])
        assert (sent["text"], sent["said_at"], sent["open"]) == (text, "2026-03-02", [])


def test_a_model_is_not_asked_about_a_part_that_is_played(tmp_path: Path) -> None:
    with serving(answering()) as server, with_model(tmp_path, server) as memory:
        say(memory, "Let's roleplay, you are a wizard", "My brother Osric was killed, help!")
        assert distil(memory).written == []
        assert server.requests == []


@pytest.mark.parametrize("is_late", [False, True])
def test_what_a_model_found_is_taken_back_too(tmp_path: Path, is_late: bool) -> None:
    text = "I always order an oat milk latte. My aunt Zadie drove me."
    answer = answering(
        facts=[fact("oat milk latte", "I always order an oat milk latte")],
        people=[{"name": "Zadie", "relationship": "aunt", "quote": "My aunt Zadie drove me"}],
        patterns=[],
        open_loops=[],
        signals=[],
        closed=[],
    )
    for back in ("Forget what I said about Zadie", "jk"):
        folder = tmp_path / back
        folder.mkdir()
        with serving(answer) as server, with_model(folder, server) as memory:
            say(memory, *([text] if is_late else [text, back]))
            distil(memory)
            assert len(list_people(memory)) == is_late
            if is_late:
                say(memory, back)
                assert len(distil(memory).taken_back) == (2 if back == "jk" else 0)
            kept = [one.value for one in list_facts(memory, archived=True)]
            assert kept == (["oat milk latte"] if is_late and back != "jk" else [])
            assert list_people(memory) == []


@pytest.mark.parametrize(
    "text, topic, quote, reason",
    [
        (PHONE, "phone Mara", "I must phone Mara", "quote not in the turn"),
        ("Should I have to phone Mara?", "phone Mara", PHONE, "asked"),
        ("I would have to phone Mara", "phone Mara", "have to phone Mara", "supposed"),
        ("Tom has to phone Mara", "phone Mara", "Tom has to phone Mara", "about somebody else"),
        (f'He said: "{PHONE} today"', "phone Mara", f"{PHONE} today", "quoted or pasted"),
        (PHONE, "phone Otto", PHONE, "name or number not said"),
    ],
    ids=["quote", "asked", "supposed", "whose", "quoted", "name"],
)
def test_what_a_turn_does_not_prove_is_counted(
    tmp_path: Path, text: str, topic: str, quote: str, reason: str
) -> None:
    with (
        serving(answering(open_loops=[loop(topic, quote)])) as server,
        with_model(tmp_path, server) as memory,
    ):
        say(memory, text)
        found = distil(memory)
        assert all(one.by == "rules" for one in found.written)
        assert found.rejected == {reason: 1}


def test_a_loop_is_closed_by_its_topic(tmp_path: Path) -> None:
    def answer(request: Request) -> Answer:
        (topic,) = json.loads(request.body["messages"][1]["content"])["open"]
        said = {"topic": topic, "quote": "the tap is repaired"}
        other = {"topic": "feed the cat", "quote": "the tap is repaired"}
        return chat.said(json.dumps({"closed": [said, other]}))

    with serving(answer) as server, with_model(tmp_path, server) as memory:
        write_open_loop(memory, NewOpenLoop(topic="get someone for the tap"))
        say(memory, "Good news, the tap is repaired")
        assert distil(memory).rejected == {"unknown topic": 1}
        (done,) = list_open_loops(memory, resolved=True)
        assert (done.resolved, done.resolution) == (1, "the tap is repaired")


@pytest.mark.parametrize(
    "broken",
    [
        "I cannot help with that.",
        '{"facts": "tea"}',
        '{"facts": [{"category": "a", "key": "b", "value": 7, "quote": "c"}]}',
        '{"facts": [{"content": "User likes tea"}]}',
        '{"memories": []}',
        "[]",
    ],
)
def test_a_broken_form_is_repaired_once_then_rejected(tmp_path: Path, broken: str) -> None:
    good = json.dumps({"facts": [fact("oat milk latte", "I always order an oat milk latte")]})
    answers = iter([broken, good, broken, broken])
    with (
        serving(lambda _: chat.said(next(answers))) as server,
        with_model(tmp_path, server) as memory,
    ):
        say(memory, "I always order an oat milk latte", "I need to renew my passport")
        found = distil(memory)
        assert [(one.action, one.by) for one in found.written] == [
            ("fact", "llm"),
            ("open", "rules"),
        ]
        assert found.rejected == {"broken form": 1}
        assert len(server.requests) == 4
        assert "was refused" in server.requests[1].body["messages"][0]["content"]


def test_a_server_that_fails_is_asked_again_later(tmp_path: Path) -> None:
    answers = iter([chat.said("{}"), Answer(500), chat.said("{}")])
    with serving(lambda _: next(answers)) as server, with_model(tmp_path, server) as memory:
        say(memory, "I need to renew my passport", "I need to book the dentist")
        report = distil(memory)
        assert (report.turns, report.waiting, len(report.written)) == (1, 1, 1)
        assert report.error is not None
        assert "500" in report.error
        report = distil(memory)
        assert (report.turns, report.waiting, report.error) == (1, 0, None)
        assert {one.mention_count for one in list_open_loops(memory)} == {1}


def test_the_job_tells_of_a_server_that_fails(tmp_path: Path) -> None:
    with serving(lambda _: Answer(500)) as server, with_model(tmp_path, server) as memory:
        say(memory, "I need to renew my passport")
        outcome = run_work(open_work(DISTILLATION, memory), Event())
        assert (outcome.kind, "500" in outcome.message) == ("failed", True)


def test_private_and_idle_turns_are_not_sent(tmp_path: Path) -> None:
    with serving(answering()) as server, with_model(tmp_path, server) as memory:
        say(memory, "ok thanks", "My password is hunter2-Kx81!", "> pasted words of somebody else")
        distil(memory)
        assert server.requests == []


def test_a_distilled_value_respects_what_is_known(tmp_path: Path) -> None:
    quote = "I always order an oat milk latte"
    with (
        serving(answering(facts=[fact("oat milk latte", quote)])) as server,
        with_model(tmp_path, server) as memory,
    ):
        known = NewFact(category="preference", key="coffee_order", value="Tea", source="user")
        write_fact(memory, known)
        say(memory, quote)
        assert distil(memory).written == []  # said before the user stated the fact
        assert read_fact(memory, "preference/coffee_order").value == "Tea"


def test_nothing_is_sent_without_an_endpoint(tmp_path: Path) -> None:
    config = DistillationConfig(llm=DistillationLLMConfig())
    assert (config.llm.model, config.llm.is_configured) == ("qwen2.5:7b", False)
    with opened(tmp_path, distillation=config) as memory:
        say(memory, TOLD)
        assert distil(memory).error is None
        assert list_people(memory)[0].name == "Zadie"


def test_the_status_has_what_was_not_believed(tmp_path: Path) -> None:
    """Of all runs, over HTTP and on the terminal."""
    other = loop("phone Otto", PHONE)
    with (
        serving(answering(open_loops=[other])) as server,
        with_model(tmp_path, server) as memory,
    ):
        say(memory, PHONE, f"Today: {PHONE}")
        distil(memory)
        say(memory, "Nothing of that sort today, only rain")
        app = create_app(memory)
        with TestClient(app, base_url="http://localhost") as client:
            found = client.get("/memory/status").json()["distillation"]
            told = read_status(memory).distillation
        assert found == {
            "turns": 2,
            "skipped": 0,
            "waiting": 1,
            "taken_back": 0,
            "written": {"open": 2},
            "rejected": {"name or number not said": 2},
        }
        assert told == DistillationStatus(**found)
        assert distillation_lines(told) == [
            "2 records of 2 turns; 1 waiting",
            "not believed of the model: 2 name or number not said",
        ]


def test_the_status_is_silent_before_the_first_run(memory: Workspace) -> None:
    assert distillation_lines(read_status(memory).distillation) == []


def test_a_fact_forgotten_by_its_name_is_not_made_of_a_turn_said_before(tmp_path: Path) -> None:
    home = {"category": "biographical", "key": "home", "value": "Oslo", "quote": "I live in Oslo"}
    with serving(answering(facts=[home])) as server, with_model(tmp_path, server) as memory:
        told = ("I live in Oslo and I like it here.", "As I said, I live in Oslo, near the opera.")
        turns = [
            NewTurn("s1", text, ts=f"2026-03-0{day}T09:00:00Z") for day, text in enumerate(told, 1)
        ]
        process_turns(memory, turns[:1])
        distil(memory)
        process_turns(memory, turns[1:])
        forget(memory, ForgetRequest(records=(RecordName("fact", "biographical/home"),)))
        distil(memory)
        assert len(server.requests) == 2
        assert list_facts(memory, archived=True) == []
        process_turns(memory, [NewTurn("s1", "I live in Oslo.", ts="2026-03-03T09:00:00Z")])
        distil(memory)
        assert [one.value for one in list_facts(memory, archived=True)] == ["Oslo"]


@pytest.mark.parametrize(
    "category, key", [("biographical", "home"), ("location", "city"), ("housing", "town")]
)
def test_a_fact_forgotten_by_its_name_is_not_made_under_another(
    tmp_path: Path, category: str, key: str
) -> None:
    home = {"category": category, "key": key, "value": "Oslo", "quote": "I live in Oslo"}
    diet = {"category": "health", "key": "diet", "value": "vegan", "quote": "I'm vegan"}
    with serving(answering(facts=[home, diet])) as server, with_model(tmp_path, server) as memory:
        said = "I live in Oslo and I'm vegan."
        process_turns(memory, [NewTurn("s1", said, ts="2026-03-01T09:00:00Z")])
        stated = write_fact(memory, NewFact(category="profile", key="city", value="Oslo"))
        forget(memory, ForgetRequest(records=(RecordName("fact", str(stated.id)),)))
        distil(memory)
        assert len(server.requests) == 1
        facts = list_facts(memory, archived=True)
        assert [one.citation for one in facts] == ["fact health/diet"]
