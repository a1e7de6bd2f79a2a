"""The job that removes what is kept for a limited time."""

from contextlib import suppress
from threading import Event

from contracts import MemError
from memory.conversations.pipeline import extract_unprocessed
from memory.conversations.retention import remove_expired
from memory.conversations.retention_status import note_retention
from memory.operations.jobs.job import JobOutcome, Work
from memory.operations.jobs.registry import RETENTION


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
