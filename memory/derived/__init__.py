"""What a server holds in memory before the storage, derived from it and never trusted."""

from memory.derived.follower import available_bytes
from memory.derived.index import DerivedIndex

__all__ = ["DerivedIndex", "available_bytes"]
