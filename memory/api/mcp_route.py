"""POST /mcp: the tools for agents, under the tokens and checks of every other route."""

from typing import TYPE_CHECKING, Any, Final, cast

from fastapi import APIRouter, HTTPException, Request
from starlette.responses import JSONResponse, Response
from starlette.types import Message, Receive, Scope, Send

from memory.api.app_state import state_of
from memory.api.auth import ANYONE, Principal
from memory.mcp.request_ids import refused_message
from memory.mcp.rights import Rights
from memory.storage.action_log import AGENT
from memory.workspace import Workspace

if TYPE_CHECKING:
    from mcp.server.mcpserver import Context

    from memory.mcp.http import McpEndpoint

router = APIRouter(tags=["agents"])

MOST_BYTES: Final = 4 * 1024 * 1024
"""The most bytes of a message, as many as the SDK takes."""


@router.post("/mcp", response_model=None, include_in_schema=False)
async def mcp(request: Request) -> Response:
    """Answer one message of the Model Context Protocol (streamable HTTP, without sessions).

    A message is read whole before it is refused: a client that is still sending hears no answer.
    """
    body = await request.body()
    if len(body) > MOST_BYTES:
        raise HTTPException(
            413, f"the limit is {MOST_BYTES} bytes, and the message has {len(body)}"
        )
    if (error := refused_message(body)) is not None:
        return JSONResponse(error, 400)
    return _Delegated(request.app.state.mcp, body)


class _Delegated(Response):
    """A response that the endpoint writes itself, from the request as it came."""

    def __init__(self, endpoint: "McpEndpoint", body: bytes) -> None:
        super().__init__()
        self._endpoint = endpoint
        self._body: bytes | None = body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def receive_again() -> Message:
            body, self._body = self._body, None
            if body is None:
                return await receive()
            return {"type": "http.request", "body": body, "more_body": False}

        await self._endpoint(scope, receive_again, send)


def workspace_of(context: "Context[Any, Any]") -> Workspace:
    """Return the memory that the token of a call's request is for."""
    return state_of(cast(Request, context.request_context.request)).workspace


def rights_of(context: "Context[Any, Any]") -> Rights:
    """Return the rights of the token that the request of a call came with.

    Whatever comes this way is an agent's, the owner's token included.
    """
    request = cast(Request, context.request_context.request)
    principal: Principal = request.state.principal
    is_admin = principal != ANYONE and principal.scope == "admin"
    return Rights(principal.name or AGENT, principal.scope, may_delete=is_admin)
