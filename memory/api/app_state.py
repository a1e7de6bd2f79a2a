"""The state that every route uses: the open database, access rules, background jobs, shutdown."""

import sys
import traceback
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from threading import BoundedSemaphore, Event
from typing import Final, cast

from anyio import CapacityLimiter
from starlette.requests import Request

from contracts import MemError, UnavailableError
from memory.api.auth import Access
from memory.api.limits.bodies import SCANS
from memory.api.limits.bounded_calls import BoundedCalls
from memory.api.limits.notices import Notices
from memory.api.limits.streams import Streams
from memory.api.workers.leadership import JobLeadership
from memory.index.embedding.active_model import ActiveModels
from memory.index.spaces.pausing import open_requests_of
from memory.operations.jobs.extraction import ExtractionWork
from memory.operations.jobs.job import Job, JobOutcome
from memory.operations.jobs.registry import (
    COMPLETION,
    DECAY,
    FSRS,
    GC,
    REINDEX,
    RETENTION,
    SEGMENTATION,
    SEMANTIC,
    TENANTS,
    VECTORS,
    open_work,
)
from memory.operations.jobs.reindexing import ReindexRequests, ReindexWork
from memory.operations.jobs.scheduler import Scheduler
from memory.operations.jobs.vectors import BEGINS_AFTER_S, UpgradeWork
from memory.operations.jobs.watching import CaptureWork, WatchWork, telling_of_vectors
from memory.operations.tenants.credentials import Credentials
from memory.operations.tenants.managing import is_dropped
from memory.retrieval.server_caches import start_server_caches
from memory.storage.capabilities.tenants import Tenant
from memory.storage.opening import open_tenant
from memory.values.reports import SyncProgress, WatchBatch, WatchTrouble
from memory.workspace import Workspace

TENANT_JOBS: Final = 4
"""The most jobs of tenants at the same time."""

DAMAGE_WAIT_S: Final = 10.0
"""The time to look for damaged values, which reads every row."""

_WITHOUT_A_PERIOD: Final = (COMPLETION, VECTORS, SEGMENTATION, SEMANTIC)
"""The jobs that run when something waits for them."""


class ServerLimits:
    """The limits of a server over all memories that it answers from."""

    @cached_property
    def notices(self) -> Notices:
        """The log's lines about clients that were turned away."""
        return Notices(say)

    @cached_property
    def streams(self) -> Streams:
        """The streams of changes of this server."""
        return Streams()

    @cached_property
    def scans(self) -> CapacityLimiter:
        """The threads for requests that scan folders, apart from those for all others."""
        return CapacityLimiter(SCANS)

    @cached_property
    def health_calls(self) -> BoundedCalls:
        """The questions to the database about its health."""
        return BoundedCalls(SCANS)

    @cached_property
    def tenant_jobs(self) -> BoundedSemaphore:
        """The jobs of tenants that run at the same time; each may hold a connection of its own."""
        return BoundedSemaphore(TENANT_JOBS)


