"""`mem mcp` as a process: stdout is the protocol's alone, and others use the database meanwhile."""

import json
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp_types import JSONRPCNotification, JSONRPCRequest

from memory.mcp.stdio import OpenRequests
from memory.workspace import Workspace
from tests.memory.api.conftest import Serve, environment, settings
from tests.memory.mcp.conftest import on_stdio, over_http, talk, text_of
from tests.memory.mcp.messages import begin, calling
from tests.memory.mcp.process import ask, end, start
from tests.waiting import DEADLINE_S, output_of


def test_the_older_handshake_and_a_call(home: Path) -> None:
    process = start(home)
    ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}

    assert ask(process, begin("2025-06-18"))["protocolVersion"] == "2025-06-18"
    ask(process, ready)
    kept = ask(process, calling("remember", text="User sings"))
    assert kept["structuredContent"]["citation"] == "memory 1"
    end(process)


def test_either_era_by_the_sdks_client(home: Path, era: str) -> None:
    async def work(client: Client) -> Any:
        await client.call_tool("remember", {"text": "User owns a boiler"})
        found = await client.call_tool("search", {"query": "boiler"})
        gone = await client.call_tool("forget", {"citations": ["memory 1"], "delete": True})
        return found, gone

    found, gone = talk(on_stdio(home), work, mode=era)

    assert "User owns a boiler" in text_of(found)
    assert gone.structured_content["deleted"]


@pytest.mark.parametrize("is_forwarded", [False, True], ids=["own", "forwarded"])
def test_every_broken_line_is_answered(home: Path, serve_live: Serve, is_forwarded: bool) -> None:
    """A client would wait for ever for a request that gets no answer."""
    variables = {"MEM_SERVER_URL": serve_live().url} if is_forwarded else {}
    half = json.dumps(calling("search", query="half of a \ud800 pair"))
    lines = {
        half: 2,
        half.replace('"id": 2', '"id": "two"'): "two",
        half.replace('"id": 2', '"id": true'): None,
        **{
            f'{{"jsonrpc": "2.0", "id": {number}, "method": "ping"}}': None
            for number in ("null", "1.5", "1e400", "true", "[1]", '{"n": 1}')
        },
        '{"jsonrpc": "1.0", "id": 3, "method": "tools/list"}': 3,
        '{"jsonrpc": "2.0", "id": 4, "method": "tools/list", "params": "x"}': 4,
        f"[{half}]": None,
        "not JSON": None,
        "null": None,
        '"\\ud800"': None,
        "[" * 50_000: None,
    }
    process = start(home, **variables)
    assert process.stdout is not None
    ask(process, begin("2025-06-18"))

    for line, number in lines.items():
        ask(process, line)
        answer = json.loads(process.stdout.readline())
        assert answer["error"]["code"] in (-32700, -32600, -32602), line[:80]
        assert answer["id"] == number, line[:80]
        if line[:2] == "[{":
            assert "a batch of messages; send each by itself" in answer["error"]["message"]

    ask(process, '{"jsonrpc": "2.0", "id": null, "method": "notifications/initialized"}')
    assert not ask(process, calling("search", query="x"))["isError"]
    end(process)


def test_a_prompt_that_is_not_there_is_the_callers_mistake(home: Path) -> None:
    process = start(home)
    ask(process, begin("2025-06-18"))
    asked = {"jsonrpc": "2.0", "id": 7, "method": "prompts/get", "params": {"name": "x"}}
    error = ask(process, asked, field="error")
    assert (error["code"], error["message"].partition(";")[0]) == (-32602, "there is no prompt 'x'")
    assert output_of(process) == ("", "")


def test_a_configuration_error_is_told_on_stderr(home: Path) -> None:
    (home / "config.json").write_text('{"memory": {"backend": "paper"}}')
    process = start(home, MEM_CONFIG=str(home / "config.json"))
    out, said = output_of(process)
    assert (out, process.returncode) == ("", 3)
    assert "backend" in said


@pytest.mark.slow
def test_killed_in_mid_call_nothing_is_lost(home: Path) -> None:
    """What was answered is there, and the next process answers at once."""
    for round_ in range(3):
        process = start(home)
        ask(process, begin("2025-06-18"))
        for word in ("alder", "birch", "cedar", "elm"):
            kept = ask(process, calling("remember", text=f"{word} number {round_} is tall"))
            assert not kept["isError"]
        ask(process, json.dumps(calling("remember", text=f"willow {round_} weeps")))
        process.send_signal(signal.SIGKILL)  # before the answer
        output_of(process)
        with Workspace(settings(home)) as workspace:
            (count,) = next(iter(workspace.storage.database.read("SELECT count(*) FROM memories")))
        assert count >= 4 * (round_ + 1)
    report = subprocess.run(
        [sys.executable, "-m", "cli.main", "doctor", "--db", str(home / "data/memory.db")],
        env=environment(),
        cwd=home,
        capture_output=True,
        text=True,
        check=False,
    )
    assert report.returncode == 0, report.stdout


@pytest.mark.slow
def test_two_clients_and_a_server_use_one_database_at_once(home: Path, serve_live: Serve) -> None:
    url = serve_live().url
    targets = [on_stdio(home), on_stdio(home), over_http(url)]
    words = ["alder", "birch", "cedar"]

    async def one(target: Any, word: str) -> None:
        async with Client(target) as client:
            for number in range(10):
                kept = await client.call_tool("remember", {"text": f"{word} tree {number} stands"})
                assert not kept.is_error, text_of(kept)
                assert not (await client.call_tool("search", {"query": word})).is_error

    async def work() -> Any:
        with anyio.fail_after(DEADLINE_S * 2):
            async with anyio.create_task_group() as tasks:
                for target, word in zip(targets, words, strict=True):
                    tasks.start_soon(one, target, word)
            async with Client(over_http(url)) as client:
                return [
                    await client.call_tool("search", {"query": f"{word} tree 9"}) for word in words
                ]

    for word, found in zip(words, anyio.run(work), strict=True):
        assert f"{word} tree 9 stands" in text_of(found)


def test_the_user_can_end_it(home: Path) -> None:
    process = start(home)
    ask(process, begin("2025-06-18"))
    process.send_signal(signal.SIGTERM)
    output_of(process)
    assert process.returncode == -signal.SIGTERM


def test_what_was_asked_before_the_end_is_answered(home: Path) -> None:
    process = start(home)
    asked = [
        begin("2025-06-18"),
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        *({**calling("search", query="tea"), "id": number} for number in range(11, 15)),
    ]
    out, _ = output_of(process, "".join(f"{json.dumps(one)}\n" for one in asked))
    answers = [json.loads(line) for line in out.splitlines()]
    assert {answer["id"] for answer in answers} >= {11, 12, 13, 14}
    assert all("result" in answer for answer in answers)
    assert process.returncode == 0


@pytest.mark.parametrize("request_id", [11, "eleven"])
def test_a_cancelled_request_delays_no_end(request_id: int | str) -> None:
    async def ends_after(*, cancelled: int | str) -> bool:
        requests = OpenRequests()
        requests.sent(JSONRPCRequest(jsonrpc="2.0", id=request_id, method="tools/call"))
        params = {"requestId": cancelled}
        method = "notifications/cancelled"
        requests.sent(JSONRPCNotification(jsonrpc="2.0", method=method, params=params))
        waiting = requests.all_answered()
        try:
            waiting.send(None)
        except StopIteration:
            return True
        waiting.close()
        return False

    assert anyio.run(partial(ends_after, cancelled=request_id))
    assert not anyio.run(partial(ends_after, cancelled="another"))
