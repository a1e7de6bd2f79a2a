"""Storage backends: where chunks and everything derived from them are kept."""

from memory.storage.base import (
    ChunkChanges,
    CodeBatch,
    Database,
    Neighbours,
    NewChunk,
    Space,
    Storage,
    StoredVector,
    Transaction,
    chunk_uid,
    content_hash,
    utc_now,
    utc_text,
)
from memory.storage.sqlite import SqliteStorage

__all__ = [
    "ChunkChanges",
    "CodeBatch",
    "Database",
    "Neighbours",
    "NewChunk",
    "Space",
    "SqliteStorage",
    "Storage",
    "StoredVector",
    "Transaction",
    "chunk_uid",
    "content_hash",
    "utc_now",
    "utc_text",
]
