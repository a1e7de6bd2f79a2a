"""The jobs of limited times: removal of turns and actions, and the moments at which facts fade."""

import time
from contextlib import suppress
from threading import Event
from typing import Any, Final

from contracts import MemError
from memory.conversations.completion import renew_changed
from memory.conversations.pipeline import extract_unprocessed
from memory.conversations.retention import remove_expired
from memory.conversations.retention_status import note_retention
from memory.index.numbered_records import INDEXED_AT_ONCE, NumberedRecords
from memory.index.record_chunks import remove_record
from memory.index.record_hooks import hooks_of
from memory.operations.completion import numbered
from memory.operations.jobs.job import JobOutcome, Work
from memory.operations.jobs.registry import DECAY, RETENTION
from memory.records.decay import is_renewal_due, renew_moments
from memory.records.forms import FORMS
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
        added, gone = renew_changed(self.workspace, is_ended=stopping.is_set), 0
        for form in FORMS:
            hooks = hooks_of(self.workspace, form.kind.name)
            if isinstance(hooks, NumberedRecords):
                _remove_changed(hooks, stopping)
                added += _index_unfound(hooks, stopping)
        for kind in numbered(self.workspace):
            gone += _remove_deleted(kind, stopping)
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


def _remove_changed(hooks: NumberedRecords[Any], stopping: Event) -> None:
    """Remove the chunks of records whose text another program has changed: they are indexed like
    those without one. A later `forget` does not know the former text.
    """
    ids, database = hooks.changed_elsewhere(), hooks.database
    for start in range(0, len(ids), INDEXED_AT_ONCE):
        if stopping.is_set():
            return
        with database.erasing(), database.transaction() as tx:
            for key in ids[start : start + INDEXED_AT_ONCE]:
                remove_record(hooks.workspace, tx, hooks.kind.name, str(key))


def _index_unfound(hooks: NumberedRecords[Any], stopping: Event) -> int:
    """Index the records without a chunk; return how many. It stops between two transactions."""
    ids = hooks.unfound()
    for start in range(0, len(ids), INDEXED_AT_ONCE):
        if stopping.is_set():
            return start
        hooks.index(ids[start : start + INDEXED_AT_ONCE])
    return len(ids)
