"""`mem turn add` as a user types it."""

import json
from pathlib import Path

from tests.cli.shell import Mem, shell
from tests.memory.conversations.llm_extraction.model import knowing
from tests.providers.wire.server import Answer, serving


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
    assert "'soonish' is not a time" in answer.err
    assert "2026-03-04T12:30Z" in answer.err
    assert mem("turn", "add", "--session", "s1", " ").code == 2


def test_a_language_model_reads_what_waits(mem: Mem, folder: Path) -> None:
    text = "My grandma's bakery in Graz passed to me in spring."
    with serving(knowing(bakery=["User's bakery is in Graz"])) as model:
        llm = {"endpoint": f"{model.url}/v1", "model": "m"}
        (folder / "config.json").write_text(json.dumps({"memory": {"llm": llm}}))
        config = ("--config", "config.json")
        assert mem(*config, "turn", "add", "--session", "s", text).code == 0
        model.script.append(Answer(429, {"error": {"message": "slow down"}}))
        failed = mem(*config, "turn", "enrich")
        assert (failed.code, failed.out) == (7, "0 turns read, 1 failed, 0 not sent, 1 waiting\n")
        assert "too busy or broken (429 slow down)" in failed.err
        done = mem(*config, "turn", "enrich")
        assert (done.code, done.out.splitlines()) == (
            0,
            [
                "1 turn read, 0 failed, 0 not sent, 0 waiting",
                "  create  memory 1  User's bakery is in Graz",
            ],
        )
        report = mem(*config, "turn", "enrich", "--again", "--json").json
        assert (report["turns"], report["waiting"], report["error"]) == (0, 0, None)
        status = mem(*config, "status").out
    assert f"hybrid, m at {model.host}" in status
    assert "model: 1 fact, 1 of 2 questions answered" in status
    assert "failed: 1 rate limited" in status


def test_no_language_model_is_an_error_that_says_how_to_name_one(mem: Mem) -> None:
    mem("turn", "add", "--session", "s1", "I like tea")
    answer = mem("turn", "enrich")
    assert answer.code == 3
    assert "memory.llm.endpoint" in answer.err
