"""A conversation around a turn, with what was remembered of each turn and what replaced it."""

from collections.abc import Sequence
from dataclasses import dataclass

from memory.conversations.memories.slots.showing import shown_memories
from memory.conversations.memories.store import MemoryStore
from memory.conversations.memories.values import Memory, ShownMemory
from memory.conversations.turns.showing import DisplayTurn, TurnContent
from memory.workspace import Workspace


@dataclass(frozen=True)
class Remembered:
    """A memory of a turn, and the memory that replaced it, if one did."""

    memory: ShownMemory
    replaced_by: Memory | None


@dataclass(frozen=True)
class Said:
    """A turn with what was remembered of it; `is_cited` is the one that a citation names."""

    turn: DisplayTurn
    remembered: Sequence[Remembered]
    is_cited: bool


def conversation_of(workspace: Workspace, content: TurnContent) -> list[Said]:
    """Return the turns around one, in their order."""
    turns = (*content.before, content.turn, *content.after)
    return [Said(turn, _remembered(workspace, turn), turn is content.turn) for turn in turns]


def _remembered(workspace: Workspace, turn: DisplayTurn) -> list[Remembered]:
    store = MemoryStore(workspace.storage)
    memories = store.of_turn(int(turn.id.partition(":")[2]))
    by = store.get_many(one.superseded_by for one in memories if one.superseded_by is not None)
    return [
        Remembered(one, by.get(one.superseded_by) if one.superseded_by is not None else None)
        for one in shown_memories(workspace.storage.database, memories)
    ]
