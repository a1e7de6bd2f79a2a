"""HNSW indexes of the vectors of large spaces, and when a search uses one.

Every search is exact below `INDEXED_FROM` vectors, and within a scope of fewer chunks. An index is
built beside the others' work, which no transaction can do, so that `Storage.index_vectors` and
`Storage.compact` do it and no writer.
"""

import contextlib
from typing import Final

import psycopg

from memory.storage.postgres.connection import PostgresDatabase
from memory.storage.postgres.connections import translated
from memory.storage.values import Space
from memory.storage.vectors import vector_table

INDEXED_FROM: Final = 50_000
"""Vectors from which a space has an index."""

MOST_DIMENSIONS: Final = 4_000
"""The dimensions that pgvector can index as `halfvec`."""

FEWEST_FOLLOWED: Final = 400
"""The least number of near vectors that a search follows through the graph (`hnsw.ef_search`)."""

MOST_FOLLOWED: Final = 1_000
"""The largest number that pgvector accepts."""

_OVERHEAD_BYTES: Final = 600
"""The bytes of a vector in the graph while it is built, beside its components."""

_MOST_MEMORY_MB: Final = 2_000

_VALID_SQL: Final = """
SELECT i.indisvalid, (SELECT extversion FROM pg_extension WHERE extname = 'vector')
FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname = :schema AND c.relname = :name
"""
_MANY_SQL: Final = "SELECT 1 FROM {table} OFFSET :fewest LIMIT 1"


def index_name(space: Space) -> str:
    """Return the name of the index of a space's vectors."""
    return f"{vector_table(space)}_near"


def index_version(database: PostgresDatabase, space: Space) -> str | None:
    """Return the version of pgvector that searches the index of a space; None if it has none."""
    found = database.read(_VALID_SQL, {"schema": database.schema, "name": index_name(space)})
    return str(found[0][1]) if found and found[0][0] else None


def search_settings_sql(version: str, refined: int) -> str:
    """Return the statement with which a transaction searches an index for so many vectors."""
    followed = min(MOST_FOLLOWED, max(FEWEST_FOLLOWED, 2 * refined))
    settings = [f"set_config('hnsw.ef_search', '{followed}', true)"]
    if tuple(map(int, version.split(".")[:2])) >= (0, 8):  # older ones do not know it
        settings.append("set_config('hnsw.iterative_scan', 'relaxed_order', true)")
    return f"SELECT {', '.join(settings)}"


def build_index(database: PostgresDatabase, space: Space, *, fewest: int = INDEXED_FROM) -> bool:
    """Build the index of a space of at least so many vectors; return whether it did.

    Another process that builds it meanwhile goes on alone. What one has left half built is removed.
    """
    many = _MANY_SQL.format(table=vector_table(space))
    if space.dimensions > MOST_DIMENSIONS or index_version(database, space) is not None:
        return False
    if not database.read(many, {"fewest": fewest - 1}):
        return False
    lock = database.work_lock("index vectors")
    if not lock.acquire(timeout=0):
        return False
    try:
        _build(database, space)
    finally:
        lock.release()
    return True


def _build(database: PostgresDatabase, space: Space) -> None:
    table = f"{database.quoted_schema}.{vector_table(space)}"
    index = f"{database.quoted_schema}.{index_name(space)}"
    with database.connect() as connection, translated():
        row = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
        needed = (row[0] if row else 0) * (2 * space.dimensions + _OVERHEAD_BYTES) // 1_000_000
        connection.execute("SET statement_timeout = 0")
        connection.execute(
            f"SET maintenance_work_mem = '{max(64, min(needed + 1, _MOST_MEMORY_MB))}MB'"
        )
        connection.execute(f"DROP INDEX IF EXISTS {index}")
        with contextlib.suppress(psycopg.errors.UndefinedTable):  # the space was dropped
            connection.execute(
                f"CREATE INDEX CONCURRENTLY {index_name(space)} ON {table} "
                f"USING hnsw (v {database.vectors_in}.halfvec_ip_ops)"
            )
