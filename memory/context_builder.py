"""The context builder under the name that Symbiosis-Memory has for it."""

from typing import Unpack

from memory.config.loading import load_config
from memory.context.building import build_context as build_in
from memory.context.request import ContextKeywords, ContextRequest
from memory.context.values import Context
from memory.manager import MemoryManager, SyncMemoryManager
from memory.workspace import Workspace


def build_context(
    session_id: str | int,
    query: str | None = None,
    *,
    memory: MemoryManager | SyncMemoryManager | None = None,
    **keywords: Unpack[ContextKeywords],
) -> Context:
    """Return what an agent should know about a session before it answers.

    It comes from an open `memory`, or else from the database that is configured for the working
    directory, which is opened for this call. Keywords are the other fields of
    `memory.context.request.ContextRequest`: `system`, `max_tokens`, `seen_turn_ids`, `k`,
    `without_tags`, `include`.
    """
    request = ContextRequest(session_id, query, **keywords)
    if memory is not None:
        manager = memory.asynchronous if isinstance(memory, SyncMemoryManager) else memory
        return build_in(manager.workspace, request)
    with Workspace(load_config()) as workspace:
        return build_in(workspace, request)
