"""A background embedding that makes room: for requests of this process, and for syncs of any."""

import threading
from collections.abc import Callable, Sequence

from memory.storage.process_locks import running_sync
from memory.workspace import Workspace
from providers import EmbeddingProvider, Kind, ModelCard, Rows


class OpenRequests:
    """The number of requests that this process is answering; a context manager counts one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._number = 0

    def __enter__(self) -> None:
        with self._lock:
            self._number += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._number -= 1

    def __bool__(self) -> bool:
        return self._number > 0


def open_requests_of(workspace: Workspace) -> OpenRequests:
    """Return the count of the requests that are answered from a workspace."""
    return workspace.component(OpenRequests, OpenRequests)


def is_anybody_waiting(workspace: Workspace) -> bool:
    """Return whether this process answers a request, or any process syncs."""
    if open_requests_of(workspace):
        return True
    return running_sync(workspace.storage.database, workspace.path) is not None


class PausingProvider(EmbeddingProvider):
    """A provider that embeds text by text, and calls `pause` before each.

    What `pause` raises ends the embedding.
    """

    def __init__(self, provider: EmbeddingProvider, pause: Callable[[], None]) -> None:
        self._provider = provider
        self._pause = pause

    @property
    def card(self) -> ModelCard:
        return self._provider.card

    @property
    def host(self) -> str | None:
        return self._provider.host

    def embed(self, texts: Sequence[str], *, kind: Kind) -> Rows:
        rows: list[Sequence[float]] = []
        for text in texts:
            self._pause()
            rows.extend(self._provider.embed([text], kind=kind))
        return rows
