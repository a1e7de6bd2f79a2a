"""The outcomes of a turn, reconstructed from the database."""

from collections.abc import Iterator

from memory.conversations.memories.store import MemoryStore
from memory.conversations.memories.values import ExtractedMemory, Memory, MemoryAction, MemoryLink
from memory.workspace import Workspace


def outcomes_of(workspace: Workspace, turn_id: int) -> list[ExtractedMemory]:
    """Return what consolidation of a turn reported, as `consolidate_turns` returned it then.

    Memories that were removed since are missing.
    """
    store = MemoryStore(workspace.storage)
    with workspace.storage.database.snapshot():  # the turn may be read by the model meanwhile
        links = {link.memory_id: link for link in store.links_of_turn(turn_id)}
        return [
            one
            for memory in store.of_turn(turn_id)
            for one in _outcomes(store, memory, links[memory.id])
        ]


def _outcomes(store: MemoryStore, memory: Memory, link: MemoryLink) -> Iterator[ExtractedMemory]:
    """Return what a turn did to a memory, and to the memories it replaced then."""
    made_here = link.created_at == memory.created_at and link.reason != "merge"
    came_late = memory.superseded_by is not None and memory.superseded_by < memory.id
    action: MemoryAction = "archive"
    if link.reason == "merge":
        action = "merge"
    elif made_here and not came_late:
        action = "create"
    yield ExtractedMemory(memory.id, memory.content, action)
    if action == "create":
        for rival in store.superseded_by(memory.id):
            if rival.id < memory.id:
                yield ExtractedMemory(rival.id, rival.content, "archive")
