"""Import of a Symbiosis-Memory database: its turns, and its memories with their history.

An active memory is consolidated like any fact: it strengthens a matching memory, and of two that
contradict each other the later one stays. Layer, hits, importance, tags and links come with it; an
archived one stays archived.
"""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from ingest import Candidate
from ingest.histories.values import Omitted
from memory.conversations.memories.comparison.facts import Fact, fact_of
from memory.conversations.memories.consolidation import consolidate
from memory.conversations.memories.store import MemoryStore
from memory.conversations.memories.values import Memory, MemoryLink
from memory.conversations.memories.writing import MemoryWriter
from memory.index.record_chunks import RecordVectors
from memory.operations.exchange.history_import import (
    TURNS_AT_ONCE,
    HistoryCallback,
    HistoryImport,
    HistoryOptions,
)
from memory.operations.exchange.history_reports import HistoryReport
from memory.operations.exchange.symbiosis import FORM, StoredMemory, read_symbiosis
from memory.storage import Transaction, utc_now
from memory.storage.action_log import ActionLog
from memory.workspace import Workspace

IMPORTED: Final = "imported"
"""The key in a memory's metadata that lists the keys of its sources."""

MEMORIES_AT_ONCE: Final = 200
_DEEDS: Final = {True: "create", False: "archive"}


def import_symbiosis(
    workspace: Workspace | None,
    path: Path,
    *,
    dry_run: bool = False,
    progress: HistoryCallback | None = None,
) -> HistoryReport:
    """Store the turns and memories of a database that are not here yet.

    The rules do not process its turns: their facts are among its memories. A dry run needs no
    workspace. Raises what `read_symbiosis` does.
    """
    started = time.monotonic()
    store = read_symbiosis(path)
    options = HistoryOptions(extract=False, dry_run=dry_run)
    importer = HistoryImport(workspace, FORM, file_time=utc_now(), options=options)
    report = importer.report
    ids: dict[str, int] = {}
    for start in range(0, len(store.items), TURNS_AT_ONCE):
        ids |= importer.take(store.items[start : start + TURNS_AT_ONCE])
        if progress is not None:
            progress(report.turns)
    known = set() if workspace is None else _known(workspace)
    fresh = [memory for memory in store.memories if memory.key not in known]
    if workspace is None or dry_run:
        report.memories = dict(Counter(_DEEDS[memory.is_active] for memory in fresh))
    else:
        for start in range(0, len(fresh), MEMORIES_AT_ONCE):
            _take(workspace, fresh[start : start + MEMORIES_AT_ONCE], ids, report)
    importer.finish()
    report.seconds = round(time.monotonic() - started, 3)
    return report


def _known(workspace: Workspace) -> set[str]:
    """Return the keys of earlier imports."""
    return {
        key
        for memory in MemoryStore(workspace.storage).imported(IMPORTED)
        for key in memory.metadata.get(IMPORTED, ())
    }


def _take(
    workspace: Workspace,
    stored: Sequence[StoredMemory],
    ids: Mapping[str, int],
    report: HistoryReport,
) -> None:
    active = [memory for memory in stored if memory.is_active]
    outcomes = consolidate(workspace, [[_fact(memory, ids)] for memory in active], origin="import")
    with workspace.storage.database.transaction() as tx:
        writer = MemoryWriter(workspace, tx, RecordVectors())
        for old, became in zip(active, outcomes, strict=True):
            for outcome in became:
                report.memories[outcome.action] = report.memories.get(outcome.action, 0) + 1
            # Replaced memories follow the memory itself.
            current = writer.store.get(became[0].id or 0) if became else None
            if current is None:
                report.note_omitted(Omitted("broken", old.key, "its turn was removed meanwhile"))
            else:
                _earn(writer, tx, old, current, is_new=became[0].action != "merge")
                _link(writer.store, tx, old, current.id, ids)
        for old in stored:
            if not old.is_active:
                report.memories["archive"] = report.memories.get("archive", 0) + 1
                _archive(writer, tx, old, ids)
        writer.finish()


def _fact(memory: StoredMemory, ids: Mapping[str, int]) -> Fact:
    turn_id = next((ids[key] for key, _ in memory.links if key in ids), None)
    candidate = Candidate(memory.content, importance=memory.importance, tags=memory.tags)
    known = {"format": FORM}
    return fact_of(candidate, said_at=memory.created_at, turn_id=turn_id, metadata=known)


def _earn(
    writer: MemoryWriter, tx: Transaction, old: StoredMemory, current: Memory, *, is_new: bool
) -> None:
    """Transfer the hits, layer, importance and links of the old memory."""
    seen = [at for at in (current.last_seen_at, old.last_seen_at) if at]
    earned = replace(
        current,
        layer="long" if "long" in (old.layer, current.layer) else "mid",
        hits=max(current.hits, old.hits),
        last_seen_at=max(seen, default=None),
        created_at=min(current.created_at, old.created_at),
        metadata={**current.metadata, IMPORTED: [*current.metadata.get(IMPORTED, ()), old.key]},
    )
    written = writer.update(earned)
    if is_new:  # otherwise the next collection computes it
        writer.store.update(tx, replace(written, score=old.score))


def _archive(
    writer: MemoryWriter, tx: Transaction, old: StoredMemory, ids: Mapping[str, int]
) -> None:
    fact = _fact(old, ids)
    made = writer.insert(
        Memory(
            id=0,
            layer=old.layer,
            content=fact.candidate.content,
            created_at=old.created_at,
            last_seen_at=old.last_seen_at,
            hits=old.hits,
            score=old.score,
            importance=old.importance,
            status="archived",
            tags=fact.candidate.tags,
            occurred_at=old.created_at,
            updated_at=writer.now,
            origin="import",
            slot=fact.slot.name if fact.slot and fact.slot.value else None,
            value=fact.slot.value if fact.slot and fact.slot.value else None,
            metadata={"format": FORM, IMPORTED: [old.key]},
        )
    )
    ActionLog(tx, "import").note(made.id, "created")
    _link(writer.store, tx, old, made.id, ids)


def _link(
    store: MemoryStore, tx: Transaction, old: StoredMemory, memory_id: int, ids: Mapping[str, int]
) -> None:
    for key, reason in old.links:
        if key in ids:
            link = MemoryLink(memory_id, ids[key], reason, "", None, None, utc_now())
            store.link(tx, link)
