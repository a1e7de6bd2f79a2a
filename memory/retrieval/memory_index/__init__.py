"""The in-memory index of a server, derived from the storage behind it and never trusted."""

from memory.retrieval.memory_index.change_log_cache import available_bytes
from memory.retrieval.memory_index.index import MemoryIndex

__all__ = ["MemoryIndex", "available_bytes"]
