"""The memory: what composes files, conversations and search into one."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memory.config import Config, MemoryConfig
    from memory.manager import MemoryManager
    from search import SearchOptions

__all__ = ["Config", "MemoryConfig", "MemoryManager", "SearchOptions"]

_HOMES = {
    "Config": "memory.config",
    "MemoryConfig": "memory.config",
    "MemoryManager": "memory.manager",
    "SearchOptions": "search",
}


def __getattr__(name: str) -> Any:
    """Import an exported name when it is first asked for: a search needs none of them."""
    from importlib import import_module

    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
