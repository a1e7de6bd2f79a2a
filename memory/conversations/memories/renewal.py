"""Memories that another program has written or changed, as if this program had done it."""

from collections.abc import Sequence
from dataclasses import replace

from ingest import slot_of
from ingest.pii import privacy_tags
from memory.conversations.memories.store import OLD_SLOTS, MemoryStore
from memory.conversations.memories.values import Memory
from memory.conversations.memories.writing import MemoryWriter, vectors_of
from memory.workspace import Workspace


def renew_changed(workspace: Workspace, ids: Sequence[int]) -> None:
    """Complete memories whose content another program has changed, in one transaction.

    Searches find nothing of the former content then, and facts follow.
    """
    store, database = MemoryStore(workspace.storage), workspace.storage.database
    known = vectors_of(workspace, map(completed_memory, store.get_many(ids).values()))
    with database.erasing(), database.transaction() as tx:
        writer, former = MemoryWriter(workspace, tx, known), store.indexed_texts(ids)
        for memory in store.get_many(ids).values():
            completed = completed_memory(memory)
            writer.update(completed, same_text=False, former=former.get(memory.id, ""))
        writer.finish()


def completed_memory(memory: Memory) -> Memory:
    """Return a memory with its slot and tags, and with its own time.

    Equal times come from the columns' defaults: only `created_at` was given, if any.
    """
    slot = slot_of(memory.content)
    is_one = slot is not None and slot.value != ""
    was_inserted = memory.slot not in OLD_SLOTS
    was_defaulted = was_inserted and memory.occurred_at == memory.updated_at
    return replace(
        memory,
        slot=slot.name if slot and is_one else None,
        value=slot.value if slot and is_one else None,
        tags=tuple(dict.fromkeys((*memory.tags, *privacy_tags(memory.content)))),
        occurred_at=memory.created_at if was_defaulted else memory.occurred_at,
    )
