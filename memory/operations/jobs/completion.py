"""The job that completes rows which other programs inserted."""

from threading import Event

from memory.operations.inserted_records import complete_inserted, has_inserted
from memory.operations.jobs.job import JobOutcome, Work
from memory.operations.jobs.registry import COMPLETION


class CompletionWork(Work):
    """Completes rows that were inserted by SQL; stops between two transactions."""

    job = COMPLETION

    def is_due(self) -> bool:
        return has_inserted(self.workspace)

    def run(self, stopping: Event) -> JobOutcome:
        done = complete_inserted(self.workspace, is_ended=stopping.is_set)
        counts = {name: number for name, number in done.items() if number}
        told = ", ".join(f"{name}: {number:,}" for name, number in counts.items())
        return JobOutcome(f"completed: {told or 'nothing'}")
