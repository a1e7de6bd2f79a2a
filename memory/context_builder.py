"""The context builder under the name that Symbiosis-Memory has for it."""

from collections.abc import Collection

from memory.config.loading import load_config
from memory.context.building import build_context as build_in
from memory.context.request import USUAL_TOKENS, ContextRequest
from memory.context.values import Context
from memory.manager import MemoryManager, SyncMemoryManager
from memory.workspace import Workspace


def build_context(
    session_id: str | int,
    query: str | None = None,
    *,
    system: str | None = None,
    max_tokens: int = USUAL_TOKENS,
    seen_turn_ids: Collection[int] = (),
    memory: MemoryManager | SyncMemoryManager | None = None,
) -> Context:
    """Return what an agent should know about a session before it answers.

    It comes from an open `memory`, or else from the database that is configured for the working
    directory, which is opened for this call. Fields of the request: see
    `memory.context.request.ContextRequest`.
    """
    request = ContextRequest(
        session_id, query, system=system, max_tokens=max_tokens, seen_turn_ids=seen_turn_ids
    )
    if memory is not None:
        manager = memory.asynchronous if isinstance(memory, SyncMemoryManager) else memory
        return build_in(manager.workspace, request)
    with Workspace(load_config()) as workspace:
        return build_in(workspace, request)
