"""Import of all transcripts of an agent, in the way in which a watcher captures them."""

import time
from pathlib import Path
from typing import Final

from contracts import MemError
from ingest.histories.agents.messages import ReadOptions
from ingest.histories.agents.places import Agent, transcripts_at
from ingest.histories.values import HistoryTurn, Omitted
from memory.conversations.capture.capturing import Stored, capture
from memory.conversations.capture.reading import batches
from memory.conversations.pipeline import extract_unprocessed
from memory.conversations.turns.store import TurnStore
from memory.operations.exchange.history_import import HistoryCallback, HistoryOptions
from memory.operations.exchange.history_reports import HistoryReport, OmittedMessage
from memory.workspace import Workspace

_AS_USUAL: Final = HistoryOptions()


def import_transcripts(
    workspace: Workspace | None,
    path: Path,
    agent: Agent,
    *,
    read: ReadOptions | None = None,
    options: HistoryOptions = _AS_USUAL,
    progress: HistoryCallback | None = None,
) -> HistoryReport:
    """Store every message of the transcripts at a path that is not stored yet.

    Raises NotFoundError for a missing path. A transcript that cannot be read is listed, and stops
    nothing. A dry run stores nothing, and needs no workspace.
    """
    started = time.monotonic()
    report, sessions = HistoryReport(agent, dry_run=options.dry_run), set[str]()
    found = transcripts_at(agent, path)
    report.errors += [OmittedMessage(str(refused), reason) for refused, reason in found.refused]
    for transcript in found.paths:
        try:
            if options.dry_run or workspace is None:
                _count(workspace, agent, transcript, read or ReadOptions(), report, sessions)
                continue
            for stored in capture(
                workspace, agent, transcript, options=read, afresh=True, extract=options.extract
            ):
                _note(report, stored, sessions)
                if progress is not None:
                    progress(report.turns)
        except (MemError, OSError) as error:
            said = error.message if isinstance(error, MemError) else str(error.strerror)
            report.note_omitted(Omitted("broken", str(transcript), said))
    if workspace is not None and not options.dry_run:
        extract_unprocessed(workspace)  # turns stored by a capture that was killed
    report.sessions = len(sessions)
    report.seconds = round(time.monotonic() - started, 3)
    return report


def capture_transcript(
    workspace: Workspace, path: Path, agent: Agent, *, read: ReadOptions
) -> HistoryReport:
    """Store what is new in one transcript. Raises what reading it does."""
    started = time.monotonic()
    report, sessions = HistoryReport(agent), set[str]()
    for stored in capture(workspace, agent, path, options=read):
        _note(report, stored, sessions)
    report.sessions = len(sessions)
    report.seconds = round(time.monotonic() - started, 3)
    return report


def _note(report: HistoryReport, stored: Stored, sessions: set[str]) -> None:
    for turn in stored.turns:
        report.note_turn(turn)
        sessions.add(turn.session_id)
    report.added += len(stored.results)
    report.known += len(stored.turns) - len(stored.results)
    for result in stored.results:
        for memory in result.extracted_memories:
            report.memories[memory.action] = report.memories.get(memory.action, 0) + 1
    for omitted in stored.omitted:
        report.note_omitted(omitted)


def _count(
    workspace: Workspace | None,
    agent: Agent,
    path: Path,
    read: ReadOptions,
    report: HistoryReport,
    sessions: set[str],
) -> None:
    """Count what an import would do."""
    for batch in batches(agent, path, {}, read):
        omitted = [item for item in batch.items if isinstance(item, Omitted)]
        turns = [item for item in batch.items if isinstance(item, HistoryTurn)]
        _note(report, Stored(turns, [], omitted), sessions)
        if workspace is None:
            known = 0
        else:
            store = TurnStore(workspace.storage.database)
            known = len(store.known_messages(turn.client_id for turn in turns))
        report.known += known - len(turns)
        report.added += len(turns) - known
