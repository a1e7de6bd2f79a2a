"""Storage backends for chunks, keyword entries, vectors and facts about the database."""

from memory.storage.base import Storage
from memory.storage.database import Database, Transaction
from memory.storage.values import (
    ChunkChanges,
    CodeBatch,
    Neighbours,
    NewChunk,
    Space,
    SpaceState,
    StoredVector,
    chunk_uid,
    content_hash,
    utc_now,
    utc_text,
)

__all__ = [
    "ChunkChanges",
    "CodeBatch",
    "Database",
    "Neighbours",
    "NewChunk",
    "Space",
    "SpaceState",
    "Storage",
    "StoredVector",
    "Transaction",
    "chunk_uid",
    "content_hash",
    "utc_now",
    "utc_text",
]
