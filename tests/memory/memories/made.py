"""Memories that tests make, as old and as often seen as they want them."""

from datetime import UTC, datetime, timedelta
from typing import Any

from memory.memories.store import MemoryStore
from memory.memories.values import Memory
from memory.memories.writing import MemoryWriter, vectors_of
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
    now = utc_now()
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
    memory = Memory(id=0, content=content, updated_at=now, score=0.0, **row)
    known = vectors_of(workspace, [memory])
    with workspace.storage.database.transaction() as tx:
        writer = MemoryWriter(workspace, tx, known)
        written = writer.insert(memory)
        writer.finish()
        if score is not None:
            tx.run(
                "UPDATE memories SET score = :score WHERE id = :id",
                {"score": score, "id": written.id},
            )
    return written.id


def stored(workspace: Workspace, memory_id: int) -> Memory | None:
    return MemoryStore(workspace.storage).get(memory_id)
