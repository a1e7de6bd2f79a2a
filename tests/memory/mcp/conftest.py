"""Servers and clients of the protocol: in this process for most tests, real processes else."""

import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.server.mcpserver import MCPServer
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp_types import CallToolResult, TextContent

from memory.conversations.memories.editing import remember
from memory.conversations.pipeline import process_turns
from memory.conversations.turns.values import NewTurn
from memory.files.ingestion import sync_files
from memory.mcp.rights import ON_STDIO
from memory.mcp.server import create_server
from memory.workspace import Workspace
from tests.memory.api.conftest import environment, home, serve_live, settings  # noqa: F401  # fixtures
from tests.waiting import DEADLINE_S

ERAS = {"2025": "legacy", "2026": "auto"}
"""How a client begins, by the year of the protocol: with `initialize`, or with none."""


@pytest.fixture
def workspace(home: Path) -> Iterator[Workspace]:  # noqa: F811
    """Two files, turn 1 with memory 1, and memory 2."""
    with Workspace(settings(home)) as opened:
        sync_files(opened)
        process_turns(opened, [NewTurn("s1", "I live in Oslo.", ts="2026-03-04T10:00:00Z")])
        remember(opened, "User owns a boiler")
        yield opened


@pytest.fixture(params=ERAS.values(), ids=ERAS)
def era(request: pytest.FixtureRequest) -> str:
    mode: str = request.param
    return mode


@pytest.fixture
def server(workspace: Workspace) -> MCPServer[Any]:
    """The server as it is on stdio."""
    return create_server(lambda _: workspace, lambda _: ON_STDIO)


Work = Callable[[Client], Awaitable[Any]]


def talk(target: Any, work: Work, *, mode: str = "auto") -> Any:
    """Do the work with a client that is connected to a server, a transport or an address."""

    async def run() -> Any:
        with anyio.fail_after(DEADLINE_S):
            async with Client(target, mode=mode) as client:
                return await work(client)

    return anyio.run(run)


def call(target: Any, tool: str, *, mode: str = "auto", **arguments: Any) -> CallToolResult:
    """Call one tool."""

    async def work(client: Client) -> Any:
        return await client.call_tool(tool, arguments)

    answer: CallToolResult = talk(target, work, mode=mode)
    return answer


def text_of(answer: CallToolResult) -> str:
    """The text that a model reads."""
    (content,) = answer.content
    assert isinstance(content, TextContent)
    return content.text


def on_stdio(folder: Path, **variables: str) -> Any:
    """`mem mcp` as a process, over the database of that folder."""
    command = ["-m", "cli.main", "mcp", "--db", str(folder / "data/memory.db")]
    return stdio_client(
        StdioServerParameters(
            command=sys.executable, args=command, env={**environment(), **variables}, cwd=folder
        )
    )


@asynccontextmanager
async def over_http(url: str, token: str = "") -> Any:
    """The transport of a client with a token."""
    headers = {"Authorization": f"Bearer {token}"} if token else None
    async with (
        create_mcp_http_client(headers) as http,
        streamable_http_client(f"{url}/mcp", http_client=http) as streams,
    ):
        yield streams
