"""The state that every route uses: the open database, access rules, background jobs, shutdown."""

import sys
from dataclasses import dataclass, field
from functools import cached_property
from threading import Event
from typing import cast

from starlette.requests import Request

from contracts import UnavailableError
from memory.api.auth import Access
from memory.operations.jobs.extraction_job import EnrichmentJob
from memory.operations.jobs.reindex_job import ReindexJob
from memory.operations.jobs.retention_job import RetentionJob
from memory.operations.jobs.watch_job import WatchJob
from memory.values.reports import SyncProgress, WatchBatch, WatchTrouble
from memory.workspace import Workspace


@dataclass(frozen=True)
class Served:
    """The state of one application; `stopping` is set when the server is asked to end."""

    workspace: Workspace
    access: Access
    stopping: Event = field(default_factory=Event)

    @cached_property
    def reindex(self) -> ReindexJob:
        """The reindex of this server."""
        return ReindexJob(self.workspace)

    @cached_property
    def watch(self) -> WatchJob:
        """The watcher of this server."""
        return WatchJob(self.workspace, report=say_trouble)

    @cached_property
    def enriching(self) -> EnrichmentJob:
        """Return the server's background extraction by a language model."""
        return EnrichmentJob(self.workspace, tell=say_model_trouble)

    @cached_property
    def retention(self) -> RetentionJob:
        """Return the server's background removal after the retention time."""
        return RetentionJob(
            self.workspace, report=lambda error: say(f"mem serve: retention: {error}")
        )

    def go_on(self, _progress: SyncProgress) -> None:
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


def say_model_trouble(error: str, hint: str, pause_s: float) -> None:
    """Print problems of the language model."""
    say(f"mem serve: extraction: {error}; tried again in {pause_s:.0f} s ({hint})")


def served(request: Request) -> Served:
    """Return the state of the application that received this request."""
    return cast(Served, request.app.state.served)
