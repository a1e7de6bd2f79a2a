"""The jobs of limited times: removal of turns and actions, and the moments at which facts fade."""

from contextlib import suppress
from threading import Event

from contracts import MemError
from memory.conversations.pipeline import extract_unprocessed
from memory.conversations.retention import remove_expired
from memory.conversations.retention_status import note_retention
from memory.operations.jobs.job import JobOutcome, Work
from memory.operations.jobs.registry import DECAY, RETENTION
from memory.records.decay import is_renewal_due, renew_moments


class RetentionWork(Work):
    """Removes turns and actions that are due; stops between two transactions."""

    job = RETENTION

    def run(self, stopping: Event) -> JobOutcome:
        try:
            extract_unprocessed(self.workspace)  # while what they look at is still there
            report = remove_expired(self.workspace, is_ended=stopping.is_set)
        except MemError as error:
            if not stopping.is_set():
                with suppress(MemError):  # the first one is reported
                    note_retention(self.workspace.storage.database, error=str(error))
            raise
        return JobOutcome(f"turns removed: {report.turns:,}, actions removed: {report.actions:,}")


class DecayWork(Work):
    """Computes again from which moment each fact answers no search, after a change of settings.

    Facts fade and expire without it: their moments are known when they are written.
    """

    job = DECAY

    def is_due(self) -> bool:
        return is_renewal_due(self.workspace)

    def run(self, stopping: Event) -> JobOutcome:
        changed = renew_moments(self.workspace, is_ended=stopping.is_set)
        return JobOutcome(f"facts with another moment: {changed:,}")
