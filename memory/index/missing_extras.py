"""Models that the configuration names and this installation cannot run, for want of an extra."""

from collections.abc import Iterator

from contracts import UnavailableError
from memory.workspace import Workspace
from providers.chat.registry import require_chat_library
from providers.registry import require_library
from providers.rerankers.base import require_reranker_library


def missing_extras(workspace: Workspace) -> list[str]:
    """Return an error with the command that helps for each such model; it loads no library."""
    return list(dict.fromkeys(f"{error.message} ({error.hint})" for error in _errors(workspace)))


def _errors(workspace: Workspace) -> Iterator[UnavailableError]:
    config, active = workspace.config, workspace.storage.active_space()
    embeddings = config.embeddings
    names = [embeddings.provider, embeddings.fallback_provider, active and active.provider]
    wanted = [(require_library, name) for name in names if name]
    if config.search.rerank.enabled:
        wanted.append((require_reranker_library, config.search.rerank.provider))
    if config.llm.endpoint and config.llm.model:
        wanted.append((require_chat_library, config.llm.provider))
    for require, name in wanted:
        try:
            require(name)
        except UnavailableError as error:
            yield error