@dataclass(frozen=True)
class AppState:
    """The state of one memory of a server: its own, or that of a tenant.

    `stopping` is set when the server is asked to end.
    """

    workspace: Workspace
    access: Access
    credentials: Credentials
    tenant: Tenant | None = None
    limits: ServerLimits = field(default_factory=ServerLimits)
    stopping: Event = field(default_factory=Event)

    def of_tenant(self, tenant: Tenant) -> "AppState":
        """Open a tenant's memory under the limits of this server."""
        storage = open_tenant(self.workspace.storage, tenant)
        workspace = Workspace(self.workspace.loaded.of_tenant(tenant.schema), storage=storage)
        workspace.wait_s = self.workspace.wait_s
        workspace.put(open_requests_of(self.workspace))
        workspace.put(self.workspace.component(ActiveModels, ActiveModels))  # loaded once
        start_server_caches(workspace)
        return replace(self, workspace=workspace, tenant=tenant)

    @cached_property
    def scheduler(self) -> Scheduler:
        """The scheduler of this memory."""
        slots = None if self.tenant is None else self.limits.tenant_jobs
        scheduler = Scheduler(self.workspace, tell=self._say_failure, slots=slots)
        self.workspace.put(scheduler)
        return scheduler

    @cached_property
    def reindexing(self) -> ReindexWork:
        """The reindex of this server."""
        return ReindexWork(self.workspace)

    @cached_property
    def reindex(self) -> ReindexRequests:
        """Requests for a reindex."""
        return ReindexRequests(self.workspace, self.scheduler, self.reindexing)

    @cached_property
    def watching(self) -> WatchWork:
        """The watcher of this server."""
        report = telling_of_vectors(self.scheduler, say_trouble)
        return WatchWork(self.workspace, report=report)

    @property
    def leadership(self) -> JobLeadership | None:
        """The lease of the jobs that the workers of a server share; None without other workers."""
        return self.workspace.find(JobLeadership)

    def start_answering(self) -> None:
        """Begin the work that requests ask for."""
        if self.leadership is None:
            self._start_requested()

    def start_upkeep(self) -> None:
        """Begin the work that nobody asks for, once the server answers."""
        if self.leadership is None:
            self._start_unrequested()

    def start_tenant(self) -> None:
        """Begin what waits in a tenant's memory and what its requests ask for.

        The periodic jobs of tenants are those of `memory.operations.tenants.jobs_of_tenants`.
        """
        self._start_requested()
        self.scheduler.start(*(open_work(job, self.workspace) for job in _WITHOUT_A_PERIOD))

    def lead(self, leadership: JobLeadership) -> bool:
        """Begin all jobs once no other worker holds them; look for requests that others took.

        Counts are written down: the others answer with them, too. Return False when another worker
        has got the jobs that run here.
        """
        self.workspace.counters.flush()
        has_led = leadership.is_held
        if not leadership.take():
            return not has_led
        if has_led:
            self.scheduler.trigger(REINDEX.name)
        else:
            self._start_requested()
            self._start_unrequested()
        return True

    def _start_requested(self) -> None:
        self.scheduler.start(self.reindexing, ExtractionWork(self.workspace))

    def _start_unrequested(self) -> None:
        jobs = (*_WITHOUT_A_PERIOD, DECAY, RETENTION, GC, FSRS, TENANTS)
        others = [open_work(job, self.workspace) for job in jobs]
        upgrade = UpgradeWork(self.workspace, after_s=BEGINS_AFTER_S)
        capture = CaptureWork(self.workspace, report=say_trouble)
        self.scheduler.start(self.watching, capture, upgrade, *others)

    def _say_failure(self, job: Job, outcome: JobOutcome, pause_s: float) -> None:
        """Print the failure of a job, unless its tenant has just been dropped."""
        with suppress(MemError):
            if self.tenant is not None and is_dropped(self.workspace, self.tenant):
                return
        whose = f"tenant {self.tenant.name}: " if self.tenant else ""
        again = f"tried again in {pause_s:.0f} s"
        say(f"mem serve: {whose}{job.name}: {outcome.message}; {again} ({outcome.hint})")

    async def damage_of(self, error: Exception) -> MemError | None:
        """Return the damage of the database that explains an unexpected error, if it is found.

        The error is printed, since the answer does not tell of it.
        """
        try:
            damage: MemError | None = await self.limits.health_calls.call(
                lambda: self.workspace.damage_of(error), wait_s=DAMAGE_WAIT_S
            )
        except MemError as found:
            damage = found
        except TimeoutError:
            return None
        if damage is not None:
            say("".join(traceback.format_exception(error)).rstrip())
        return damage

    def raise_if_stopping(self, _progress: SyncProgress) -> None:
        """End a sync between two files when the server stops; the next sync completes it."""
        if self.stopping.is_set():
            raise UnavailableError(
                "the server is stopping, and the sync with it",
                hint="sync again when the server is back; what is done stays done",
            )


def say(line: str) -> None:
    """Print one line to stderr, at once."""
    sys.stderr.write(line + "\n")
    sys.stderr.flush()


def say_trouble(noted: WatchBatch | WatchTrouble) -> None:
    """Print problems of the watcher; its successes are not printed."""
    if isinstance(noted, WatchTrouble):
        again = f"tried again in {noted.retry_in_s:.0f} s"
        say(f"mem serve: watching: {noted.message}; {again} ({noted.hint})")


def state_of(request: Request) -> AppState:
    """Return the state of the memory that this request is for, as its token says."""
    return cast(AppState, request.state.app_state)
