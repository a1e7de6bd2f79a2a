"""Writing of memories with their chunks, in one transaction and once for each memory.

An active memory has one chunk and a set of words by which a new one that says the same finds it; an
archived or deleted one is only a row.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from ingest import slot_of, topic_of
from ingest.pii import privacy_tags
from memory.conversations.memories.comparison.endings import search_words
from memory.conversations.memories.gc_policy import weights_of
from memory.conversations.memories.scoring import age_in_days, decompose
from memory.conversations.memories.store import OLD_SLOTS, MemoryStore
from memory.conversations.memories.values import Memory
from memory.index.record_chunks import (
    RecordText,
    RecordVectors,
    put_records,
    record_vectors,
    remove_record,
)
from memory.index.record_hooks import renew_derived, rewrite_derived, withdraw_derived
from memory.storage import Transaction, utc_now
from memory.workspace import Workspace


def vectors_of(workspace: Workspace, memories: Iterable[Memory]) -> RecordVectors:
    """Embed memories before the transaction that writes them."""
    return record_vectors(workspace, [record_text(memory) for memory in memories])


_SUBJECT: Final = re.compile(r"(?:The )?User(?:'s|’s)?(?![a-z])\s*", re.IGNORECASE)


def record_text(memory: Memory) -> RecordText:
    """Return the searchable text of a memory; its `id` may still be 0.

    Its subject is not a searchable word: all memories have it.
    """
    subject = _SUBJECT.match(memory.content)
    about = {"memory_id": memory.id, "layer": memory.layer, "importance": memory.importance}
    return RecordText(
        source="memory",
        owner_id=str(memory.id),
        text=memory.content,
        body_offset=subject.end() if subject and subject.end() < len(memory.content) else 0,
        title=topic_of(memory.slot) if memory.slot else "",
        occurred_at=memory.occurred_at,
        recorded_at=memory.created_at,
        tags=memory.tags,
        metadata={**memory.metadata, **about},
    )


class MemoryWriter:
    """Writes memories in an open transaction; `finish` makes them searchable."""

    def __init__(
        self, workspace: Workspace, tx: Transaction, known: RecordVectors | None = None
    ) -> None:
        self._workspace = workspace
        self._tx = tx
        self._known = known or RecordVectors()
        self._changed: dict[int, Memory] = {}
        self._former: dict[int, str] = {}
        self.store = MemoryStore(workspace.storage)
        self.now = utc_now()
        """The time of all writes of this object."""

    def insert(self, memory: Memory) -> Memory:
        """Store a new memory and return it with its id and score."""
        scored = self._scored(memory)
        written = replace(scored, id=self.store.insert(self._tx, scored))
        self._index(written)
        return written

    def update(
        self, memory: Memory, *, same_text: bool = True, former: str | None = None
    ) -> Memory:
        """Write an existing memory and return it with its new score and time.

        Pass `same_text=False` if its content or its status changed, and the `former` content where
        somebody changed it, took it back or restored it: then facts follow, and no word of it
        remains in the index, since a later `forget` does not know it.
        """
        if former is not None:
            remove_record(self._workspace, self._tx, "memory", str(memory.id))
            self._former.setdefault(memory.id, former)
        written = replace(self._scored(memory), updated_at=self.now)
        self.store.update(self._tx, written)
        if same_text:
            self._changed[written.id] = written
        else:
            self._index(written)
        return written

    def remove(self, memory: Memory) -> None:
        """Remove a memory with everything derived from it."""
        self._changed.pop(memory.id, None)
        withdraw_derived(self._workspace, self._tx, "memory", [memory.id])
        remove_record(self._workspace, self._tx, "memory", str(memory.id))
        self.store.delete(self._tx, memory.id)

    def finish(self) -> None:
        """Write the chunks of changed memories and what is made of them, after the last change."""
        active = [memory for memory in self._changed.values() if memory.status == "active"]
        for memory in self._changed.values():
            if memory.status != "active":
                remove_record(self._workspace, self._tx, "memory", str(memory.id))
        records = [record_text(memory) for memory in active]
        put_records(self._workspace, self._tx, records, self._known)
        renew_derived(self._workspace, self._tx, "memory", self._changed)
        rewrite_derived(self._workspace, self._tx, "memory", self._former)
        self._changed.clear()
        self._former.clear()

    def _index(self, memory: Memory) -> None:
        is_active = memory.status == "active"
        words = search_words(memory) if is_active else ()
        self.store.put_words(self._tx, memory.id, words)
        self._changed[memory.id] = memory

    def _scored(self, memory: Memory) -> Memory:
        now = datetime.fromisoformat(self.now)
        age_days = age_in_days(memory.last_seen_at, memory.created_at, now=now)
        parts = decompose(
            hits=memory.hits,
            importance=memory.importance,
            age_days=age_days,
            weights=weights_of(self._workspace.config.scoring),
        )
        return replace(memory, score=parts.total)


def renew_changed(
    workspace: Workspace, ids: Sequence[int], *, former_of: Callable[[Memory], str]
) -> None:
    """Complete memories whose content another program has changed, in one transaction.

    Searches find nothing of the former content then, and facts follow. `former_of` returns a former
    content of a memory that has no chunk, by its slot and value; "" for none.
    """
    store, database = MemoryStore(workspace.storage), workspace.storage.database
    known = vectors_of(workspace, map(completed_memory, store.get_many(ids).values()))
    with database.erasing(), database.transaction() as tx:
        writer, former = MemoryWriter(workspace, tx, known), store.indexed_texts(ids)
        for memory in store.get_many(ids).values():
            told = former.get(memory.id) or former_of(memory)
            writer.update(completed_memory(memory), same_text=False, former=told)
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
