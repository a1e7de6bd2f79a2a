"""Preloading of the model and the workers that the next saved file needs."""

from contextlib import suppress
from typing import Final

from contracts import MemError
from ingest import is_heavy, missing_extra
from memory.files.ingestion import sync_settings
from memory.files.parallel_reading import KeptWorkers
from memory.index.document_store import documents_of
from memory.index.embedding.active_model import embedder_of
from memory.index.indexing_settings import is_quick
from memory.workspace import Workspace

WORKERS_KEPT_S: Final = 60.0
"""Idle time after which worker processes end; then at most a fresh one is kept."""


class Preloader:
    """The preloaded resources of a watcher's process; for its thread alone. Close it when done."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._workers = KeptWorkers()
        self._wants_worker = False

    def open(self) -> None:
        """Let every sync of this process use the kept workers."""
        self._workspace.put(self._workers)

    def look(self) -> None:
        """Load the model if it is quick, and check whether files need a worker to be read."""
        if is_quick(self._workspace):
            with suppress(MemError):  # the sync that needs it will report it
                embedder_of(self._workspace).embedded_again(["ready"])
        self._wants_worker = any(
            is_heavy(path) and missing_extra(path) is None
            for path in documents_of(self._workspace).path_by_loader()
        )
        self.keep()

    def keep(self) -> None:
        """Keep a fresh worker if one is needed, and end those idle for a while."""
        self._workers.close_idle(WORKERS_KEPT_S)
        if self._wants_worker:
            settings = sync_settings(self._workspace)
            self._workers.start(settings.workers, settings.limits)

    def close(self) -> None:
        """End the workers."""
        self._workspace.remove(self._workers)
        self._workers.close()
