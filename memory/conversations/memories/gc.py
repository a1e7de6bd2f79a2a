"""Garbage collection of memories: rescore them, promote strong ones, remove faded ones.

Everything is decided first (`decide`) and carried out in short transactions, so that a server can
answer meanwhile. A memory that changed since its decision waits for the next run. Each promotion,
archiving or deletion leaves a row in the action log, with its score and age.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from statistics import fmean
from typing import Final, TypeAlias

from memory.conversations.memories.gc_policy import (
    COLUMNS,
    GcCandidate,
    GcDecision,
    GcOutcome,
    Policy,
    decide,
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
    action: GcOutcome
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
    workspace: Workspace,
    *,
    dry_run: bool = False,
    progress: Progress | None = None,
    is_ended: Callable[[], bool] = lambda: False,
) -> Collected:
    """Judge every memory, and carry out the decisions unless it is a dry run.

    `is_ended` stops it between two transactions; the next run does the rest.
    """
    database = workspace.storage.database
    decisions = decide(gc_candidates(database), policy_of(workspace))
    if dry_run:
        return _collected(decisions, judged=len(decisions))
    done: list[GcDecision] = []
    for start in range(0, len(decisions), WRITTEN_AT_ONCE):
        if is_ended():
            break
        batch = decisions[start : start + WRITTEN_AT_ONCE]
        done += carry_out(workspace, batch)
        if progress is not None:
            progress(start + len(batch), len(decisions))
    return _collected(done, judged=len(decisions))


def policy_of(workspace: Workspace) -> Policy:
    """Return the settings and the time that decide now."""
    config = workspace.config
    return Policy(config.mid, weights_of(config.scoring), datetime.now(UTC))


def gc_candidates(database: Database) -> Iterator[GcCandidate]:
    """Return every memory that is not archived, by id; in pages, so that no read lasts long."""
    after = 0
    while rows := database.read(_PAGE_SQL, {"after": after, "limit": READ_AT_ONCE}):
        yield from map(GcCandidate._make, rows)
        after = rows[-1][0]


def carry_out(workspace: Workspace, decisions: Sequence[GcDecision]) -> list[GcDecision]:
    """Carry out decisions on memories that are unchanged since, and return those decisions.

    Removed text is overwritten on the disk.
    """
    span = {"first": decisions[0].candidate.id, "last": decisions[-1].candidate.id}
    database = workspace.storage.database
    with database.erasing(), database.transaction() as tx:
        present = {row[0]: GcCandidate._make(row) for row in tx.run(_BETWEEN_SQL, span)}
        valid = [
            decision
            for decision in decisions
            if present.get(decision.candidate.id) == decision.candidate
        ]
        kept = [decision for decision in valid if decision.outcome == "kept"]
        tx.run_many(_SCORE_SQL, ({"id": one.candidate.id, "score": one.score} for one in kept))
        if len(kept) < len(valid):
            writer = MemoryWriter(workspace, tx, RecordVectors())
            log = ActionLog(tx, "gc")
            changed = [decision for decision in valid if decision.outcome != "kept"]
            memories = writer.store.get_many(decision.candidate.id for decision in changed)
            for decision in changed:
                _change(writer, log, memories[decision.candidate.id], decision)
            writer.finish()
    return valid


def _change(writer: MemoryWriter, log: ActionLog, memory: Memory, decision: GcDecision) -> None:
    if decision.outcome == "kept":
        return
    if decision.outcome == "promoted":
        writer.update(replace(memory, layer="long"))
    elif decision.outcome == "archived":
        writer.update(replace(memory, status="archived"), same_text=False)
    else:
        writer.remove(memory)
    numbers = {"score": round(decision.score, 6), "age_days": round(decision.age_days, 3)}
    log.note(memory.id, decision.outcome, decision.reason, **numbers, hits=memory.hits)


def _collected(decisions: Sequence[GcDecision], *, judged: int) -> Collected:
    counts = Counter(decision.outcome for decision in decisions)
    active = [decision for decision in decisions if decision.outcome in ("kept", "promoted")]
    gone = [decision for decision in decisions if decision.outcome in ("archived", "deleted")]
    return Collected(
        examined=judged,
        promoted=counts["promoted"],
        archived=counts["archived"],
        deleted=counts["deleted"],
        changed_meanwhile=judged - len(decisions),
        averages=averages_of(active),
        removed=tuple(map(_removal, gone[:MOST_LISTED])),
        removed_more=max(0, len(gone) - MOST_LISTED),
    )


def averages_of(active: Sequence[GcDecision]) -> Averages:
    """Return the mean score and age of these memories."""
    if not active:
        return Averages(None, None)
    return Averages(fmean(one.score for one in active), fmean(one.age_days for one in active))


def _removal(decision: GcDecision) -> Removal:
    return Removal(
        decision.candidate.id, decision.outcome, decision.reason, decision.score, decision.age_days
    )
