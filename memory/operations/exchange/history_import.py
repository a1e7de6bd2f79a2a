"""Import of chat histories of other programs: turns with their own times, and summaries.

The same history again changes nothing: every turn has a `client_id` made from the format and the
message. Turns go through `pipeline` like new ones, so the rules process them too; their facts are
dated by when they were said.
"""

import time
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from typing import Final

from contracts import InputError
from contracts.named_tuple import NamedTuple
from ingest.histories.clock import changed_at
from ingest.histories.opening import history_items
from ingest.histories.values import HistoryForm, HistoryTurn, Item, Omitted, Summary
from memory.conversations.pipeline import TurnResult, extract_unprocessed, process_turns
from memory.conversations.turns.store import TurnStore
from memory.conversations.turns.values import NewTurn
from memory.index.configuration_warnings import configuration_warnings
from memory.operations.exchange.history_reports import HistoryReport
from memory.operations.exchange.summaries import Summaries
from memory.storage.action_log import IMPORTED
from memory.workspace import Workspace

TURNS_AT_ONCE: Final = 500

HistoryCallback = Callable[[int], None]
"""Receives the number of turns done."""


class HistoryOptions(NamedTuple):
    """Options of an import.

    `me` is the speaker who owns this memory: their turns count as the user's. `extract` runs the
    rules on users' turns, `dry_run` only counts.
    """

    me: str | None = None
    extract: bool = True
    dry_run: bool = False


AS_USUAL: Final = HistoryOptions()


def import_history(
    workspace: Workspace | None,
    path: Path,
    form: HistoryForm,
    *,
    options: HistoryOptions = AS_USUAL,
    progress: HistoryCallback | None = None,
) -> HistoryReport:
    """Store everything in a history that is not stored yet.

    A dry run needs no workspace. Turns without a time get that of the file. Raises NotFoundError
    for a missing path, InputError for a file of another format.
    """
    started = time.monotonic()
    importer = HistoryImport(workspace, form, file_time=changed_at(path), options=options)
    items = history_items(path, form)
    while batch := list(islice(items, TURNS_AT_ONCE)):
        importer.take(batch)
        if progress is not None:
            progress(importer.report.turns)
    report = importer.finish()
    report.seconds = round(time.monotonic() - started, 3)
    return report


class HistoryImport:
    """Stores the items of a history in batches, and keeps its report; a dry run only counts."""

    def __init__(
        self,
        workspace: Workspace | None,
        form: str,
        *,
        file_time: str,
        options: HistoryOptions = AS_USUAL,
    ) -> None:
        self.report = HistoryReport(form, dry_run=options.dry_run)
        self._workspace = workspace
        self._file_time = file_time
        self._me = None if options.me is None else options.me.strip().casefold()
        self._extract = options.extract
        self._sessions: set[str] = set()
        self._summaries = Summaries()

    def take(self, items: Iterable[Item]) -> dict[str, int]:
        """Store a batch and return the ids of its turns by their `client_id`."""
        turns: list[HistoryTurn] = []
        for item in items:
            if isinstance(item, HistoryTurn):
                turns.append(item)
                self.report.note_turn(item)
            elif isinstance(item, Summary):
                self._summaries.add(item)
            else:
                self.report.note_omitted(item)
        self._sessions.update(turn.session_id for turn in turns)
        self.report.sessions = len(self._sessions)
        if self._workspace is not None and not self.report.dry_run:
            return self._store(self._workspace, turns)
        known = 0
        if self._workspace is not None:
            known = sum(found is not None for found in known_turns(self._workspace, turns))
        self.report.known += known
        self.report.added += len(turns) - known
        return {}

    def finish(self) -> HistoryReport:
        """Store the summaries, each once, and return the report."""
        report = self.report
        if self._me is not None and self._me not in map(str.casefold, report.speakers):
            speakers = ", ".join(report.speakers) or "none by name"
            report.warnings.append(f"no speaker has the name given with --me; speakers: {speakers}")
        if self._workspace is not None:
            self._summaries.compare_with(self._workspace)
        self._summaries.fold()
        report.texts, report.folded = len(self._summaries), self._summaries.folded
        if self._workspace is not None:
            if not report.dry_run:
                self._summaries.store(self._workspace, form=report.format)
                extract_unprocessed(self._workspace)  # turns stored by an import that was killed
            report.warnings.extend(configuration_warnings(self._workspace))
        return report

    def _store(self, workspace: Workspace, turns: list[HistoryTurn]) -> dict[str, int]:
        found = list(zip(turns, known_turns(workspace, turns), strict=True))
        ids = {turn.client_id: known for turn, known in found if known is not None}
        turns = [turn for turn, known in found if known is None]
        self.report.known += len(found) - len(turns)
        new = [self._new(turn) for turn in turns]
        try:
            results = process_turns(workspace, new)
        except InputError:
            return ids | self._one_by_one(workspace, turns, new)
        return ids | self._note(turns, results)

    def _one_by_one(
        self, workspace: Workspace, turns: list[HistoryTurn], new: list[NewTurn]
    ) -> dict[str, int]:
        """Store the items of a batch one by one, leaving out those that fail."""
        ids: dict[str, int] = {}
        for turn, given in zip(turns, new, strict=True):
            try:
                ids |= self._note([turn], process_turns(workspace, [given]))
            except InputError as error:
                place = f"session {turn.session_id}, {turn.client_id}"
                self.report.note_omitted(Omitted("broken", place, error.message))
        return ids

    def _note(self, turns: list[HistoryTurn], results: list[TurnResult]) -> dict[str, int]:
        report = self.report
        for item in results:
            report.added += not item.repeated
            report.known += item.repeated
            if not item.repeated:
                for memory in item.extracted_memories:
                    report.memories[memory.action] = report.memories.get(memory.action, 0) + 1
            for warning in item.warnings:
                if warning not in report.warnings:
                    report.warnings.append(warning)
        return {turn.client_id: item.turn_id for turn, item in zip(turns, results, strict=True)}

    def _new(self, turn: HistoryTurn) -> NewTurn:
        return NewTurn(
            session_id=turn.session_id,
            text=turn.text,
            role=turn.role,
            ts=turn.ts or self._file_time,
            speaker=None if (turn.speaker or "").casefold() == self._me else turn.speaker,
            image_paths=turn.image_paths,
            metadata={**turn.metadata, IMPORTED: self.report.format},
            client_id=turn.client_id,
            auto_extract=self._extract,
        )


def known_turns(workspace: Workspace, turns: Iterable[HistoryTurn]) -> list[int | None]:
    """Return for each of these turns the id of the stored one, if any."""
    store = TurnStore(workspace.storage.database)
    known: list[int | None] = []
    for turn in turns:
        found = store.with_client_id(turn.session_id, turn.client_id)
        known.append(found[0].id if found and found[0].text == turn.text else None)
    return known
