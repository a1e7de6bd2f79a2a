"""Takes in turns: stored and found at once, then the rules look for what is worth remembering.

A turn that is stored is safe, whatever becomes of the rest: what an interruption keeps from the
rules stays marked in its row, and whoever writes or maintains next has them look.
"""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from contracts import BusyError, NotFoundError, StorageError
from ingest.extractor import Candidate, extract
from memory.config.settings import MemoryConfig
from memory.conversations.extraction_metrics import extraction_counters_of
from memory.conversations.memories.consolidation import consolidate_turns
from memory.conversations.memories.outcomes import outcomes_of
from memory.conversations.memories.values import ExtractedMemory
from memory.conversations.turns.adding import add_turns
from memory.conversations.turns.store import TurnStore
from memory.conversations.turns.utterances import utterance_of
from memory.conversations.turns.values import Extraction, NewTurn, Turn
from memory.storage import Transaction
from memory.workspace import Workspace

EXTRACTED_AT_ONCE: Final = 100
"""Turns whose facts are stored in one transaction: others want to write, too."""


@dataclass(frozen=True, slots=True)
class TurnResult:
    """What became of a turn that was handed in.

    `extracted_memories` are what the rules found in it; `repeated`: it was there already, and they
    are what was found then. `warnings` say why nothing could be remembered of it yet, if so.
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
    """Store turns, index them, and remember what the rules find in them; in their order.

    Raises what `add_turns` does; what keeps memories from being stored is only a warning.
    """
    added = add_turns(workspace, turns)
    warnings: list[str] = []
    found: dict[int, list[ExtractedMemory]] = {}
    try:
        # Also a turn that comes again because the first time was interrupted.
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
    """Remember what the rules find in stored turns that wait for them, by the turn's id."""
    waiting = [turn for turn in turns if turn.extraction == "rules"]
    found: dict[int, list[ExtractedMemory]] = {}
    for start in range(0, len(waiting), EXTRACTED_AT_ONCE):
        found |= _extracted(workspace, waiting[start : start + EXTRACTED_AT_ONCE])
    return found


def extract_unprocessed(workspace: Workspace) -> int:
    """Have the rules look at the turns that an interruption kept from them; how many there were."""
    store, last, number = TurnStore(workspace.storage.database), 0, 0
    while turns := store.waiting("rules", after=last, limit=EXTRACTED_AT_ONCE):
        extract_waiting_turns(workspace, turns)
        last = turns[-1].id
        number += len(turns)
    return number


def turn_with_memories(workspace: Workspace, turn_id: int) -> TurnWithMemories:
    """A turn with what it led to. Raises NotFoundError when there is none of that id."""
    turn = TurnStore(workspace.storage.database).get(turn_id)
    if turn is None:
        raise NotFoundError(
            f"there is no turn {turn_id}", hint="search for what was said: mem search WORDS"
        )
    return TurnWithMemories(turn, outcomes_of(workspace, turn_id))


def _extracted(workspace: Workspace, turns: Sequence[Turn]) -> Mapping[int, list[ExtractedMemory]]:
    after = after_rules(workspace.config)
    told = _told(workspace, turns) if uses_rules(workspace.config) else []

    def mark(tx: Transaction) -> None:
        store = TurnStore(workspace.storage.database)
        waiting = store.many(turn.id for turn in turns)
        done = [turn.id for turn in waiting if turn.extraction == "rules"]
        store.set_extraction(tx, done, after)

    settled = consolidate_turns(workspace, told, origin="rules", then=mark)
    return {turn.id: became for (turn, _), became in zip(told, settled, strict=False) if became}


def _told(workspace: Workspace, turns: Sequence[Turn]) -> list[tuple[Turn, list[Candidate]]]:
    """What the rules find in each turn."""
    started = time.perf_counter()
    told = [(turn, extract(utterance_of(turn))) for turn in turns]
    found = sum(len(candidates) for _, candidates in told)
    seconds = time.perf_counter() - started
    extraction_counters_of(workspace).note_rules(
        turns=len(turns), candidates=found, seconds=seconds
    )
    return told


def uses_rules(config: MemoryConfig) -> bool:
    """Whether the rules look at turns first, and not a model alone."""
    return not (config.extractor.mode == "llm" and config.llm.is_configured)


def after_rules(config: MemoryConfig) -> Extraction:
    """What is still to be done with a turn that the rules are done with."""
    return "llm" if config.extractor.mode != "heuristic" and config.llm.is_configured else "done"
