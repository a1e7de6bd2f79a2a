"""The PostgreSQL backend: a schema of a database on a server, with the extension pgvector."""

from memory.storage.postgres.backend import PostgresStorage

__all__ = ["PostgresStorage"]
