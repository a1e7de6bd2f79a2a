"""Removal of records, of everything derived from them alone, and of their bytes on the disk.

Rows are deleted with SQLite's secure delete, the keyword index is merged again and the write-ahead
log emptied: without any one of these, words remain in the files. Synced files and backups are not
removed by this program; both are named.
"""

import glob
import time
from collections.abc import Collection
from pathlib import Path

from contracts import Scope
from memory.index.record_hooks import hooks_of
from memory.operations.forget.selection import choose, forgettable, made_of_nothing_else
from memory.operations.forget.traces import Traces, traces_of
from memory.operations.forget.values import (
    Check,
    Chosen,
    ForgetReport,
    ForgetRequest,
    Forgotten,
    Why,
)
from memory.operations.forget.verification import verify
from memory.retrieval.searching import search_current
from memory.retrieval.server_caches import server_caches_of
from memory.storage import Transaction
from memory.storage.action_log import ActionLog
from memory.storage.pending_purge import mark_purge_pending, run_pending_purge
from memory.values.text_checks import caseless
from memory.workspace import Workspace
from search import SearchOptions

MOST_ELSEWHERE = 10
"""The most files named because they contain the same text."""


def forget(
    workspace: Workspace,
    request: ForgetRequest,
    *,
    dry_run: bool = False,
    proven: bool = False,
) -> ForgetReport:
    """Remove the records of a request, with memories that only they led to; see ForgetRequest.

    `proven` searches every table, index and byte for remains. Raises what `choose` does, BusyError
    while another process keeps the database.
    """
    started = time.monotonic()
    chosen = choose(workspace, request)
    kept = [] if request.with_sources else _kept(workspace, chosen)
    if dry_run:
        derived = made_of_nothing_else(workspace, chosen)
        forgotten = _listed(workspace, chosen, chosen.joined(derived))
        return ForgetReport(forgotten, ok=True, dry_run=True, seconds=_since(started), kept=kept)
    with workspace.storage.database.erasing():
        with workspace.storage.database.transaction() as tx:
            # Under the lock, or a turn with the same text could arrive in between.
            derived = made_of_nothing_else(workspace, chosen)
            going = chosen.joined(derived)
            forgotten = _listed(workspace, chosen, going)
            traces = traces_of(workspace, going)
            for hooks in forgettable(workspace):
                hooks.stay_forgotten(tx, chosen.of(hooks.kind.name))
            if _remove(workspace, tx, going) or forgotten:
                mark_purge_pending(tx)
        emptied = run_pending_purge(workspace.storage)
    if process := server_caches_of(workspace):
        process.answers.clear()
    warnings = [] if emptied else [_NOT_EMPTIED]
    backups = backups_beside(workspace) if forgotten else []
    if backups:
        warnings.append(
            f"copies beside the database may still have it: {len(backups):,}, such as {backups[0]}"
        )
    checks: list[Check] = verify(workspace, traces) if proven else []
    return ForgetReport(
        forgotten,
        ok=emptied and all(check.ok for check in checks),
        dry_run=False,
        seconds=_since(started),
        kept=kept,
        elsewhere=_elsewhere(workspace, traces) if proven else [],
        checks=checks,
        warnings=warnings,
    )


_COPIES = ("-", ".before-restore-", ".damaged-")
"""The names that `mem backup` and `mem restore` put between the database's name and the time."""

_NOT_EMPTIED = (
    "another process still reads the database as it was, so that its write-ahead log could not be "
    "emptied: forget again, or mem compact, once it is done"
)


def _since(started: float) -> float:
    return round(time.monotonic() - started, 3)


def _listed(workspace: Workspace, chosen: Chosen, going: Chosen) -> list[Forgotten]:
    """Return what goes: of each kind the chosen records, then the derived ones, then the former
    values.
    """
    found = []
    for hooks in forgettable(workspace):
        kind, named = hooks.kind.name, chosen.of(hooks.kind.name)
        ways: tuple[tuple[Why, Collection[str]], ...] = (
            ("chosen", named),
            ("source", going.of(kind) - named),
        )
        for why, ids in ways:
            cited = hooks.cited(ids).items()
            found += [Forgotten(kind, record_id, citation, why) for record_id, citation in cited]
        own = hooks.former({kind: named})
        for number, citation in hooks.former(going.records).items():
            why = "chosen" if number in own else "source"
            found.append(Forgotten(f"former_{kind}", number, citation, why))
    return found


def _kept(workspace: Workspace, chosen: Chosen) -> list[str]:
    """Return the citations of the sources of chosen records that stay."""
    found: list[str] = []
    for hooks in forgettable(workspace):
        for kind, ids in hooks.sources(chosen.of(hooks.kind.name)).items():
            found += hooks_of(workspace, kind).cited({*ids} - chosen.of(kind)).values()
    return found


def _remove(workspace: Workspace, tx: Transaction, chosen: Chosen) -> bool:
    """Remove records, derived ones first; return whether a session without turns was removed."""
    has_ended = False
    for hooks in forgettable(workspace):
        hooks.forget_former(tx, chosen.records)
    for hooks in reversed(forgettable(workspace)):
        ids = chosen.of(hooks.kind.name)
        if ids:
            hooks.remove(tx, ids)
        has_ended = bool(hooks.end_sessions(tx, chosen.sessions)) or has_ended
        if not hooks.kind.is_document:
            log = ActionLog(tx, "user", source=hooks.kind.name)
            for key in sorted(int(each) for each in ids):
                log.note(key, "forgotten")
    return has_ended


def _elsewhere(workspace: Workspace, traces: Traces) -> list[str]:
    """Return the citations of files with the same words; only their owner removes those."""
    found: dict[str, None] = {}
    options = SearchOptions(mode="keyword", scope=Scope(sources=("file",)), max_results=3)
    for phrase in traces.phrases[:MOST_ELSEWHERE]:
        for hit in search_current(workspace, f'"{phrase}"', options).results:
            if caseless(phrase) in caseless(" ".join(hit.text.split())):
                found[hit.citation] = None
    return list(found)


def backups_beside(workspace: Workspace) -> list[Path]:
    """Return the dated copies in the folder of the database; others are unknown."""
    if workspace.path is None:
        return []
    folder, stem = workspace.path.parent, glob.escape(workspace.path.stem)
    return sorted(
        copy for name in _COPIES for copy in folder.glob(f"{stem}{name}[0-9]*T[0-9]*Z.db")
    )
