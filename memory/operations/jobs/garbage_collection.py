"""The job that collects memories that have faded; `registry` says when it runs."""

from threading import Event

from memory.conversations.lifecycle import collect_garbage
from memory.operations.jobs.job import JobOutcome, Work
from memory.operations.jobs.registry import GC


class CollectionWork(Work):
    """Does what `mem gc` does."""

    job = GC

    def run(self, stopping: Event) -> JobOutcome:
        counts = collect_garbage(self.workspace, is_ended=stopping.is_set).counts
        return JobOutcome(
            f"memories promoted: {counts.promoted:,}, archived: {counts.archived:,}, "
            f"deleted: {counts.deleted:,}"
        )
