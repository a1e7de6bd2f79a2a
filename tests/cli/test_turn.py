"""`mem turn add` as a user types it."""

import json
from pathlib import Path

from tests.cli.shell import Mem, shell


def test_what_is_said_is_stored_found_and_remembered(mem: Mem) -> None:
    answer = mem("turn", "add", "--session", "s1", "I live in Oslo and I like tea")
    assert answer.code == 0
    lines = answer.out.splitlines()
    assert lines[0] == "session s1 turn 1"
    assert sorted(line.split(maxsplit=3)[3] for line in lines[1:]) == [
        "User likes tea",
        "User lives in Oslo",
    ]
    found = json.loads(mem("search", "Oslo", "--source", "turn", "--json").out)
    assert found["results"][0]["metadata"]["turn_id"] == 1


def test_json_is_the_answer_of_the_http_route(mem: Mem) -> None:
    arguments = ("turn", "add", "--session", "s1", "--client-id", "a", "--json", "I like tea")
    first = json.loads(mem(*arguments).out)
    assert first == {
        "turn_id": 1,
        "extracted_memories": [{"id": 1, "content": "User likes tea", "action": "create"}],
        "repeated": False,
        "warnings": [],
    }
    assert json.loads(mem(*arguments).out) == {**first, "repeated": True}


def test_a_text_may_come_from_stdin_and_from_another_time(folder: Path) -> None:
    options = ("--role", "assistant", "--ts", "2024-05-06T10:00:00Z", "--speaker", "Ann")
    arguments = ("turn", "add", "--session", "s1", *options, "-")
    assert shell(*arguments, cwd=folder, stdin="- a list\n").code == 0
    (hit,) = json.loads(shell("search", "list", "--json", cwd=folder).out)["results"]
    assert (hit["text"], hit["occurred_at"]) == ("- a list", "2024-05-06T10:00:00.000Z")
    assert hit["metadata"]["speaker"] == "Ann"


def test_wrong_input_says_what_to_do(mem: Mem) -> None:
    assert "Missing option '--session'" in mem("turn", "add", "hello").err
    answer = mem("turn", "add", "--session", "s1", "--ts", "soonish", "hello")
    assert answer.code == 2
    assert "'soonish' is no time" in answer.err
    assert "2026-03-04T12:30Z" in answer.err
    assert mem("turn", "add", "--session", "s1", " ").code == 2
