"""A reindex in the background of a server: begun, looked at, ended and gone on with like it."""

import threading
from contextlib import suppress
from dataclasses import replace

from contracts import BusyError, ForbiddenError, MemError
from memory.config.embeddings import DEFAULT_MODELS, DOWNLOADING_PROVIDERS, LOCAL_PROVIDERS
from memory.index.spaces.listing import reindex_status
from memory.index.spaces.reindex import choose_target, reindex, reindex_cost
from memory.storage.meta import REINDEX_WANTED, read_meta, write_meta
from memory.storage.sync_lock import running_reindex
from memory.values.reports import EmbeddingCost
from memory.values.space_reports import ReindexProgress, ReindexStatus
from memory.workspace import Workspace
from providers.settings import names_folder


class _StoppedError(Exception):
    """The server is to end, and the reindex with it."""


class ReindexJob:
    """The reindex of a process, one at a time. Any thread may ask it."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._progress: ReindexProgress | None = None
        self._last_error: str | None = None

    def start(self, *, provider: str | None = None, model: str | None = None) -> None:
        """Begin in the background; it is remembered until it has ended, so that `go_on` can.

        Raises BusyError while one is at work, here or elsewhere, ForbiddenError for a model that a
        request may not choose, and what choosing a model raises.
        """
        self._check_allowed(provider, model)
        choose_target(self._workspace, provider=provider, model=model)
        database = self._workspace.storage.database
        with self._lock:
            holder = running_reindex(database, self._workspace.path)
            if holder or self._is_running():
                raise BusyError(
                    f"a reindex is at work already: {holder or 'it is just beginning'}",
                    hint="see how far it is: GET /memory/reindex",
                )
            with database.transaction() as tx:
                write_meta(tx, REINDEX_WANTED, {"provider": provider, "model": model})
            self._begin(provider, model)

    def cost(self, *, provider: str | None = None, model: str | None = None) -> EmbeddingCost:
        """What it would take; begins nothing. Raises as `start` does, but for BusyError."""
        self._check_allowed(provider, model)
        return reindex_cost(self._workspace, provider=provider, model=model)

    def go_on(self) -> None:
        """Go on with what an earlier server has begun and not ended, if there is such."""
        wanted = read_meta(self._workspace.storage.database, REINDEX_WANTED)
        if wanted:
            with self._lock:
                self._begin(wanted["provider"], wanted["model"])

    def stop(self) -> None:
        """End between two batches; a later `go_on` does the rest."""
        self._stopping.set()
        with self._lock:
            thread = self._thread
        if thread is not None:
            thread.join()

    def status(self) -> ReindexStatus:
        """The spaces, who is at work, and how far this process's own reindex is.

        One that has been begun is at work from then on, though it may not hold the lock yet.
        """
        here = "a thread of this process" if self._is_running() else None
        found = reindex_status(self._workspace)
        running = found.running or here
        return replace(found, running=running, progress=self._progress, last_error=self._last_error)

    def _check_allowed(self, provider: str | None, model: str | None) -> None:
        """Over HTTP no folder is opened, nothing unknown downloaded, and no text sent to a service
        that nobody configured.
        """
        if model is not None and names_folder(model):
            raise ForbiddenError(
                f"the model {model!r} is a folder of the server's",
                hint="name it in the server's configuration, memory.embeddings.model",
            )
        embeddings = self._workspace.config.embeddings
        spaces = self._workspace.storage.spaces().all()
        known = {space.provider for space in spaces}
        allowed = {*LOCAL_PROVIDERS, embeddings.provider, embeddings.fallback_provider, *known}
        if provider is not None and provider not in allowed:
            raise ForbiddenError(
                f"the server's configuration does not name the provider {provider!r}, which may "
                "send text to another service",
                hint="name it there, memory.embeddings.provider, or type mem reindex --provider",
            )
        chosen = provider or embeddings.provider
        models = {embeddings.model_of(chosen), DEFAULT_MODELS.get(chosen)}
        models |= {space.model for space in spaces if space.provider == chosen}
        if chosen in DOWNLOADING_PROVIDERS and model is not None and model not in models:
            raise ForbiddenError(
                f"the server's configuration does not name the model {model!r}, which may have to "
                "be downloaded",
                hint="name it there, memory.embeddings.model, or type mem reindex --model",
            )

    def _is_running(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def _begin(self, provider: str | None, model: str | None) -> None:
        self._progress, self._last_error = None, None
        self._thread = threading.Thread(
            target=self._run, args=(provider, model), name="reindex", daemon=True
        )
        self._thread.start()

    def _run(self, provider: str | None, model: str | None) -> None:
        try:
            reindex(self._workspace, provider=provider, model=model, progress=self._report)
        except _StoppedError:
            return
        except MemError as error:
            self._last_error = str(error)
            self._give_up()
        finally:
            self._progress = None

    def _give_up(self) -> None:
        with (
            suppress(MemError),  # the first error says why
            self._workspace.storage.database.transaction() as tx,
        ):
            write_meta(tx, REINDEX_WANTED, None)

    def _report(self, progress: ReindexProgress) -> None:
        self._progress = progress
        if self._stopping.is_set():
            raise _StoppedError
