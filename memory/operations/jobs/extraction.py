"""The jobs that read turns in the background, so that nobody who writes one waits for it."""

from threading import Event

from contracts import UnavailableError
from memory.conversations.llm_extraction.passes import ModelExtractor
from memory.operations.jobs.job import JobOutcome, Work
from memory.operations.jobs.registry import DISTILLATION, EXTRACTION
from memory.workspace import Workspace


class ExtractionWork(Work):
    """Asks the model about the turns that wait, also about those that other processes wrote.

    An answer that has not come when the scheduler stops is not waited for; its turn still waits.
    """

    job = EXTRACTION

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._enricher = ModelExtractor(workspace)

    def is_due(self) -> bool:
        return self._enricher.is_due()

    def run(self, stopping: Event) -> JobOutcome:
        report = self._enricher.run(should_stop=stopping.is_set)
        if report.error is None:
            return JobOutcome(f"turns read: {report.turns:,}, waiting: {report.waiting:,}")
        error = UnavailableError(report.error, hint=report.hint or "mem status has more")
        return JobOutcome(error=error, retry_in_s=report.retry_in_s)


class DistillationWork(Work):
    """Makes records of new turns; stops between two batches."""

    job = DISTILLATION

    @property
    def every_s(self) -> float:
        return self.workspace.config.distillation.interval_minutes * 60

    @property
    def first_after_s(self) -> float:
        return self.workspace.config.distillation.first_after_minutes * 60

    def is_due(self) -> bool:
        from memory.records.distillation.running import is_due  # a server begins without it

        return is_due(self.workspace)

    def run(self, stopping: Event) -> JobOutcome:
        from memory.records.distillation.running import distil

        done = distil(self.workspace, is_ended=stopping.is_set)
        if done.error is not None:
            error = UnavailableError(done.error, hint=done.hint or "mem status has more")
            return JobOutcome(error=error, retry_in_s=done.retry_in_s)
        return JobOutcome(
            f"turns read: {done.turns:,}, waiting: {done.waiting:,}, records: {len(done.written):,}"
        )
