"""What a server holds in memory before the storage, derived from it and never trusted."""

from memory.retrieval.memory_index.follower import available_bytes
from memory.retrieval.memory_index.index import MemoryIndex

__all__ = ["MemoryIndex", "available_bytes"]
