"""The vector leg in PostgreSQL: an exact scan of `halfvec` rows, ordered again by exact cosines."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from contracts import QueryVector, Scope, Scored
from memory.storage import vectors
from memory.storage.database import Transaction
from memory.storage.postgres.connection import PostgresDatabase, own_transaction
from memory.storage.postgres.scope import scope_sql
from memory.storage.postgres.values import HalfVector, halfvec_text
from memory.storage.values import CodeBatch, Row, Space, StoredVector
from memory.storage.vectors import vector_table

CODES_AT_ONCE: Final = 10_000
"""Rows in a batch of codes."""


def vector_candidates(
    database: PostgresDatabase, space: Space, vector: QueryVector, *, scope: Scope, limit: int
) -> list[Scored]:
    """Return the nearest chunks by cosine, ties by id."""
    conditions, values = scope_sql(scope)
    join = "JOIN chunks AS c ON c.id = w.chunk_id" if conditions else ""
    where = f"WHERE {' AND '.join(conditions)}" if conditions else ""
    here = database.vectors_in
    sql = f"""
        SELECT w.chunk_id, w.v FROM {vector_table(space)} AS w {join} {where}
        ORDER BY w.v OPERATOR({here}.<#>) :q::{here}.halfvec, w.chunk_id LIMIT :refined"""
    values |= {"q": halfvec_text(vector), "refined": vectors.refined(limit)}
    rows = database.read_binary(sql, values)
    exact = vectors.cosines(vector, [stored for _, stored in rows])
    scored = [Scored(row[0], score) for row, score in zip(rows, exact, strict=True)]
    return sorted(scored, key=lambda hit: (-hit.score, hit.chunk_id))[:limit]


def cosines(
    database: PostgresDatabase, space: Space, vector: QueryVector, chunk_ids: Sequence[int]
) -> dict[int, float]:
    """Return the cosine of each of these chunks that has a vector."""
    rows = _stored(database, space, chunk_ids)
    exact = vectors.cosines(vector, [stored for _, stored in rows])
    return {row[0]: score for row, score in zip(rows, exact, strict=True)}


def embeddings(
    database: PostgresDatabase, space: Space, chunk_ids: Sequence[int]
) -> dict[int, Sequence[float]]:
    """Return the vector of each of these chunks that has one."""
    return {row[0]: vectors.decoded(row[1]) for row in _stored(database, space, chunk_ids)}


def _stored(database: PostgresDatabase, space: Space, chunk_ids: Sequence[int]) -> list[Row]:
    sql = f"SELECT chunk_id, v FROM {vector_table(space)} WHERE chunk_id IN (:ids)"
    return database.read_binary(sql, {"ids": list(chunk_ids)})


def put_vectors(tx: Transaction, space: Space, rows: Mapping[int, StoredVector]) -> None:
    """See `Storage.put_vectors`. Only vectors of the active space are logged."""
    own = own_transaction(tx)
    sql = "SELECT id FROM chunks WHERE id IN (:ids) ORDER BY id"
    present = [row[0] for row in tx.run(sql, {"ids": list(rows)})]
    sql = f"""
        INSERT INTO {vector_table(space)} (chunk_id, v) VALUES (%s, %s)
        ON CONFLICT (chunk_id) DO UPDATE SET v = excluded.v"""
    own.bind_many(sql, [(chunk_id, HalfVector(rows[chunk_id].v)) for chunk_id in present])
    if tx.run("SELECT 1 FROM spaces WHERE state = 'active' AND id = :id", {"id": space.id}):
        own.log_chunks(present)


def live_vectors(
    database: PostgresDatabase, space: Space, hashes: Sequence[bytes]
) -> dict[bytes, StoredVector]:
    """Return the vectors of chunks with these contents."""
    sql = f"""
        SELECT c.hash, w.v FROM chunks AS c JOIN {vector_table(space)} AS w ON w.chunk_id = c.id
        WHERE c.hash IN (:hashes)"""
    rows = database.read_binary(sql, {"hashes": list(hashes)})
    return {bytes(content): vectors.from_float16(v) for content, v in rows}


def chunks_without_vector(
    database: PostgresDatabase, space: Space, *, after: int, limit: int
) -> list[int]:
    """Return the first chunk ids above `after` of the space's generation without a vector."""
    sql = f"""
        SELECT c.id FROM chunks AS c LEFT JOIN {vector_table(space)} AS w ON w.chunk_id = c.id
        WHERE c.id > :after AND c.generation IN (:generation, '') AND w.chunk_id IS NULL
        ORDER BY c.id LIMIT :limit"""
    parameters = {"after": after, "generation": space.generation, "limit": limit}
    return [row[0] for row in database.read(sql, parameters)]


def codes(
    database: PostgresDatabase, space: Space, ids: Iterable[int] | None
) -> Iterator[CodeBatch]:
    """See `Storage.codes`. The codes are computed from the vectors, which alone are stored."""
    within = "" if ids is None else "AND chunk_id IN (:ids)"
    sql = f"""
        SELECT chunk_id, v FROM {vector_table(space)} WHERE chunk_id > :after {within}
        ORDER BY chunk_id LIMIT :limit"""
    wanted = [] if ids is None else list(ids)
    after = -1
    while rows := database.read_binary(
        sql, {"after": after, "ids": wanted, "limit": CODES_AT_ONCE}
    ):
        yield CodeBatch([row[0] for row in rows], vectors.codes_of([row[1] for row in rows]))
        after = rows[-1][0]
