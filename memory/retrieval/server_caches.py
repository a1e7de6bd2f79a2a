"""The index that a search queries, and the caches and indexes of a long-lived process.

The classes are named for type checkers only: a command that searches once loads none of them.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from contracts import CandidateIndex
from memory.values.user_folders import is_for_command
from memory.workspace import Workspace

if TYPE_CHECKING:
    from memory.index.embedding.preload import Preload
    from memory.retrieval.memory_index import MemoryIndex
    from memory.retrieval.query_cache import QueryCache
    from memory.storage.durations import Durations


AT_ONCE = 2
"""Searches that run at once. Only one thread runs Python at a time, so one more fills the time
that another spends in SQLite or FAISS; further ones take longer and let others take longer.
"""

PATIENCE_S = 0.2
"""The time after which a search runs in spite of the others, which may be slow ones."""


class Turns:
    """The searches that run at once in this process; others wait a little."""

    def __init__(self, at_once: int = AT_ONCE, *, patience_s: float = PATIENCE_S) -> None:
        self._free = threading.Semaphore(at_once)
        self._patience_s = patience_s

    @contextmanager
    def one(self) -> Iterator[None]:
        """Wait for a turn, but not for ever, and keep it for the block."""
        is_held = self._free.acquire(timeout=self._patience_s)
        try:
            yield
        finally:
            if is_held:
                self._free.release()


class ServerCaches:
    """Caches and indexes that a long-lived process keeps for searches; a server has all of them."""

    def __init__(self, answers: "QueryCache", durations: "Durations") -> None:
        self.answers = answers
        self.durations = durations
        self.index: MemoryIndex | None = None
        self.preload: Preload | None = None
        self.turns = Turns()

    def close(self) -> None:
        """End the threads."""
        if self.index is not None:
            self.index.close()


def server_caches_of(workspace: Workspace) -> ServerCaches | None:
    """Return the caches of this process; None for a command that answers once.

    None, too, for one that a server runs: it has to say what it would say by itself, to the last
    digit, and the index in memory is a little less exact.
    """
    return None if is_for_command() else workspace.find(ServerCaches)


def cache_answers(workspace: Workspace) -> ServerCaches:
    """Cache answers for as long as nothing changes: of use to a long-lived process.

    A `CountTable` among the workspace's components has the counts of all processes of a server.
    """
    from memory.retrieval import query_cache
    from memory.storage import durations
    from memory.storage.counters import CountTable

    def caches() -> ServerCaches:
        shared = workspace.find(CountTable)
        told = shared and shared.columns(0, durations.COLUMNS)
        asked = shared and shared.columns(durations.COLUMNS, query_cache.COLUMNS)
        answers = query_cache.QueryCache(workspace.storage, counts=asked)
        return ServerCaches(answers, durations.Durations(told))

    return workspace.component(ServerCaches, caches)


def start_server_caches(workspace: Workspace) -> None:
    """Load what makes many searches quicker and one slower: numpy now, FAISS in the background.

    The reranker is loaded too if every search wants it. Searches run during that time, and their
    answers are cached.
    """
    import numpy  # noqa: F401  # cosines are quicker once it is loaded

    from memory.index.embedding.active_model import model_for
    from memory.index.embedding.preload import Preload
    from memory.retrieval.memory_index import MemoryIndex
    from memory.retrieval.reranking import reranking_of

    storage = workspace.storage
    storage.database.use_less_memory()
    kept = cache_answers(workspace)
    if kept.preload is None:
        kept.preload = Preload(storage, lambda space: model_for(workspace, space))
    if kept.index is None:
        kept.index = MemoryIndex(storage)
        kept.index.start()
    if workspace.config.search.rerank.enabled:
        reranking_of(workspace).start()


def memory_index_of(workspace: Workspace) -> "MemoryIndex | None":
    """Return the index that a server holds in memory; None in a short-lived process."""
    kept = server_caches_of(workspace)
    return kept.index if kept else None


def candidates_of(workspace: Workspace) -> CandidateIndex:
    """Return the index that a search queries: the storage, or the index in memory in front of
    it.
    """
    return with_configured_keywords(workspace, memory_index_of(workspace) or workspace.storage)


def with_configured_keywords(workspace: Workspace, index: CandidateIndex) -> CandidateIndex:
    """Return the index with keyword search as configured: by the keyword index, or by LIKE."""
    enabled = workspace.config.fts.enabled
    return index if enabled else workspace.storage.without_keywords(index)
