"""The job that completes turns and memories which other programs inserted."""

from threading import Event

from memory.conversations.completion import complete_inserted, has_inserted
from memory.operations.jobs.job import JobOutcome, Work
from memory.operations.jobs.registry import COMPLETION


class CompletionWork(Work):
    """Completes rows that were inserted by SQL; stops between two transactions."""

    job = COMPLETION

    def is_due(self) -> bool:
        return has_inserted(self.workspace)

    def run(self, stopping: Event) -> JobOutcome:
        done = complete_inserted(self.workspace, is_ended=stopping.is_set)
        return JobOutcome(f"turns completed: {done.turns:,}, memories: {done.memories:,}")
