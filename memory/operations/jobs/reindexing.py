"""The job that reindexes in the background of a server, and how it is asked for and followed."""

import threading
from contextlib import suppress
from dataclasses import replace

from contracts import BusyError, ForbiddenError, MemError
from memory.config.sections.embeddings import DEFAULT_MODELS, DOWNLOADING_PROVIDERS, LOCAL_PROVIDERS
from memory.index.embedding.active_model import model_for
from memory.index.embedding.model_choice import configured_model
from memory.index.embedding.model_trust import require_consent
from memory.index.spaces.listing import reindex_status
from memory.index.spaces.reindex import choose_target, reindex, reindex_cost
from memory.operations.jobs.job import JobOutcome, Work
from memory.operations.jobs.last_runs import read_last_run
from memory.operations.jobs.registry import REINDEX
from memory.operations.jobs.scheduler import Scheduler
from memory.storage import Space
from memory.storage.database import DatabaseUnavailableError
from memory.storage.meta import REINDEX_WANTED, read_meta, write_meta
from memory.storage.process_locks import UPGRADE_LOCK, running_reindex, running_work
from memory.values.reports import EmbeddingCost
from memory.values.space_reports import ReindexProgress, ReindexStatus
from memory.workspace import Workspace
from providers.settings import names_folder


class _StoppedError(Exception):
    """The scheduler stops, and the reindex with it."""


class ReindexWork(Work):
    """Does the reindex that was requested last, or goes on with it where another process ended.

    A request is a fact in the database, kept until the reindex has ended. `progress` is how far the
    current run is.
    """

    job = REINDEX

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.progress: ReindexProgress | None = None

    def is_due(self) -> bool:
        return bool(read_meta(self.workspace.storage.database, REINDEX_WANTED))

    def run(self, stopping: threading.Event) -> JobOutcome:
        wanted = read_meta(self.workspace.storage.database, REINDEX_WANTED)
        if not wanted:
            return JobOutcome("no reindex was requested")

        def note(progress: ReindexProgress) -> None:
            self.progress = progress
            if stopping.is_set():
                raise _StoppedError

        try:
            report = reindex(
                self.workspace,
                provider=wanted["provider"],
                model=wanted["model"],
                progress=note,
                asked_by_user=False,
            )
        except _StoppedError:
            return JobOutcome("stopped between two batches")
        except (BusyError, DatabaseUnavailableError):  # it goes on later, here or elsewhere
            raise
        except MemError:
            self._give_up()
            raise
        finally:
            self.progress = None
        return JobOutcome(f"texts embedded: {report.embedded:,}, known already: {report.cached:,}")

    def _give_up(self) -> None:
        """Forget the request: it would fail again."""
        with (
            suppress(MemError),  # the first error says why
            self.workspace.storage.database.transaction() as tx,
        ):
            write_meta(tx, REINDEX_WANTED, None)


class ReindexRequests:
    """Requests for the reindex of a server, one at a time. Any thread may ask."""

    def __init__(self, workspace: Workspace, scheduler: Scheduler, work: ReindexWork) -> None:
        """`scheduler` runs `work`."""
        self._workspace = workspace
        self._scheduler = scheduler
        self._work = work
        self._lock = threading.Lock()

    def start(self, *, provider: str | None = None, model: str | None = None) -> None:
        """Begin in the background; the request is kept until it has ended.

        Raises BusyError while one is running, here or elsewhere, ForbiddenError for a model that a
        request may not choose, and what choosing a model raises.
        """
        self._check_allowed(provider, model)
        require_consent(self._workspace, provider=provider, model=model)
        choose_target(self._workspace, provider=provider, model=model)
        database = self._workspace.storage.database
        with self._lock:
            holder = running_reindex(database, self._workspace.path)
            if running_work(UPGRADE_LOCK, database, self._workspace.path):
                holder = None  # which gives way
            if holder or self._is_at_work():
                raise BusyError(
                    f"a reindex is running already: {holder or 'it is just beginning'}",
                    hint="see how far it is: GET /memory/reindex",
                )
            with database.transaction() as tx:
                write_meta(tx, REINDEX_WANTED, {"provider": provider, "model": model})
            self._scheduler.trigger(REINDEX.name)

    def cost(self, *, provider: str | None = None, model: str | None = None) -> EmbeddingCost:
        """The cost; starts nothing. Raises as `start` does, except BusyError."""
        self._check_allowed(provider, model)
        require_consent(self._workspace, provider=provider, model=model)
        return reindex_cost(self._workspace, provider=provider, model=model)

    def status(self) -> ReindexStatus:
        """The spaces, who is running a reindex, and how far this process's own reindex is.

        One that was requested here is running from then on, though it may not hold the lock yet.
        """
        here = "a thread of this process" if self._is_at_work() else None
        found = reindex_status(self._workspace)
        failed = None if here else self._last_error()
        return replace(
            found,
            running=found.running or here,
            progress=self._work.progress,
            last_error=failed,
        )

    def _is_at_work(self) -> bool:
        """Return whether a request runs or waits here; looking for requests does not count."""
        if self._scheduler.is_running(REINDEX.name):
            return True
        is_elsewhere = not self._scheduler.has(REINDEX.name)  # another worker of the server
        return (is_elsewhere or self._scheduler.is_busy(REINDEX.name)) and self._work.is_due()

    def _last_error(self) -> str | None:
        if self._scheduler.has(REINDEX.name):
            last = self._scheduler.last(REINDEX.name)
            return str(last.error) if last and last.kind == "failed" else None
        run = read_last_run(self._workspace.storage.database, REINDEX.name)
        return f"{run.message} ({run.hint})" if run and run.outcome == "failed" else None

    def _may_use(self, space: Space) -> bool:
        return model_for(self._workspace, space).refusal is None

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
        known = {space.provider for space in spaces if self._may_use(space)}
        allowed = {*LOCAL_PROVIDERS, embeddings.provider, embeddings.fallback_provider, *known}
        if provider is not None and provider not in allowed:
            raise ForbiddenError(
                f"the server's configuration does not name the provider {provider!r}, which may "
                "send text to another service",
                hint="name it there, memory.embeddings.provider, or type mem reindex --provider",
            )
        active = self._workspace.storage.active_space()
        chosen = configured_model(active, embeddings, provider=provider).name
        models = {embeddings.model_of(chosen), DEFAULT_MODELS.get(chosen)}
        models |= {item.model for item in spaces if item.provider == chosen and self._may_use(item)}
        if chosen in DOWNLOADING_PROVIDERS and model is not None and model not in models:
            raise ForbiddenError(
                f"the server's configuration does not name the model {model!r}, which may have to "
                "be downloaded",
                hint="name it there, memory.embeddings.model, or type mem reindex --model",
            )
