"""The jobs of limited times: removal of turns and actions, and the moments at which facts fade."""

import time
from collections.abc import Sequence
from contextlib import suppress
from threading import Event
from typing import Any, Final

from contracts import MemError
from memory.conversations.pipeline import extract_unprocessed
from memory.conversations.retention import remove_expired
from memory.conversations.retention_status import note_retention
from memory.index.numbered_records import INDEXED_AT_ONCE, NumberedRecords
from memory.operations.inserted_records import numbered
from memory.operations.jobs.job import JobOutcome, Work
from memory.operations.jobs.registry import DECAY, RETENTION
from memory.records.decay import is_renewal_due, renew_moments
from memory.workspace import Workspace

_EVERY_S: Final = 3600.0


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
    """Computes again from which moment each fact answers no search, indexes records and memories
    that have no chunk, or whose text another program has changed, and removes the chunks of those
    that it has deleted: at the start of a process, every hour, and after a change of settings.

    Facts fade and expire without it: their moments are known when this program writes them. What
    another program writes by SQL is seen by comparing all rows, hence the hour.
    """

    job = DECAY

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._next_s = 0.0

    def is_due(self) -> bool:
        return is_renewal_due(self.workspace) or time.monotonic() >= self._next_s

    def run(self, stopping: Event) -> JobOutcome:
        changed = renew_moments(self.workspace, is_ended=stopping.is_set)
        added, kinds = 0, numbered(self.workspace)
        # What was made of others first: it is not to be made again of those that stay.
        gone = sum(_remove_deleted(kind, stopping) for kind in reversed(kinds))
        for kind in kinds:
            added += _index(kind, kind.changed_elsewhere(), stopping, is_changed=True)
            added += _index(kind, kind.unfound(), stopping)
        if not stopping.is_set():
            self._next_s = time.monotonic() + _EVERY_S
        told = f"facts with another moment: {changed:,}, records indexed: {added:,}"
        return JobOutcome(told + (f", deleted records removed: {gone:,}" if gone else ""))


def _remove_deleted(hooks: NumberedRecords[Any], stopping: Event) -> int:
    """Remove what searches find of records that another program has deleted; return how many."""
    ids, database = hooks.deleted_elsewhere(), hooks.database
    for start in range(0, len(ids), INDEXED_AT_ONCE):
        if stopping.is_set():
            return start
        with database.erasing(), database.transaction() as tx:
            hooks.remove_deleted(tx, ids[start : start + INDEXED_AT_ONCE])
    return len(ids)


def _index(
    hooks: NumberedRecords[Any], ids: Sequence[int], stopping: Event, *, is_changed: bool = False
) -> int:
    """Index records; return how many. It stops between two transactions.

    A later `forget` does not know the former text of those that another program has changed.
    """
    for start in range(0, len(ids), INDEXED_AT_ONCE):
        if stopping.is_set():
            return start
        hooks.index(ids[start : start + INDEXED_AT_ONCE], is_changed=is_changed)
    return len(ids)
