"""Read replicas: servers that follow the primary, and may answer searches for it."""

from memory.storage.postgres.replicas.choosing import Replicas

__all__ = ["Replicas"]
