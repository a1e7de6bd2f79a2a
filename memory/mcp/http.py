"""MCP over HTTP, inside the server: every request is independent, and there are no sessions.

So a request has the rights of its own token, whatever others did before it, and a restart of the
server interrupts nobody. The SDK is loaded by the first request.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from anyio import TASK_STATUS_IGNORED, Lock, create_task_group, sleep_forever, to_thread
from anyio.abc import TaskGroup, TaskStatus
from starlette.types import Receive, Scope, Send

from memory.mcp.sdk import require_sdk

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

    from memory.mcp.tools import RightsOf, WorkspaceOf


class McpEndpoint:
    """The ASGI application of one server, for the requests that it has admitted."""

    def __init__(self, workspace_of: "WorkspaceOf", rights_of: "RightsOf") -> None:
        self._workspace_of = workspace_of
        self._rights_of = rights_of
        self._tasks: TaskGroup | None = None
        self._starting = Lock()
        self._manager: StreamableHTTPSessionManager | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Answer requests inside this block."""
        async with create_task_group() as self._tasks:
            yield
            self._tasks.cancel_scope.cancel()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request. Raises UnavailableError where the SDK is not installed."""
        manager = self._manager or await self._start()
        await manager.handle_request(scope, receive, send)

    async def _start(self) -> "StreamableHTTPSessionManager":
        require_sdk()
        async with self._starting:
            if self._manager is None:
                assert self._tasks is not None  # noqa: S101  # requests come while it runs
                self._manager = await self._tasks.start(self._serve)
            manager: StreamableHTTPSessionManager = self._manager
            return manager

    async def _serve(
        self, *, task_status: "TaskStatus[StreamableHTTPSessionManager]" = TASK_STATUS_IGNORED
    ) -> None:
        manager = await to_thread.run_sync(self._create)
        async with manager.run():
            task_status.started(manager)
            await sleep_forever()

    def _create(self) -> "StreamableHTTPSessionManager":
        from mcp.server.transport_security import TransportSecuritySettings

        from memory.mcp.server import create_server

        server = create_server(self._workspace_of, self._rights_of)
        admitted = TransportSecuritySettings(enable_dns_rebinding_protection=False)
        server.streamable_http_app(stateless_http=True, transport_security=admitted)
        return server.session_manager
