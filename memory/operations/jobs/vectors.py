"""The jobs that embed in the background: chunks without a vector, and all for a better model."""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from threading import Event
from typing import Final

from contracts import UnavailableError
from memory.index.embedding.remote_texts import lacks_vectors
from memory.index.indexing import embed_missing
from memory.index.indexing_counts import IndexingCounts
from memory.index.spaces.pausing import is_anybody_waiting
from memory.index.spaces.separate_model import SeparateProvider
from memory.index.spaces.upgrade import better_model, note_rate, remove_former, upgrade
from memory.index.spaces.upgrade_state import BETTER, is_removal_due, space_to_upgrade
from memory.operations.jobs.job import JobOutcome, Work
from memory.operations.jobs.registry import UPGRADE, VECTORS
from memory.storage import Space, utc_now
from memory.values.reports import SyncStats, WatchBatch
from memory.values.space_reports import ReindexProgress
from memory.workspace import Workspace
from providers import EmbeddingProvider

BEGINS_AFTER_S: Final = 30.0
"""The age of a server or watcher from which it upgrades: at first it has other things to do."""

STEP_S: Final = 5.0
"""The time of a step, which holds the reindex lock; between two steps a user's reindex takes it."""

PATIENCE_S: Final = 1.0
"""The longest pause within a step."""

_LOOK_S: Final = 0.05
_BETWEEN_STEPS_S: Final = 0.1


class _StepEndedError(Exception):
    """A step ends: its time is over, others are waiting for long, or the scheduler stops."""


class VectorsWork(Work):
    """Embeds while chunks lack vectors; `report` is told what was embedded."""

    job = VECTORS

    def __init__(
        self, workspace: Workspace, *, report: Callable[[WatchBatch], object] = lambda _: None
    ) -> None:
        super().__init__(workspace)
        self._report = report

    def is_due(self) -> bool:
        return lacks_vectors(self.workspace)

    def run(self, stopping: Event) -> JobOutcome:
        counts = embed_missing(self.workspace)
        if counts.warnings:
            hint = "they get their vectors when it is back; mem status says how many lack one"
            raise UnavailableError(counts.warnings[0], hint=hint)
        if (counts.embedded or counts.cached) and not stopping.is_set():
            self._report(WatchBatch(utc_now(), "vectors", 0, _stats(counts)))
        return JobOutcome(f"chunks embedded: {counts.embedded:,}, known already: {counts.cached:,}")


class UpgradeWork(Work):
    """Changes a database to the better model in short steps; pauses while others are waiting.

    `after_s` is when it begins, in seconds from now; `now` is the clock for the removal.
    """

    job = UPGRADE

    def __init__(
        self,
        workspace: Workspace,
        *,
        after_s: float = 0.0,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        super().__init__(workspace)
        self._begins_s = time.monotonic() + after_s
        self._now = now
        self._embedded = 0
        self._busy_s = 0.0

    def is_due(self) -> bool:
        if time.monotonic() < self._begins_s:
            return False
        if is_removal_due(self.workspace, self._now()):
            return True
        return space_to_upgrade(self.workspace) is not None

    def run(self, stopping: Event) -> JobOutcome:
        if is_removal_due(self.workspace, self._now()):
            return JobOutcome(f"former spaces removed: {remove_former(self.workspace)}")
        self._embedded, self._busy_s = 0, 0.0
        with SeparateProvider(better_model(self.workspace, threads=1)) as provider:
            while not stopping.is_set() and (space := space_to_upgrade(self.workspace)):
                if is_anybody_waiting(self.workspace):
                    stopping.wait(_LOOK_S)
                elif self._step(space, provider, stopping):
                    return JobOutcome(f"changed to {BETTER}, chunks embedded: {self._embedded:,}")
                else:
                    stopping.wait(_BETWEEN_STEPS_S)
        return JobOutcome(f"stopped between two batches, chunks embedded: {self._embedded:,}")

    def _step(self, space: Space, provider: EmbeddingProvider, stopping: Event) -> bool:
        """Embed for some seconds; return whether the better model answers now."""
        started_s = time.monotonic()
        step = _Step(self.workspace, stopping)
        try:
            report = upgrade(self.workspace, space, provider, pause=step.pause, progress=step.note)
            return report.swapped
        except _StepEndedError:
            return False
        finally:
            self._embedded += step.embedded
            self._busy_s += time.monotonic() - started_s - step.paused_s
            if step.embedded:
                note_rate(self.workspace, self._embedded / self._busy_s)


class _Step:
    """A step of the upgrade: what it embedded, and how long it paused."""

    def __init__(self, workspace: Workspace, stopping: Event) -> None:
        self._workspace = workspace
        self._stopping = stopping
        self._ends_s: float | None = None
        self.embedded = 0
        self.paused_s = 0.0

    def pause(self) -> None:
        """Wait while others are waiting."""
        began_s = now_s = time.monotonic()
        while is_anybody_waiting(self._workspace) and now_s - began_s < PATIENCE_S:
            self._stopping.wait(_LOOK_S)
            now_s = time.monotonic()
        self.paused_s += now_s - began_s
        if self._stopping.is_set() or now_s - began_s >= PATIENCE_S:
            raise _StepEndedError

    def note(self, progress: ReindexProgress) -> None:
        """End the step between two batches, after at least one."""
        self.embedded = progress.embedded
        if self._ends_s is None:
            self._ends_s = time.monotonic() + STEP_S
        elif time.monotonic() > self._ends_s or self._stopping.is_set():
            raise _StepEndedError


def _stats(counts: IndexingCounts) -> SyncStats:
    return SyncStats(
        embedded=counts.embedded,
        cached=counts.cached,
        refused=counts.refused,
        warnings=counts.all_warnings(),
    )
