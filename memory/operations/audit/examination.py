"""The audit of a memory; it reads one snapshot and writes nothing."""

import time
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from contracts import InputError, did_you_mean
from memory.operations.audit import ageing, secrets
from memory.operations.audit.duplicates import contradictions, duplicates
from memory.operations.audit.sources import echoes, sources_of, without_source
from memory.operations.audit.unconfirmed import unconfirmed
from memory.operations.audit.values import (
    KINDS,
    MOST_FINDINGS,
    AuditFinding,
    AuditReport,
    Entry,
    Kind,
    excerpt,
)
from memory.storage import Database
from memory.workspace import Workspace

STALE_DAYS: Final = 365.0
"""The days after which a memory that was said only once is stale."""

_ENTRIES_SQL: Final = """
SELECT id, content, words, slot, value, hits, importance, tags_json, origin, occurred_at,
    created_at, last_seen_at
FROM memories WHERE status = 'active' AND words <> ' ' ORDER BY id
"""
_COUNTS: Final = {
    "memories": "SELECT count(*) FROM memories",
    "turns": "SELECT count(*) FROM turns",
}
_CHUNKS_SQL: Final = "SELECT count(*) FROM chunks WHERE source IN ('file', 'text')"


def audit(
    workspace: Workspace,
    *,
    kinds: Collection[str] = (),
    files: bool = False,
    limit: int = MOST_FINDINGS,
    now: datetime | None = None,
) -> AuditReport:
    """Look for memories that need review; at most `limit` findings of each kind are listed.

    `kinds` selects the kinds of findings, `files` also looks for secrets in files and texts.
    """
    started = time.monotonic()
    wanted = _checked(kinds, limit)
    database = workspace.storage.database
    counts: Counter[Kind] = Counter()
    kept: dict[Kind, list[AuditFinding]] = {kind: [] for kind in wanted}
    with database.snapshot():
        for finding in _found(workspace, wanted, files=files, now=now or datetime.now(UTC)):
            counts[finding.kind] += 1
            if len(kept[finding.kind]) < limit:
                kept[finding.kind].append(finding)
        examined = _COUNTS | ({"chunks": _CHUNKS_SQL} if files else {})
        sizes = {name: int(database.read(sql)[0][0]) for name, sql in examined.items()}
    return AuditReport(
        clean=not counts,
        counts={kind: counts[kind] for kind in wanted},
        findings=[
            replace(finding, excerpt=excerpt(finding.excerpt))
            for kind in wanted
            for finding in kept[kind]
        ],
        examined=sizes,
        seconds=round(time.monotonic() - started, 3),
    )


def _checked(kinds: Collection[str], limit: int) -> list[Kind]:
    if not 0 <= limit <= 1_000_000:
        raise InputError(f"the limit is {limit}", hint="give a number from 0 to 1000000")
    for kind in kinds:
        if kind not in KINDS:
            raise InputError(f"there is no kind {kind!r}", hint=did_you_mean(kind, KINDS))
    return [kind for kind in KINDS if kind in kinds or not kinds]


def _found(
    workspace: Workspace, kinds: Collection[Kind], *, files: bool, now: datetime
) -> Iterator[AuditFinding]:
    """Return all findings of these kinds."""
    database = workspace.storage.database
    if "secret" in kinds:
        yield from secrets.in_memories(database)
        yield from secrets.in_turns(database)
        yield from secrets.in_records(workspace)
        if files:
            yield from secrets.in_files(database)
    entries = _entries(database) if set(kinds) - {"secret", "unconfirmed"} else []
    if "contradiction" in kinds:
        yield from contradictions(entries)
    if "unconfirmed" in kinds:
        yield from unconfirmed(database)
    if "duplicate" in kinds:
        yield from duplicates(entries, workspace.config.extractor)
    if {"echo", "stale"} & set(kinds):
        sources = sources_of(database)
        found = [*echoes(entries, sources, database)] if "echo" in kinds else []
        found += [*without_source(entries, sources)] if "stale" in kinds else []
        yield from found
    if "stale" in kinds:
        yield from ageing.past_plans(entries, now=now)
    quiet_days = workspace.config.mid.demote_age_days
    for finding in ageing.forgotten(entries, now=now, stale_days=STALE_DAYS, quiet_days=quiet_days):
        if finding.kind in kinds:
            yield finding


def _entries(database: Database) -> list[Entry]:
    return [Entry(*row) for row in database.read(_ENTRIES_SQL)]
