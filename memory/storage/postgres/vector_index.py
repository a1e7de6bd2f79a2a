"""HNSW indexes of the vectors of large spaces, and when a search uses one.

Every search is exact below `INDEXED_FROM` vectors, and within a scope of fewer chunks. An index is
built beside the others' work, which no transaction can do, so that `Storage.index_vectors`
does it and no writer.

A lock of work lets one process build it. The connection that holds the lock may be lost before the
one that builds has ended: what begins then leaves a table alone that is being indexed.
"""

import contextlib
from typing import Any, Final

import psycopg

from contracts import BusyError
from contracts.named_tuple import NamedTuple
from memory.storage.postgres.connections import translated
from memory.storage.postgres.database import PostgresDatabase
from memory.storage.postgres.work_locks import PostgresWorkLock
from memory.storage.values import Space
from memory.storage.vectors import vector_table

INDEXED_FROM: Final = 50_000
"""Vectors from which a space has an index."""

MOST_DIMENSIONS: Final = 4_000
"""The dimensions that pgvector can index as `halfvec`."""

BUILT_WITH: Final = "m = 24, ef_construction = 256"
"""The neighbours of a vector in the graph, and the near vectors among which they are chosen."""

FEWEST_FOLLOWED: Final = 400
"""The least number of near vectors that a search follows through the graph (`hnsw.ef_search`), for
an index of `_FEWEST_FOLLOWED_OF` vectors or fewer.
"""

MOST_FOLLOWED: Final = 1_000
"""The largest number that pgvector accepts."""

_FEWEST_FOLLOWED_OF: Final = 100_000

_GROWTH: Final = 0.4
"""The power of the size with which that number grows: a million vectors take 1,000."""

_OVERHEAD_BYTES: Final = 1_000
"""The bytes of a vector in the graph while it is built, beside its components."""

_MOST_MEMORY_MB: Final = 2_000

_LOCK_WAIT_S: Final = 2
"""The longest wait for the table, for which new searches wait meanwhile, too; an automatic VACUUM
gives way within a second.
"""

_ENDINGS: Final = (
    psycopg.errors.UndefinedTable,  # the space was dropped
    psycopg.errors.DuplicateTable,  # another process was quicker
)

_BUILDING_SQL: Final = """
SELECT 1 FROM pg_stat_progress_create_index AS p JOIN pg_class AS c ON c.oid = p.relid
JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE p.datname = current_database() AND n.nspname = %s AND c.relname = %s
"""
_VALID_SQL: Final = """
SELECT i.indisvalid, (SELECT extversion FROM pg_extension WHERE extname = 'vector'), c.reltuples
FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname = :schema AND c.relname = :name
"""
_MANY_SQL: Final = "SELECT 1 FROM {table} OFFSET :fewest LIMIT 1"


def index_name(space: Space) -> str:
    """Return the name of the index of a space's vectors."""
    return f"{vector_table(space)}_near"


class VectorIndex(NamedTuple):
    """An index that searches can use.

    version   of pgvector, which searches it
    vectors   about how many it has, as of its building or the last VACUUM
    """

    version: str
    vectors: int

    def search_settings_sql(self, refined: int) -> str:
        """Return the statement with which a transaction searches it for so many vectors."""
        size = self.vectors / _FEWEST_FOLLOWED_OF
        fewest = FEWEST_FOLLOWED * max(1, size) ** _GROWTH
        followed = min(MOST_FOLLOWED, max(round(fewest), 2 * refined))
        settings = [f"set_config('hnsw.ef_search', '{followed}', true)"]
        if tuple(map(int, self.version.split(".")[:2])) >= (0, 8):  # older ones do not know it
            settings.append("set_config('hnsw.iterative_scan', 'relaxed_order', true)")
        return f"SELECT {', '.join(settings)}"


def index_of(database: PostgresDatabase, space: Space) -> VectorIndex | None:
    """Return the index of a space; None if it has none that searches can use."""
    found = database.read(_VALID_SQL, {"schema": database.schema, "name": index_name(space)})
    return VectorIndex(str(found[0][1]), int(found[0][2])) if found and found[0][0] else None


def build_index(database: PostgresDatabase, space: Space, *, fewest: int) -> None:
    """Build the index of a space of at least so many vectors, unless another process does.

    What one has left half built is removed. Raises WorkLockLostError once another one may begin.
    """
    many = _MANY_SQL.format(table=vector_table(space))
    if space.dimensions > MOST_DIMENSIONS or index_of(database, space) is not None:
        return
    if not database.read(many, {"fewest": fewest - 1}):
        return
    lock = database.work_lock("index of vectors")
    if not lock.acquire(timeout=0):
        return
    try:
        _build(database, space, lock)
    finally:
        lock.release()


def _build(database: PostgresDatabase, space: Space, lock: PostgresWorkLock) -> None:
    table = f"{database.quoted_schema}.{vector_table(space)}"
    index = f"{database.quoted_schema}.{index_name(space)}"
    with database.connect() as connection, translated(), contextlib.suppress(*_ENDINGS):
        row = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
        needed = (row[0] if row else 0) * (2 * space.dimensions + _OVERHEAD_BYTES) // 1_000_000
        connection.execute("SET statement_timeout = 0")
        connection.execute(
            f"SET maintenance_work_mem = '{max(64, min(needed + 1, _MOST_MEMORY_MB))}MB'"
        )
        try:
            with connection.transaction():
                connection.execute(f"SET LOCAL lock_timeout = '{_LOCK_WAIT_S}s'")
                connection.execute(f"LOCK TABLE {table} IN SHARE UPDATE EXCLUSIVE MODE")
                if index_of(database, space) is not None:
                    return
                connection.execute(f"DROP INDEX IF EXISTS {index}")
        except psycopg.errors.LockNotAvailable as error:
            if _is_being_built(connection, database.schema, space):
                return
            raise BusyError(
                f"the vectors have been in use for over {_LOCK_WAIT_S} s, as by a backup",
                hint="the next sync builds their index, and so does `mem compact`",
            ) from error
        lock.require_held()
        connection.execute(
            f"CREATE INDEX CONCURRENTLY {index_name(space)} ON {table} "
            f"USING hnsw (v {database.vectors_in}.halfvec_ip_ops) WITH ({BUILT_WITH})"
        )


def _is_being_built(connection: psycopg.Connection[Any], schema: str, space: Space) -> bool:
    """Return whether a process builds an index of a space, as the connections' role may see."""
    connection.execute("RESET ROLE")
    return connection.execute(_BUILDING_SQL, (schema, vector_table(space))).fetchone() is not None
