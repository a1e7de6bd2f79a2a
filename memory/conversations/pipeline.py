"""Processing of turns: store and index them, then extract memories by the rules.

A stored turn is safe, whatever fails later: if an interruption keeps the rules from it, its row
stays marked, and the next write or maintenance runs the rules.
"""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from contracts import BusyError, NotFoundError, StorageError
from ingest import Candidate, PrivacyRequest, extract
from memory.config.settings import MemoryConfig
from memory.conversations.extraction_metrics import extraction_counters_of
from memory.conversations.memories.consolidation import consolidate_turns
from memory.conversations.memories.values import ExtractedMemory
from memory.conversations.outcomes import outcomes_of
from memory.conversations.privacy_requests import (
    beside,
    forgotten,
    keep_forgotten,
    privacy_requests_of,
)
from memory.conversations.turns.adding import add_turns
from memory.conversations.turns.store import TurnStore
from memory.conversations.turns.utterances import in_session
from memory.conversations.turns.values import Extraction, NewTurn, Turn
from memory.storage import Transaction
from memory.workspace import Workspace

EXTRACTED_AT_ONCE: Final = 100
"""Turns whose facts are stored in one transaction, so that others can write in between."""


@dataclass(frozen=True, slots=True)
class TurnResult:
    """The outcome of a submitted turn.

    `extracted_memories` are what the rules found in it; `repeated`: the turn was already stored,
    and they are the earlier results. `warnings` say why nothing could be remembered yet, if so.
    """

    turn_id: int
    extracted_memories: list[ExtractedMemory]
    repeated: bool = False
    warnings: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class TurnWithMemories:
    """A stored turn and the memories that have it as a source."""

    turn: Turn
    extracted_memories: list[ExtractedMemory]


def process_turns(workspace: Workspace, turns: Sequence[NewTurn]) -> list[TurnResult]:
    """Store turns, index them, and remember the facts that the rules find; in their order.

    Raises what `add_turns` does; a failure to store memories is only a warning.
    """
    added = add_turns(workspace, turns)
    warnings: list[str] = []
    found: dict[int, list[ExtractedMemory]] = {}
    try:
        # Includes a turn sent again because its first processing was interrupted.
        found = extract_waiting_turns(
            workspace, {item.turn.id: item.turn for item in added}.values()
        )
    except (BusyError, StorageError) as error:
        warnings.append(f"the turn is stored, and nothing is remembered of it yet: {error}")
    for item in added:
        if item.repeated:
            found[item.turn.id] = outcomes_of(workspace, item.turn.id)
    return [
        TurnResult(item.turn.id, found.get(item.turn.id, []), item.repeated, warnings)
        for item in added
    ]


def extract_waiting_turns(
    workspace: Workspace, turns: Iterable[Turn]
) -> dict[int, list[ExtractedMemory]]:
    """Extract memories by the rules from stored turns that wait for them, by the turn's id."""
    found: dict[int, list[ExtractedMemory]] = {}
    batch: list[Turn] = []
    requested: dict[int, list[PrivacyRequest]] = {}
    for turn in turns:
        if turn.extraction != "rules":
            continue
        requests = privacy_requests_of(workspace, turn)
        if requests or len(batch) == EXTRACTED_AT_ONCE:  # a request is about what is stored by then
            found |= _extracted(workspace, batch, requested)
            batch, requested = [], {}
        batch.append(turn)
        requested |= {turn.id: requests} if requests else {}
    return found | _extracted(workspace, batch, requested)


def extract_unprocessed(workspace: Workspace) -> int:
    """Run the rules on turns that an interruption kept from them and return their number."""
    store, last, number = TurnStore(workspace.storage.database), 0, 0
    while turns := store.waiting("rules", after=last, limit=EXTRACTED_AT_ONCE):
        extract_waiting_turns(workspace, turns)
        last = turns[-1].id
        number += len(turns)
    return number


def turn_with_memories(workspace: Workspace, turn_id: int) -> TurnWithMemories:
    """Return a turn with its memories. Raises NotFoundError for an unknown id."""
    database = workspace.storage.database
    with database.snapshot():
        turn = TurnStore(database).get(turn_id)
        if turn is None:
            raise NotFoundError(
                f"there is no turn {turn_id}", hint="search for what was said: mem search WORDS"
            )
        return TurnWithMemories(turn, outcomes_of(workspace, turn_id))


def _extracted(
    workspace: Workspace, turns: Sequence[Turn], requested: Mapping[int, Sequence[PrivacyRequest]]
) -> dict[int, list[ExtractedMemory]]:
    """Run the rules on turns and return the outcomes, including those of another process that was
    quicker. Only the first turn may have requests, which are fulfilled before it is remembered.
    """
    if not turns:
        return {}
    after = after_rules(workspace.config)
    by_rules = uses_rules(workspace.config)
    candidates = rule_candidates(workspace, turns) if by_rules else []
    if requested:
        told = candidates[0][1] if candidates else []
        requests = requested[turns[0].id]
        ends = forgotten(workspace, turns[0], requests)
        candidates = [(turns[0], [*ends, *beside(told, requests)]), *candidates[1:]]
    done: list[int] = []

    def mark(tx: Transaction) -> None:
        store = TurnStore(workspace.storage.database)
        waiting = store.many(turn.id for turn in turns)
        done.extend(turn.id for turn in waiting if turn.extraction == "rules")
        store.set_extraction(tx, [turn_id for turn_id in done if turn_id not in requested], after)
        store.set_extraction(tx, requested, "off")
        for turn in turns:
            if turn.id in requested:
                keep_forgotten(workspace, tx, turn, requested[turn.id])

    outcomes = consolidate_turns(workspace, candidates, origin="rules", then=mark)
    pairs = zip(candidates, outcomes, strict=False)
    found = {turn.id: extracted for (turn, _), extracted in pairs}
    found |= {turn.id: outcomes_of(workspace, turn.id) for turn in turns if turn.id not in done}
    return {turn_id: extracted for turn_id, extracted in found.items() if extracted}


def rule_candidates(
    workspace: Workspace, turns: Sequence[Turn]
) -> list[tuple[Turn, list[Candidate]]]:
    """Return the candidates that the rules find in each turn."""
    started = time.perf_counter()
    store = TurnStore(workspace.storage.database)
    found = [(turn, extract(in_session(store, turn))) for turn in turns]
    number = sum(len(candidates) for _, candidates in found)
    seconds = time.perf_counter() - started
    extraction_counters_of(workspace).note_rules(
        turns=len(turns), candidates=number, seconds=seconds
    )
    return found


def uses_rules(config: MemoryConfig) -> bool:
    """Return whether the rules process turns first, and not a model alone."""
    return not (config.extractor.mode == "llm" and config.llm.is_configured)


def after_rules(config: MemoryConfig) -> Extraction:
    """Return the state of a turn after the rules: done, or waiting for a model."""
    return "llm" if config.extractor.mode != "heuristic" and config.llm.is_configured else "done"
