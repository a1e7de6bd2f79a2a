"""`mem mcp` in front of a running server: the same tools, with the rights of the token."""

import json
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client

from memory.operations.tokens import create_token
from memory.workspace import Workspace
from tests.memory.api.conftest import Serve, settings
from tests.memory.mcp.conftest import on_stdio, talk, text_of
from tests.memory.mcp.messages import begin, calling
from tests.memory.mcp.process import ask, end, start
from tests.waiting import output_of


def test_a_running_server_answers(home: Path, serve_live: Serve, era: str) -> None:
    url = serve_live().url
    with Workspace(settings(home)) as workspace:
        token = create_token(workspace, "claude", scope="write").token
    told: list[float] = []

    async def hear(done: float, _total: float | None, _message: str | None) -> None:
        told.append(done)

    async def work(client: Client) -> Any:
        await client.call_tool("remember", {"text": "User owns a boiler"})
        citations = {"citations": ["memory 1", "memory 1 "]}
        read = await client.call_tool("read", citations, progress_callback=hear)
        refused = await client.call_tool("forget", {"citations": ["memory 1"], "delete": True})
        with anyio.CancelScope() as scope:

            async def stop(*_: Any) -> None:
                scope.cancel()

            await client.call_tool("read", citations, progress_callback=stop)
        resource = await client.read_resource("mem:///memory 1")
        return client.protocol_version, read, refused, resource

    target = on_stdio(home, MEM_SERVER_URL=url, MEM_SERVER_TOKEN=token)
    version, read, refused, resource = talk(target, work, mode=era)

    assert version == {"legacy": "2025-11-25", "auto": "2026-07-28"}[era]
    assert "User owns a boiler" in text_of(read)
    assert told == [0.0, 1.0, 2.0]
    assert refused.is_error
    assert "User owns a boiler" in resource.contents[0].text


def test_what_the_server_refuses_is_an_error_of_the_call(home: Path, serve_live: Serve) -> None:
    url = serve_live(config={"server": {"tokens": ["a-token"]}}).url
    process = start(home, MEM_SERVER_URL=url, MEM_SERVER_TOKEN="wrong")

    assert ask(process, begin("2025-06-18"), field="error")["message"].startswith("401: ")
    end(process)


def test_the_token_is_read_from_a_file_of_the_owner_alone(home: Path, serve_live: Serve) -> None:
    url = serve_live(config={"server": {"tokens": ["a-token"]}}).url
    file = home / "token"
    file.write_text("a-token\n")
    file.chmod(0o600)
    process = start(home, MEM_SERVER_URL=url, MEM_SERVER_TOKEN_FILE=str(file))
    assert ask(process, begin("2025-06-18"))["serverInfo"]
    end(process)

    file.chmod(0o644)
    process = start(home, MEM_SERVER_URL=url, MEM_SERVER_TOKEN_FILE=str(file))
    assert "is not yours alone" in output_of(process)[1]


def test_no_server_there(home: Path) -> None:
    process = start(home, MEM_SERVER_URL="http://127.0.0.1:9")

    ask(process, {"jsonrpc": "2.0", "method": "notifications/initialized"})
    said = ask(process, calling("search", query="x"), field="error")["message"]

    assert "start it: mem serve" in said
    end(process)


@pytest.mark.parametrize("url", ["nowhere", "file:///etc/passwd", "http://"])
def test_an_address_that_is_none(home: Path, url: str) -> None:
    process = start(home, MEM_SERVER_URL=url)
    out, said = output_of(process)
    assert (out, process.returncode) == ("", 3)
    assert "MEM_SERVER_URL" in said


def test_an_id_may_come_again(home: Path, serve_live: Serve) -> None:
    process = start(home, MEM_SERVER_URL=serve_live().url)
    assert process.stdout is not None
    ask(process, begin("2025-06-18"))
    for _ in range(20):
        assert not ask(process, calling("search", query="x"))["isError"]
    for _ in range(20):
        ask(process, json.dumps(calling("search", query="y")))
    answers = [json.loads(process.stdout.readline()) for _ in range(20)]
    assert {answer["id"] for answer in answers} == {2}
    end(process)
