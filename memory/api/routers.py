"""The list of all routers."""

from memory.api.feed.route import router as changes
from memory.api.mcp_route import router as mcp
from memory.api.routes.audit import router as audit
from memory.api.routes.context import router as context
from memory.api.routes.episodes import router as episodes
from memory.api.routes.files import router as files
from memory.api.routes.forget import router as forget
from memory.api.routes.ingest import router as ingest
from memory.api.routes.manage import router as manage
from memory.api.routes.memories import router as memories
from memory.api.routes.metrics import router as metrics
from memory.api.routes.records import router as records
from memory.api.routes.reindex import router as reindex
from memory.api.routes.search import router as search
from memory.api.routes.status import router as status
from memory.api.routes.threads import router as threads
from memory.api.routes.turns import router as turns

ROUTERS = (
    search,
    ingest,
    files,
    manage,
    reindex,
    turns,
    memories,
    threads,
    context,
    episodes,
    changes,
    records,
    forget,
    audit,
    status,
    metrics,
    mcp,
)
"""The routers in the order in which /docs shows them."""
