"""Removal of records, of everything derived from them alone, and of their bytes on the disk.

Rows are deleted with SQLite's secure delete, the keyword index is merged again and the write-ahead
log emptied: without any one of these, words remain in the files. Synced files and backups are not
removed by this program; both are named.
"""

import glob
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from contracts import Scope
from memory.conversations.memories.store import MemoryStore
from memory.conversations.turns.removing import remove_turns
from memory.conversations.turns.store import TurnStore
from memory.conversations.turns.values import Turn
from memory.index.document_store import documents_of
from memory.index.record_chunks import remove_record
from memory.operations.forget.selection import choose, made_of_nothing_else
from memory.operations.forget.traces import Traces, traces_of
from memory.operations.forget.values import Check, Chosen, ForgetReport, ForgetRequest, Forgotten
from memory.operations.forget.verification import verify
from memory.retrieval.acceleration import acceleration_of
from memory.retrieval.searching import search
from memory.storage import Transaction
from memory.storage.action_log import ActionLog
from memory.storage.pending_purge import owe_purge, purge_owed
from memory.values.citations import cite_memory, cite_text, cite_turn
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
    store = TurnStore(workspace.storage.database)
    kept = [] if request.with_sources else _kept(workspace, chosen)
    if dry_run:
        derived = made_of_nothing_else(workspace, chosen)
        forgotten = _listed(chosen, derived, store.many(chosen.turns))
        return ForgetReport(forgotten, ok=True, dry_run=True, seconds=_since(started), kept=kept)
    with workspace.storage.database.erasing():
        with workspace.storage.database.transaction() as tx:
            # Under the lock, or a turn with the same text could arrive in between.
            derived = made_of_nothing_else(workspace, chosen)
            turns = store.many(chosen.turns)
            forgotten = _listed(chosen, derived, turns)
            going = chosen._replace(memories=chosen.memories | derived)
            traces = traces_of(workspace, going, turns)
            _remove(workspace, tx, going, turns)
            if store.end_sessions(tx, chosen.sessions) or forgotten:
                owe_purge(tx)
        emptied = purge_owed(workspace.storage)
    if process := acceleration_of(workspace):
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


def _listed(chosen: Chosen, derived: Iterable[int], turns: Iterable[Turn]) -> list[Forgotten]:
    found = [Forgotten("turn", str(turn.id), _cite(turn), "chosen") for turn in turns]
    found += [
        Forgotten("memory", str(key), cite_memory(key), "chosen") for key in sorted(chosen.memories)
    ]
    found += [Forgotten("memory", str(key), cite_memory(key), "source") for key in sorted(derived)]
    found += [Forgotten("text", key, cite_text(key), "chosen") for key in sorted(chosen.texts)]
    return found


def _kept(workspace: Workspace, chosen: Chosen) -> list[str]:
    """Return the citations of the source turns of chosen memories that stay."""
    store = MemoryStore(workspace.storage)
    ids = {link.turn_id for key in chosen.memories for link in store.links(key)} - chosen.turns
    turns = TurnStore(workspace.storage.database).many(ids)
    return [_cite(turn) for turn in turns]


def _cite(turn: Turn) -> str:
    return cite_turn(turn.session_id, turn.id, turn.ts)


def _remove(workspace: Workspace, tx: Transaction, chosen: Chosen, turns: list[Turn]) -> None:
    store = MemoryStore(workspace.storage)
    for key in sorted(chosen.memories):
        remove_record(workspace, tx, "memory", str(key))
        store.delete(tx, key)
    remove_turns(workspace, tx, turns)
    for text_id in sorted(chosen.texts):
        document = documents_of(workspace).get(text_id)
        if document is not None:
            documents_of(workspace).remove(tx, document)
    logs: list[tuple[str, Iterable[Any]]] = [("memory", chosen.memories), ("turn", chosen.turns)]
    for source, ids in logs:
        log = ActionLog(tx, "user", source=source)
        for key in sorted(ids):
            log.note(key, "forgotten")


def _elsewhere(workspace: Workspace, traces: Traces) -> list[str]:
    """Return the citations of files with the same words; only their owner removes those."""
    found: dict[str, None] = {}
    options = SearchOptions(mode="keyword", scope=Scope(sources=("file",)), max_results=3)
    for phrase in traces.phrases[:MOST_ELSEWHERE]:
        for hit in search(workspace, f'"{phrase}"', options).results:
            if phrase.casefold() in " ".join(hit.text.split()).casefold():
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
