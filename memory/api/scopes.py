"""The scope that each route needs: one table, which a test compares with the routes there are."""

from collections.abc import Mapping
from typing import Final

from fastapi import Request

from memory.api.auth import OPEN_PATHS, Principal
from memory.api.problems import forbidden_scope
from memory.operations.tokens import SCOPES, TokenScope

READ: Final = "read"
WRITE: Final = "write"
ADMIN: Final = "admin"

ROUTE_SCOPES: Final[Mapping[tuple[str, str], TokenScope]] = {
    ("GET", "/docs"): READ,
    ("GET", "/openapi.json"): READ,
    ("POST", "/memory/search"): READ,
    ("POST", "/memory/recall"): READ,
    ("GET", "/context"): READ,
    ("POST", "/context/used"): WRITE,
    ("POST", "/threads/analyze"): READ,
    ("GET", "/memory/files/{file_id}"): READ,
    ("GET", "/memory/changes"): READ,
    ("POST", "/memory/ingest"): WRITE,
    ("POST", "/memory/ingest/file"): WRITE,
    ("POST", "/memory/ingest/text"): WRITE,
    ("POST", "/ingest_text"): WRITE,
    ("POST", "/memory/sync"): WRITE,
    ("GET", "/memory/manage"): READ,
    ("GET", "/memory/manage/{record_id}"): READ,
    ("PATCH", "/memory/manage/{record_id}"): WRITE,
    ("DELETE", "/memory/manage/{record_id}"): ADMIN,
    ("GET", "/memory/reindex"): READ,
    ("POST", "/memory/reindex"): ADMIN,
    ("GET", "/turns"): READ,
    ("POST", "/turns"): WRITE,
    ("POST", "/turns/batch"): WRITE,
    ("GET", "/turns/{turn_id}"): READ,
    ("DELETE", "/turns/{turn_id}"): ADMIN,
    ("GET", "/episodes"): READ,
    ("GET", "/episodes/{episode_id}"): READ,
    ("GET", "/memories"): READ,
    ("POST", "/memories"): WRITE,
    ("POST", "/memory/remember"): WRITE,
    ("GET", "/memories/{memory_id}"): READ,
    ("PATCH", "/memories/{memory_id}"): WRITE,
    ("POST", "/memories/{memory_id}/confirm"): WRITE,
    ("DELETE", "/memories/{memory_id}"): ADMIN,
    ("GET", "/memories/{memory_id}/why"): READ,
    ("POST", "/memory/fact"): WRITE,
    ("GET", "/memory/context"): READ,
    ("GET", "/memory/person/{name}"): READ,
    ("POST", "/memory/person"): WRITE,
    ("GET", "/memory/open-loops"): READ,
    ("POST", "/memory/open-loop"): WRITE,
    ("POST", "/memory/open-loop/{loop_id}/resolve"): WRITE,
    ("POST", "/memory/signal"): WRITE,
    ("GET", "/memory/patterns"): READ,
    ("POST", "/memory/pattern"): WRITE,
    ("POST", "/memory/forget"): ADMIN,
    ("GET", "/gc"): READ,
    ("POST", "/gc"): ADMIN,
    ("GET", "/memory/audit"): ADMIN,
    ("GET", "/memory/status"): READ,
    ("GET", "/metrics"): READ,
    ("POST", "/mcp"): READ,
}
"""The scope of every route but those of `memory.api.auth.OPEN_PATHS`, by method and path.

A tool of /mcp that writes or deletes needs more, see `memory.mcp.rights`.
"""


PAGE_SCOPES: Final[Mapping[tuple[str, str], TokenScope]] = {
    ("GET", "/"): READ,
    ("GET", "/page/read"): READ,
    ("GET", "/page/pdf"): READ,
    ("GET", "/page/memories"): READ,
    ("POST", "/page/memories/{memory_id}/confirm"): WRITE,
    ("POST", "/page/memories/{memory_id}/correct"): WRITE,
    ("POST", "/page/forget"): ADMIN,
    ("GET", "/page/timeline"): READ,
    ("GET", "/page/people"): READ,
    ("GET", "/page/person"): READ,
    ("GET", "/page/loops"): READ,
    ("POST", "/page/loops/{loop_id}/resolve"): WRITE,
    ("GET", "/page/signals"): READ,
    ("GET", "/page/plot/signal"): READ,
    ("GET", "/page/plot/fact"): READ,
    ("GET", "/page/plot/memory"): READ,
    ("GET", "/page/plot/episode"): READ,
    ("GET", "/page/context"): READ,
    ("GET", "/page/health"): READ,
    ("GET", "/page/health/events"): READ,
    ("GET", "/page/begin"): READ,
    ("GET", "/page/begin/agent"): ADMIN,
    ("POST", "/page/begin/folder"): WRITE,
    ("POST", "/page/begin/chats"): WRITE,
    ("POST", "/page/health/sync"): WRITE,
    ("POST", "/page/health/retry"): WRITE,
    ("POST", "/page/health/job"): WRITE,
}
"""The scope of every page, but of those that sign in and out: that of the token of the session."""


async def check_scope(request: Request) -> None:
    """Refuse a token without the scope of the route. A route without one is the admin's."""
    path = request.scope["route"].path_format  # as OpenAPI has it
    if path in OPEN_PATHS:
        return
    route = request.method, path
    require_scope(request, ROUTE_SCOPES.get(route) or PAGE_SCOPES.get(route, ADMIN))


def require_scope(request: Request, needed: TokenScope) -> None:
    """Refuse a token that has a narrower scope than `needed`."""
    principal: Principal = request.state.principal
    if SCOPES.index(principal.scope) < SCOPES.index(needed):
        raise forbidden_scope(principal.name, principal.scope, needed)
