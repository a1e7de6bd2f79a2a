"""Garbage collection of memories: rescore them, promote strong ones, remove faded ones.

The fate of each memory is decided first (`fates`) and carried out in short transactions, so that a
server can answer meanwhile. A memory that changed since its decision waits for the next run. Each
promotion, archiving or deletion leaves a row in the action log, with its score and age.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from statistics import fmean
from typing import Final, TypeAlias

from memory.conversations.memories.gc_policy import (
    COLUMNS,
    Fate,
    Outcome,
    Policy,
    Standing,
    fates_of,
    weights_of,
)
from memory.conversations.memories.values import Memory
from memory.conversations.memories.writing import MemoryWriter
from memory.index.record_chunks import RecordVectors
from memory.storage import Database
from memory.storage.action_log import ActionLog
from memory.workspace import Workspace

READ_AT_ONCE: Final = 5000
WRITTEN_AT_ONCE: Final = 200
"""Memories in one transaction."""

MOST_LISTED: Final = 100
"""Memories that a report names one by one."""

_PAGE_SQL = f"""SELECT {COLUMNS} FROM memories
    WHERE id > :after AND status <> 'archived' ORDER BY id LIMIT :limit"""
_BETWEEN_SQL = f"SELECT {COLUMNS} FROM memories WHERE id BETWEEN :first AND :last"
_SCORE_SQL = "UPDATE memories SET score = :score WHERE id = :id"


@dataclass(frozen=True, slots=True)
class Removal:
    """A memory that was or would be archived or deleted, and the reason.

    `code` is `score` (below `mid.delete_below`), `age` (past `mid.demote_age_days`), `capacity`
    (beyond `mid.capacity`) or `status` (marked as deleted before).
    """

    id: int
    action: Outcome
    code: str
    score: float
    age_days: float


@dataclass(frozen=True, slots=True)
class Averages:
    """Means over the active memories; None without any."""

    score: float | None
    age_days: float | None


@dataclass(frozen=True, slots=True)
class Collected:
    """The result of a collection, or of a dry run."""

    examined: int
    promoted: int
    archived: int
    deleted: int
    changed_meanwhile: int
    averages: Averages
    removed: tuple[Removal, ...]
    removed_more: int


Progress: TypeAlias = Callable[[int, int], None]
"""Receives the number of memories done, and their total."""


def collect(
    workspace: Workspace, *, dry_run: bool = False, progress: Progress | None = None
) -> Collected:
    """Judge every memory, and carry out the decisions unless it is a dry run."""
    database = workspace.storage.database
    fates = fates_of(standings(database), policy_of(workspace))
    if dry_run:
        return _collected(fates, judged=len(fates))
    done: list[Fate] = []
    for start in range(0, len(fates), WRITTEN_AT_ONCE):
        batch = fates[start : start + WRITTEN_AT_ONCE]
        done += carry_out(workspace, batch)
        if progress is not None:
            progress(start + len(batch), len(fates))
    return _collected(done, judged=len(fates))


def policy_of(workspace: Workspace) -> Policy:
    """Return the settings and the time that decide now."""
    config = workspace.config
    return Policy(config.mid, weights_of(config.scoring), datetime.now(UTC))


def standings(database: Database) -> Iterator[Standing]:
    """Return every memory that is not archived, by id; in pages, so that no read lasts long."""
    after = 0
    while rows := database.read(_PAGE_SQL, {"after": after, "limit": READ_AT_ONCE}):
        yield from map(Standing._make, rows)
        after = rows[-1][0]


def carry_out(workspace: Workspace, fates: Sequence[Fate]) -> list[Fate]:
    """Carry out decisions on memories that are unchanged since, and return those decisions.

    Removed text is overwritten on the disk.
    """
    span = {"first": fates[0].standing.id, "last": fates[-1].standing.id}
    database = workspace.storage.database
    with database.erasing(), database.transaction() as tx:
        present = {row[0]: Standing._make(row) for row in tx.run(_BETWEEN_SQL, span)}
        valid = [fate for fate in fates if present.get(fate.standing.id) == fate.standing]
        kept = [fate for fate in valid if fate.outcome == "kept"]
        tx.run_many(_SCORE_SQL, ({"id": one.standing.id, "score": one.score} for one in kept))
        if len(kept) < len(valid):
            writer = MemoryWriter(workspace, tx, RecordVectors())
            log = ActionLog(tx, "gc")
            changed = [fate for fate in valid if fate.outcome != "kept"]
            memories = writer.store.get_many(fate.standing.id for fate in changed)
            for fate in changed:
                _change(writer, log, memories[fate.standing.id], fate)
            writer.finish()
    return valid


def _change(writer: MemoryWriter, log: ActionLog, memory: Memory, fate: Fate) -> None:
    if fate.outcome == "kept":
        return
    if fate.outcome == "promoted":
        writer.update(replace(memory, layer="long"))
    elif fate.outcome == "archived":
        writer.update(replace(memory, status="archived"), same_text=False)
    else:
        writer.remove(memory)
    numbers = {"score": round(fate.score, 6), "age_days": round(fate.age_days, 3)}
    log.note(memory.id, fate.outcome, fate.reason, **numbers, hits=memory.hits)


def _collected(fates: Sequence[Fate], *, judged: int) -> Collected:
    counts = Counter(fate.outcome for fate in fates)
    active = [fate for fate in fates if fate.outcome in ("kept", "promoted")]
    gone = [fate for fate in fates if fate.outcome in ("archived", "deleted")]
    return Collected(
        examined=judged,
        promoted=counts["promoted"],
        archived=counts["archived"],
        deleted=counts["deleted"],
        changed_meanwhile=judged - len(fates),
        averages=averages_of(active),
        removed=tuple(map(_removal, gone[:MOST_LISTED])),
        removed_more=max(0, len(gone) - MOST_LISTED),
    )


def averages_of(active: Sequence[Fate]) -> Averages:
    """Return the mean score and age of these memories."""
    if not active:
        return Averages(None, None)
    return Averages(fmean(one.score for one in active), fmean(one.age_days for one in active))


def _removal(fate: Fate) -> Removal:
    return Removal(fate.standing.id, fate.outcome, fate.reason, fate.score, fate.age_days)
