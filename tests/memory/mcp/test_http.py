"""POST /mcp: the same tools under the tokens and checks of every route, without sessions."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from memory.api import create_app
from memory.conversations.memories.editing import get_memory, remember
from memory.operations.tokens import create_token, revoke_token
from memory.workspace import Workspace
from tests.memory.api.conftest import BASE_URL, Serve, settings
from tests.memory.mcp.conftest import call, over_http, talk, text_of
from tests.memory.mcp.messages import ACCEPT, begin, calling, result_of

JSON = {"Content-Type": "application/json"}


@pytest.fixture
def app(home: Path) -> FastAPI:
    return create_app(Workspace(settings(home, tokens=("of-the-owner",))))


@pytest.fixture
def server(app: FastAPI) -> Iterator[TestClient]:
    with TestClient(app, base_url=BASE_URL, raise_server_exceptions=False) as opened:
        remember(app.state.app_state.workspace, "User owns a boiler")
        yield opened


@pytest.fixture
def workspace(app: FastAPI) -> Workspace:
    opened: Workspace = app.state.app_state.workspace
    return opened


def post(server: TestClient, body: Any, token: str | None = None, **headers: str) -> Any:
    bearer = {"Authorization": f"Bearer {token}"} if token else {}
    return server.post("/mcp", json=body, headers={**ACCEPT, **bearer, **headers})


def test_the_handshake_of_the_older_era_begins_no_session(server: TestClient) -> None:
    answer = post(server, begin("2025-06-18"), "of-the-owner")

    assert "mcp-session-id" not in answer.headers
    found = result_of(answer)
    assert found["protocolVersion"] == "2025-06-18"
    assert found["instructions"].startswith("Long-term memory")
    listed = post(
        server,
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
        "of-the-owner",
        **{"MCP-Protocol-Version": "2025-06-18"},
    )
    assert len(result_of(listed)["tools"]) == 5


def test_a_session_begun_with_one_token_gives_nothing_to_another(
    server: TestClient, workspace: Workspace
) -> None:
    reader = create_token(workspace, "reader", scope="read").token
    post(server, begin("2025-06-18"), "of-the-owner", **{"Mcp-Session-Id": "abc"})
    ours = {"Mcp-Session-Id": "abc", "MCP-Protocol-Version": "2025-06-18"}

    for tool, arguments in (
        ("remember", {"text": "User sings"}),
        ("forget", {"citations": ["memory 1"], "delete": True}),
    ):
        assert result_of(post(server, calling(tool, **arguments), reader, **ours))["isError"]
    assert get_memory(workspace, 1).status == "active"
    assert post(server, calling("search", query="boiler"), **ours).status_code == 401
    assert not result_of(post(server, calling("search", query="boiler"), reader, **ours))["isError"]
    revoke_token(workspace, "reader")
    assert post(server, calling("search", query="boiler"), reader, **ours).status_code == 401


def test_what_a_token_writes_is_an_agents_even_the_owners(
    server: TestClient, workspace: Workspace
) -> None:
    claude = create_token(workspace, "claude", scope="write").token
    for token, name in (("of-the-owner", "memory.server.tokens"), (claude, "claude")):
        text = f"User knows {name}"
        kept = result_of(post(server, calling("remember", text=text), token))["structuredContent"]
        assert kept["source"] == "agent"
        made = get_memory(workspace, int(kept["citation"].split()[1]))
        assert made.metadata["agent"] == name
        answer = post(server, calling("remember", text="x", tags=["instruction"]), token)
        refused = result_of(answer)
        said = refused["content"][0]["text"]
        assert refused["isError"]
        assert f"standing instructions are the owner's, and {name} asks as an agent" in said
        assert "over MCP every caller is an agent" in said


def test_only_an_admin_deletes(server: TestClient, workspace: Workspace) -> None:
    writer = create_token(workspace, "claude", scope="write").token
    order = calling("forget", citations=["memory 1"], delete=True)

    assert result_of(post(server, order, writer))["isError"]
    assert result_of(post(server, order, "of-the-owner"))["structuredContent"]["deleted"]


def test_without_any_token_nothing_is_deleted(home: Path) -> None:
    workspace = Workspace(settings(home))
    with TestClient(create_app(workspace), base_url=BASE_URL) as server:
        remember(workspace, "User owns a boiler")
        order = calling("forget", citations=["memory 1"], delete=True)
        assert result_of(post(server, order))["isError"]
        kept = result_of(post(server, calling("remember", text="User sings")))
        assert kept["structuredContent"]["source"] == "agent"


@pytest.mark.parametrize(
    "headers, status",
    [
        ({}, 401),
        ({"Authorization": "Bearer wrong"}, 401),
        ({"Authorization": "Bearer of-the-owner", "Host": "evil.example"}, 403),
        ({"Authorization": "Bearer of-the-owner", "Origin": "http://evil.example"}, 403),
        ({"Authorization": "Bearer of-the-owner", "Content-Type": "text/plain"}, 400),
        ({"Authorization": "Bearer of-the-owner", "Accept": "text/html"}, 406),
        ({"Authorization": "Bearer of-the-owner", "MCP-Protocol-Version": "1999-01-01"}, 400),
    ],
)
def test_the_checks_of_every_route_hold(
    server: TestClient, headers: dict[str, str], status: int
) -> None:
    assert (
        server.post("/mcp", json=begin("2025-06-18"), headers={**ACCEPT, **headers}).status_code
        == status
    )


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
def test_there_is_no_stream_and_no_session_to_end(server: TestClient, method: str) -> None:
    bearer = {"Authorization": "Bearer of-the-owner"}
    assert server.request(method, "/mcp", headers={**ACCEPT, **bearer}).status_code == 405


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b'{"jsonrpc": "2.0"}', b"[" * 99_999])
@pytest.mark.parametrize("version", ["2025-06-18", "2026-07-28"])
def test_a_broken_message(server: TestClient, body: bytes, version: str) -> None:
    headers = {
        **ACCEPT,
        "Authorization": "Bearer of-the-owner",
        "Content-Type": "application/json",
        "MCP-Protocol-Version": version,
    }
    assert server.post("/mcp", content=body, headers=headers).status_code in (400, 202)


@pytest.mark.parametrize("number", [None, 1.5, True, [1], {"n": 1}], ids=repr)
def test_an_id_that_mcp_does_not_allow(server: TestClient, number: Any) -> None:
    """The SDK takes such a request for a notification, which has no answer."""
    body = {"jsonrpc": "2.0", "id": number, "method": "tools/list"}
    answer = post(server, body, "of-the-owner")
    assert answer.status_code == 400
    assert (answer.json()["id"], answer.json()["error"]["code"]) == (None, -32600)
    notification = {**body, "id": None, "method": "notifications/initialized"}
    assert post(server, notification, "of-the-owner").status_code == 202


@pytest.mark.parametrize("version", ["2025-03-26", "2026-07-28"])
@pytest.mark.parametrize(
    "body, said",
    [
        ([{"jsonrpc": "2.0", "id": 1, "method": "ping"}], "a batch of messages; send each by"),
        ([], "a batch of messages; send each by itself"),
        (5, "the message is not a JSON object"),
    ],
    ids=["batch", "nothing", "number"],
)
def test_what_is_not_one_message(server: TestClient, version: str, body: Any, said: str) -> None:
    answer = post(server, body, "of-the-owner", **{"MCP-Protocol-Version": version})
    assert answer.status_code == 400
    error = answer.json()["error"]
    assert (answer.json()["id"], error["code"]) == (None, -32600)
    assert said in error["message"]


def test_the_sdks_client_over_a_real_server(serve_live: Serve, era: str) -> None:
    config = {"server": {"tokens": ["a-token"]}}
    url = serve_live(config=config).url
    told: list[float] = []

    async def hear(done: float, _total: float | None, _message: str | None) -> None:
        told.append(done)

    async def work(client: Any) -> Any:
        kept = await client.call_tool("remember", {"text": "User owns a boiler"})
        citations = {"citations": ["memory 1", "memory 1"]}
        read = await client.call_tool("read", citations, progress_callback=hear)
        resource = await client.read_resource("mem:///memory 1")
        return client.instructions, kept, read, resource

    instructions, kept, read, resource = talk(over_http(url, "a-token"), work, mode=era)

    assert instructions
    assert kept.structured_content["citation"] == "memory 1"
    assert "User owns a boiler" in text_of(read)
    assert told == [0.0, 1.0]
    assert "User owns a boiler" in resource.contents[0].text
    with pytest.raises(ExceptionGroup, match="unhandled errors"):
        call(over_http(url), "search", mode=era, query="boiler")


def test_a_message_that_is_too_large_is_refused_with_the_limit(serve_live: Serve) -> None:
    """Over a real socket: a server that does not read all of it resets the connection."""
    with serve_live().client() as client:
        for size in (4 << 20, 60_000_000):
            body = json.dumps(calling("search", query="x" * size))
            answer = client.post("/mcp", content=body, headers={**ACCEPT, **JSON})
            assert answer.status_code == 413
            assert "the limit is 4194304 bytes" in answer.json()["detail"]
        found = client.post("/mcp", json=calling("search", query="tea " * 900_000), headers=ACCEPT)
        assert not result_of(found)["isError"]
