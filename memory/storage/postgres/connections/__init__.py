"""Connections to a PostgreSQL server: a pool that is quick to say that the server is away."""

from memory.storage.postgres.connections.addresses import checked_dsn
from memory.storage.postgres.connections.errors import BUSY_TIMEOUT_S, ServerFailedError, translated
from memory.storage.postgres.connections.pool import MOST_CONNECTIONS, ServerPool
from memory.storage.postgres.connections.snapshot_facts import STATE_SQL, Facts, FactsByConnection

__all__ = [
    "BUSY_TIMEOUT_S",
    "MOST_CONNECTIONS",
    "STATE_SQL",
    "Facts",
    "FactsByConnection",
    "ServerFailedError",
    "ServerPool",
    "checked_dsn",
    "translated",
]
