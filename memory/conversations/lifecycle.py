"""Garbage collection of memories and turns, and statistics of memories."""

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

from memory.conversations.extraction_metrics import extraction_metrics
from memory.conversations.memories.gc import (
    Averages,
    Progress,
    Removal,
    averages_of,
    collect,
    gc_candidates,
    policy_of,
)
from memory.conversations.memories.gc_policy import decide
from memory.conversations.pipeline import extract_unprocessed
from memory.conversations.retention import RetentionReport, remove_expired
from memory.index.missing_extras import missing_extras
from memory.storage import Database, utc_now
from memory.storage.meta import LAST_GC, read_meta, write_meta
from memory.storage.process_locks import work_lock
from memory.values.status_reports import ExtractionMetrics
from memory.workspace import Workspace

_COUNTS_SQL = """SELECT action, count(*) FROM actions
    WHERE source = 'memory' AND at > :after AND at <= :until GROUP BY action"""
_SINCE_SQL = "SELECT min(at) FROM actions WHERE source = 'memory'"
_SIZES_SQL = "SELECT layer, status, count(*) FROM memories GROUP BY layer, status"
_TURNS_SQL = "SELECT count(*) FROM turns"
_SESSIONS_SQL = "SELECT count(*) FROM sessions"


@dataclass(frozen=True, slots=True)
class GcCounts:
    """The numbers of memories created, promoted, archived and deleted."""

    created: int = 0
    promoted: int = 0
    archived: int = 0
    deleted: int = 0


@dataclass(frozen=True, slots=True)
class GcReport:
    """The result of a collection, or of a dry run.

    `counts.created` are the memories created since the previous collection, the other counts are
    this one's. `averages` are those of the memories that are active after it, `extraction` the
    metrics of memory extraction. `removed` names memories that were archived or deleted, the first
    hundred; `removed_more` counts the rest. `changed_meanwhile` were strengthened or edited while
    it ran, and wait for the next collection. `mined` turns had not been searched for facts before.
    `retention` reports what was removed after its retention time, see
    `memory.conversations.retention`. `errors` name configured models whose extra is not installed,
    with the command that installs it.
    """

    dry_run: bool
    at: str
    seconds: float
    examined: int
    counts: GcCounts
    averages: Averages
    extraction: ExtractionMetrics
    removed: tuple[Removal, ...]
    removed_more: int
    changed_meanwhile: int
    mined: int
    retention: RetentionReport
    errors: list[str]


@dataclass(frozen=True, slots=True)
class LayerSizes:
    """The numbers of memories: active ones by layer, and inactive ones."""

    mid: int = 0
    long: int = 0
    archived: int = 0
    deleted: int = 0


@dataclass(frozen=True, slots=True)
class LastGc:
    """The last collection that was not a dry run."""

    at: str
    seconds: float
    counts: GcCounts


@dataclass(frozen=True, slots=True)
class MemoryStats:
    """The numbers of memories and of actions on them.

    `counts` are those of the action log, which begins at `since`; `averages` are those of the
    currently active memories.
    """

    memories: LayerSizes
    turns: int
    sessions: int
    counts: GcCounts
    since: str | None
    averages: Averages
    extraction: ExtractionMetrics
    last_gc: LastGc | None


def collect_garbage(
    workspace: Workspace,
    *,
    dry_run: bool = False,
    progress: Progress | None = None,
    is_ended: Callable[[], bool] = lambda: False,
) -> GcReport:
    """Score all memories, promote strong ones and remove faded ones; see `gc`.

    Turns that the rules have not processed because of an interruption are processed first. A dry
    run reports the same except for facts in those turns, and changes nothing. `progress` receives
    the memories done, and their total; `is_ended` stops it between two transactions. Raises
    BusyError while another collection runs.
    """
    if dry_run:
        return _collection(workspace, dry_run=True, progress=progress, is_ended=is_ended)
    with work_lock("gc", workspace.storage.database, workspace.path):
        return _collection(workspace, dry_run=False, progress=progress, is_ended=is_ended)


def _collection(
    workspace: Workspace,
    *,
    dry_run: bool,
    progress: Progress | None,
    is_ended: Callable[[], bool],
) -> GcReport:
    started, database = perf_counter(), workspace.storage.database
    mined = 0 if dry_run else extract_unprocessed(workspace)
    retention = remove_expired(workspace, dry_run=dry_run, is_ended=is_ended)
    before, until = read_meta(database, LAST_GC), utc_now()
    created = _counts(database, after=before["until"] if before else "", until=until).created
    done = collect(workspace, dry_run=dry_run, progress=progress, is_ended=is_ended)
    report = GcReport(
        dry_run=dry_run,
        at=utc_now(),
        seconds=round(perf_counter() - started, 3),
        examined=done.examined,
        counts=GcCounts(created, done.promoted, done.archived, done.deleted),
        averages=done.averages,
        extraction=extraction_metrics(workspace),
        removed=done.removed,
        removed_more=done.removed_more,
        changed_meanwhile=done.changed_meanwhile,
        mined=mined,
        retention=retention,
        errors=missing_extras(workspace),
    )
    if not dry_run and not is_ended():
        _note(database, report, until=until)
    return report


def _note(database: Database, report: GcReport, *, until: str) -> None:
    counts = {name: getattr(report.counts, name) for name in GcCounts.__slots__}
    fact = {"at": report.at, "seconds": report.seconds, "counts": counts, "until": until}
    with database.transaction() as tx:
        write_meta(tx, LAST_GC, fact)


def read_stats(workspace: Workspace) -> MemoryStats:
    """Return current sizes, counts and averages."""
    database = workspace.storage.database
    with database.snapshot():
        decisions = decide(gc_candidates(database), policy_of(workspace))
        return MemoryStats(
            memories=_sizes(database),
            turns=database.read(_TURNS_SQL)[0][0],
            sessions=database.read(_SESSIONS_SQL)[0][0],
            counts=_counts(database, after="", until=utc_now()),
            since=database.read(_SINCE_SQL)[0][0],
            averages=averages_of([one for one in decisions if one.candidate.status == "active"]),
            extraction=extraction_metrics(workspace),
            last_gc=_last_gc(database),
        )


def _counts(database: Database, *, after: str, until: str) -> GcCounts:
    found: dict[str, int] = dict(database.read(_COUNTS_SQL, {"after": after, "until": until}))
    return GcCounts(**{name: found.get(name, 0) for name in GcCounts.__slots__})


def _sizes(database: Database) -> LayerSizes:
    sizes = dict.fromkeys(LayerSizes.__slots__, 0)
    for layer, status, number in database.read(_SIZES_SQL):
        sizes[layer if status == "active" else status] += number
    return LayerSizes(**sizes)


def _last_gc(database: Database) -> LastGc | None:
    fact = read_meta(database, LAST_GC)
    return None if fact is None else LastGc(fact["at"], fact["seconds"], GcCounts(**fact["counts"]))
