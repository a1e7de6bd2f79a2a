"""What every route works with: the open database, who may speak, and whether the end has come."""

from dataclasses import dataclass, field
from functools import cached_property
from threading import Event
from typing import cast

from starlette.requests import Request

from contracts import UnavailableError
from memory.api.auth import Access
from memory.reindex_job import ReindexJob
from memory.reports import SyncProgress
from memory.workspace import Workspace


@dataclass(frozen=True)
class Served:
    """One application's state; `stopping` is set when the server is told to end."""

    workspace: Workspace
    access: Access
    stopping: Event = field(default_factory=Event)

    @cached_property
    def reindex(self) -> ReindexJob:
        """The reindex of this server."""
        return ReindexJob(self.workspace)

    def go_on(self, _progress: SyncProgress) -> None:
        """End a sync between two files when the server is to end; the next sync completes it."""
        if self.stopping.is_set():
            raise UnavailableError(
                "the server is stopping, and the sync with it",
                hint="sync again when the server is back; what is done stays done",
            )


def served(request: Request) -> Served:
    """What the application that got this request works with."""
    return cast(Served, request.app.state.served)
