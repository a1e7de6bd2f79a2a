"""The FastAPI application over an open workspace."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from anyio import to_thread
from fastapi import Depends, FastAPI, Request
from starlette.responses import HTMLResponse, Response

from memory.api.app_state import AppState, state_of
from memory.api.auth import Access
from memory.api.documentation.openapi import describe_errors
from memory.api.documentation.page import SECURITY_POLICY, page_of
from memory.api.limits import MAX_BODY_BYTES, SYNC_WAIT_S, THREADS, BodyLimit
from memory.api.limits.failures import FailureLimit
from memory.api.limits.open_requests import CountRequests
from memory.api.limits.parameters import check_parameters
from memory.api.limits.receiving import Bounds, Receiving
from memory.api.mcp_route import rights_of, workspace_of
from memory.api.pages.access import PageGuard
from memory.api.pages.routing import add_pages
from memory.api.problems import add_handlers, problem_of
from memory.api.responses import HeadAsGet, NotStored
from memory.api.routers import ROUTERS
from memory.api.scopes import check_scope
from memory.api.tenants.open_memories import OpenMemories
from memory.index.spaces.pausing import open_requests_of
from memory.mcp.http import McpEndpoint
from memory.operations.tenants.credentials import Credentials
from memory.retrieval.server_caches import start_server_caches
from memory.workspace import VALUE_ERRORS, Workspace

VERSION = "1"
"""The version of the routes and their fields; raised when one changes its meaning."""


class MemoryApp(FastAPI):
    """The application; its OpenAPI document includes the errors and the token."""

    def openapi(self) -> dict[str, Any]:
        if self.openapi_schema is None:
            self.openapi_schema = describe_errors(super().openapi())
        return self.openapi_schema


def create_app(
    workspace: Workspace,
    *,
    host: str | None = None,
    is_closed: bool = False,
    max_body_bytes: int = MAX_BODY_BYTES,
    bounds: Bounds | None = None,
) -> FastAPI:
    """Return the application over `workspace`, which it closes when it ends.

    `host` is the name or address it listens on, else the configured one; together with the
    configured and the named tokens it decides which requests pass, see `memory.api.auth`.
    `is_closed`: none without a token, whether or not there is one. `bounds` replace the usual
    limits on bodies.
    """
    server = workspace.config.server
    credentials = Credentials(workspace)
    access = Access(
        server.tokens,
        server.host if host is None else host,
        find=credentials.find_token,
        has_none=credentials.has_none_at_once,
        is_closed=is_closed,
        failures=workspace.find(FailureLimit),
    )
    workspace.wait_s = SYNC_WAIT_S
    state = AppState(workspace, access, credentials)
    memories = OpenMemories(state, most=server.tenants)
    receiving = Receiving(bounds or Bounds(), state.limits.notices)
    app = MemoryApp(
        title="Symbiosis Memory",
        version=VERSION,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=_lifespan,
    )
    app.state.app_state = state
    app.state.memories = memories
    app.state.mcp = McpEndpoint(workspace_of, rights_of)
    for router in ROUTERS:
        app.include_router(router, dependencies=[Depends(check_scope), Depends(check_parameters)])
    app.add_api_route(
        "/docs", lambda: _docs(app), include_in_schema=False, dependencies=[Depends(check_scope)]
    )
    add_pages(app)
    add_handlers(app)
    for kind in VALUE_ERRORS:
        app.add_exception_handler(kind, _on_value_error)
    app.add_middleware(BodyLimit, receiving=receiving, most_bytes=max_body_bytes)
    app.add_middleware(
        PageGuard,
        access=access,
        find=credentials.find_session,
        lend=memories.lent,
    )
    app.add_middleware(CountRequests, requests=open_requests_of(workspace))
    app.add_middleware(NotStored)
    app.add_middleware(HeadAsGet)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    state: AppState = app.state.app_state
    start_server_caches(state.workspace)
    to_thread.current_default_thread_limiter().total_tokens = THREADS
    state.start_answering()
    async with app.state.mcp.running():
        yield
    state.stopping.set()
    await to_thread.run_sync(app.state.memories.close)
    await to_thread.run_sync(state.scheduler.stop)
    state.workspace.close()


async def _on_value_error(request: Request, error: Exception) -> Response:
    """Answer that the database is damaged, if a damaged value caused the error."""
    damage = await state_of(request).damage_of(error)
    if damage is None:
        raise error
    return problem_of(damage).response()


def _docs(app: FastAPI) -> HTMLResponse:
    headers = {"Content-Security-Policy": SECURITY_POLICY}
    return HTMLResponse(page_of(app.openapi()), headers=headers)
