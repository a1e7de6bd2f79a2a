"""The job that embeds chunks stored without vectors, so that keywords need not wait for a model."""

from collections.abc import Callable
from threading import Event

from contracts import UnavailableError
from memory.index.indexing import IndexingCounts
from memory.index.indexing_settings import embed_missing
from memory.operations.jobs.job import JobOutcome, Work
from memory.operations.jobs.registry import VECTORS
from memory.storage import utc_now
from memory.storage.meta import VECTORS_MISSING, read_meta
from memory.values.reports import SyncStats, WatchBatch
from memory.workspace import Workspace


class VectorsWork(Work):
    """Embeds while chunks lack vectors; `report` is told what was embedded."""

    job = VECTORS

    def __init__(
        self, workspace: Workspace, *, report: Callable[[WatchBatch], object] = lambda _: None
    ) -> None:
        super().__init__(workspace)
        self._report = report

    def is_due(self) -> bool:
        return bool(read_meta(self.workspace.storage.database, VECTORS_MISSING))

    def run(self, stopping: Event) -> JobOutcome:
        counts = embed_missing(self.workspace)
        if counts.warnings:
            hint = "they get their vectors when it is back; mem status says how many lack one"
            raise UnavailableError(counts.warnings[0], hint=hint)
        if (counts.embedded or counts.cached) and not stopping.is_set():
            self._report(WatchBatch(utc_now(), "vectors", 0, _stats(counts)))
        return JobOutcome(f"chunks embedded: {counts.embedded:,}, known already: {counts.cached:,}")


def _stats(counts: IndexingCounts) -> SyncStats:
    return SyncStats(
        embedded=counts.embedded,
        cached=counts.cached,
        refused=counts.refused,
        warnings=counts.all_warnings(),
    )
