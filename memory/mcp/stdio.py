"""The process that an agent's program starts: MCP over stdin and stdout."""

import gc
import logging
import os
import sys
from collections.abc import AsyncIterator, Hashable
from io import TextIOWrapper
from pathlib import Path
from threading import Thread
from typing import Any, Final

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

from memory.config.loading import LoadedConfig
from memory.mcp.request_ids import refused_message
from memory.mcp.rights import ON_STDIO
from memory.mcp.server import MemoryServer, create_server
from memory.workspace import Workspace

LAST_ANSWERS_S: Final = 30.0
"""The time that requests have to be answered once stdin has ended."""


def run_stdio(loaded: LoadedConfig) -> None:
    """Serve the configured database until stdin ends; a missing database is created.

    Stdout carries the protocol alone, warnings of the SDK go to stderr. Raises what opening a
    database raises.
    """
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="mem mcp: %(message)s")
    with Workspace(loaded) as workspace:
        server = create_server(lambda _: workspace, lambda _: ON_STDIO)
        warming = Thread(target=_warm_up, args=(workspace,), daemon=True)

        def warm_up_once() -> None:
            if warming.ident is None:
                warming.start()

        server.after_handshake = warm_up_once
        gc.freeze()
        gc.enable()
        anyio.run(_serve, server)


class OpenRequests:
    """The requests that have no answer yet."""

    def __init__(self) -> None:
        self._ids: set[Hashable] = set()
        self._changed = anyio.Event()

    def sent(self, message: object) -> None:
        """Note what the client sent."""
        method, request_id = getattr(message, "method", None), getattr(message, "id", None)
        if method == "notifications/cancelled":
            self._close((getattr(message, "params", None) or {}).get("requestId"))
        elif method is not None and request_id is not None:
            self._ids.add(request_id)

    def answered(self, message: object) -> None:
        """Note what the server sent."""
        if getattr(message, "method", None) is None:
            self._close(getattr(message, "id", None))

    def _close(self, request_id: Any) -> None:
        if isinstance(request_id, Hashable):
            self._ids.discard(request_id)
        self._changed.set()

    async def all_answered(self) -> None:
        """Wait until none is open."""
        while self._ids:
            self._changed = anyio.Event()
            await self._changed.wait()


async def _serve(server: MemoryServer) -> None:
    """Serve until stdin has ended and all requests are answered.

    The SDK ends with stdin, and leaves those unanswered that a program wrote before closing it.
    """
    from mcp.server.stdio import stdio_server

    requests = OpenRequests()
    to_server, from_client = anyio.create_memory_object_stream[Any](0)
    to_client, from_server = anyio.create_memory_object_stream[Any](0)
    lines: Any = _answerable_lines(_private_stdin(), to_client.clone())
    async with stdio_server(stdin=lines) as (received, sent), anyio.create_task_group() as tasks:
        tasks.start_soon(_pass_requests, received, to_server, requests, to_client.clone())
        tasks.start_soon(_pass_answers, from_server, sent, requests)
        await server.run_streams(from_client, to_client)


def _private_stdin() -> TextIOWrapper:
    """Return stdin, which nothing else can read from now on: no child takes a message."""
    kept = os.dup(0)
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    return os.fdopen(kept, encoding="utf-8", errors="replace")


async def _answerable_lines(
    stdin: TextIOWrapper, refused: MemoryObjectSendStream[Any]
) -> AsyncIterator[str]:
    """Yield the lines of the client; answer an id or a batch that MCP does not allow."""
    from memory.mcp.refusals import answer_of

    async with refused:
        async for line in anyio.wrap_file(stdin):
            if (error := refused_message(line)) is None:
                yield line
            else:
                await refused.send(answer_of(error))


async def _pass_requests(
    received: Any,
    to_server: MemoryObjectSendStream[Any],
    requests: OpenRequests,
    refused: MemoryObjectSendStream[Any],
) -> None:
    """Pass the messages of the client on; answer a line that cannot be read with an error."""
    from memory.mcp.refusals import refusal

    async with to_server, refused:
        async for message in received:
            if isinstance(message, Exception):
                await refused.send(refusal(message))
                continue
            requests.sent(message.message)
            await to_server.send(message)
        with anyio.move_on_after(LAST_ANSWERS_S):
            await requests.all_answered()


async def _pass_answers(
    from_server: MemoryObjectReceiveStream[Any], sent: Any, requests: OpenRequests
) -> None:
    async with sent, from_server:
        async for message in from_server:
            await sent.send(message)
            requests.answered(message.message)


def _warm_up(workspace: Workspace) -> None:
    """Load what calls need, while the model thinks about its first one."""
    import memory.mcp.calls  # noqa: F401
    from memory.retrieval.server_caches import start_server_caches

    start_server_caches(workspace)
