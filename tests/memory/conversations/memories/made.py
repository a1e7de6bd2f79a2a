"""Memories that tests make, as old and as often seen as they want them."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from memory.conversations.memories.store import MemoryStore
from memory.conversations.memories.values import Memory
from memory.conversations.memories.writing import MemoryWriter, vectors_of
from memory.storage import utc_now, utc_text
from memory.workspace import Workspace


def make(
    workspace: Workspace,
    content: str,
    *,
    age_days: float = 0.0,
    score: float | None = None,
    **columns: Any,
) -> int:
    """Store a memory that was last seen so long ago; its id. `score` is what its row says."""
    (written,) = make_all(workspace, [new(content, age_days=age_days, **columns)])
    if score is not None:
        with workspace.storage.database.transaction() as tx:
            values = {"score": score, "id": written.id}
            tx.run("UPDATE memories SET score = :score WHERE id = :id", values)
    return written.id


def new(content: str, *, age_days: float = 0.0, **columns: Any) -> Memory:
    """A memory that is to be stored."""
    seen = utc_text(datetime.now(UTC) - timedelta(days=age_days))
    row: dict[str, Any] = {
        "layer": "mid",
        "status": "active",
        "hits": 0,
        "importance": 0,
        "tags": (),
        "origin": "user",
        "created_at": seen,
        "last_seen_at": seen,
        "occurred_at": seen,
        **columns,
    }
    return Memory(id=0, content=content, updated_at=utc_now(), score=0.0, **row)


def make_all(workspace: Workspace, memories: Sequence[Memory]) -> list[Memory]:
    """Store memories in one transaction; they with their ids."""
    known = vectors_of(workspace, memories)
    with workspace.storage.database.transaction() as tx:
        writer = MemoryWriter(workspace, tx, known)
        written = [writer.insert(memory) for memory in memories]
        writer.finish()
    return written


def stored(workspace: Workspace, memory_id: int) -> Memory | None:
    return MemoryStore(workspace.storage).get(memory_id)
