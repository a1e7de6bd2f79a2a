"""Memories as they are shown, with what is current in their place."""

from collections.abc import Sequence
from dataclasses import fields

from memory.conversations.memories.editing import get_memory
from memory.conversations.memories.slots.current_values import current_values
from memory.conversations.memories.values import Memory, ShownMemory
from memory.storage import Database
from memory.values.record_kinds import RecordName
from memory.workspace import Workspace


def shown_memories(database: Database, memories: Sequence[Memory]) -> list[ShownMemory]:
    """Return memories as they are shown, in their order."""
    ids = [one.id for one in memories if one.slot is not None and one.status == "active"]
    replaced = current_values(database, memories=ids)
    return [
        ShownMemory(
            **{item.name: getattr(one, item.name) for item in fields(Memory)},
            superseded=found.past().shown if found else None,
        )
        for one in memories
        for found in [replaced.get(RecordName("memory", str(one.id)))]
    ]


def read_memory(workspace: Workspace, memory_id: int) -> ShownMemory:
    """Return one memory as it is shown, whatever its status. Raises NotFoundError."""
    found = get_memory(workspace, memory_id)
    return shown_memories(workspace.storage.database, [found])[0]
