"""The vector leg in SQLite: a scan of the int8 codes, refined twice.

All codes are compared by the sum of absolute differences, which sqlite-vec computes eight times
faster than a cosine, the best of them by squared differences, and the best of those exactly. It
needs neither numpy nor FAISS, so a one-shot process pays only for the scan.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from contracts import QueryVector, Scope, Scored
from memory.storage import vectors
from memory.storage.database import Database, Transaction
from memory.storage.sqlite import split_vectors
from memory.storage.sqlite.scope import scope_sql
from memory.storage.sqlite.split_vectors import is_formed
from memory.storage.values import CodeBatch, Row, Space, StoredVector
from memory.storage.vectors import vector_table

SCANNED_FOR_EACH = 5
"""The number of codes that the scan keeps for each one that is refined. Of the true 10 (100, 200)
nearest of 100,000 real embeddings, 1.000 (.995, .988) are among those that a factor of five keeps.
"""

CODES_AT_ONCE = 10_000
"""Rows in a batch of codes: some megabytes."""


def code_table(space: Space) -> str:
    """Return the name of the table with a space's int8 rows."""
    return f"vector_codes_{space.id:d}"


def nearest_sql(space: Space, scope: Scope) -> tuple[str, dict[str, object]]:
    """Return the statement for the nearest int8 rows within a scope, and its parameters."""
    conditions, parameters = scope_sql(scope)
    join = "JOIN chunks AS c ON c.id = n.chunk_id" if conditions else ""
    where = f"WHERE {' AND '.join(conditions)}" if conditions else ""
    sql = f"""
        {_rows_sql(space)} WHERE w.chunk_id IN (
            SELECT chunk_id FROM {code_table(space)} WHERE chunk_id IN (
                SELECT n.chunk_id FROM {code_table(space)} AS n {join} {where}
                ORDER BY vec_distance_l1(vec_int8(n.q), vec_int8(:q)), n.chunk_id LIMIT :scanned
            ) ORDER BY vec_distance_l2(vec_int8(q), vec_int8(:q)), chunk_id LIMIT :refined
        )"""
    return sql, dict(parameters)


def last_id(database: Database, space: Space) -> int:
    """Return the largest id of a chunk with a vector, 0 without any; unlike a count, at once."""
    return int(database.read(f"SELECT max(chunk_id) FROM {vector_table(space)}")[0][0] or 0)


def vector_candidates(
    database: Database, space: Space, vector: QueryVector, *, scope: Scope, limit: int
) -> list[Scored]:
    """Return the nearest chunks by cosine, ties by id."""
    sql, parameters = nearest_sql(space, scope)
    refined = vectors.refined(limit)
    parameters |= {
        "q": vectors.quantised(vector),
        "scanned": SCANNED_FOR_EACH * refined,
        "refined": refined,
    }
    found = _cosines(vector, database.read(sql, parameters))
    scored = [Scored(chunk_id, score) for chunk_id, score in found.items()]
    return sorted(scored, key=lambda hit: (-hit.score, hit.chunk_id))[:limit]


def cosines(
    database: Database, space: Space, vector: QueryVector, chunk_ids: Sequence[int]
) -> dict[int, float]:
    """Return the cosine of each of these chunks that has a vector."""
    return _cosines(vector, _stored(database, space, chunk_ids))


def _cosines(vector: QueryVector, rows: Iterable[Row]) -> dict[int, float]:
    formed = {key: (q, v) for key, q, v in rows if is_formed((q, v), len(vector))}
    exact = split_vectors.cosines(vector, list(formed.values()))
    return dict(zip(formed, exact, strict=True))


def embeddings(
    database: Database, space: Space, chunk_ids: Sequence[int]
) -> dict[int, Sequence[float]]:
    """Return the vector of each of these chunks that has one."""
    return {
        key: split_vectors.decoded((q, v))
        for key, q, v in _stored(database, space, chunk_ids)
        if is_formed((q, v), space.dimensions)
    }


def _stored(database: Database, space: Space, chunk_ids: Sequence[int]) -> list[Row]:
    """Return the id, `q` and `v` of each of these chunks that has a vector."""
    sql = f"{_rows_sql(space)} WHERE w.chunk_id IN (SELECT value FROM json_each(:ids))"
    return database.read(sql, {"ids": json.dumps(list(chunk_ids))})


def _rows_sql(space: Space) -> str:
    return (
        f"SELECT w.chunk_id, n.q, w.v FROM {vector_table(space)} AS w "
        f"JOIN {code_table(space)} AS n ON n.chunk_id = w.chunk_id"
    )


def put_vectors(tx: Transaction, space: Space, rows: Mapping[int, StoredVector]) -> None:
    """See `Storage.put_vectors`."""
    stored = list(rows.values())
    columns = {"v": split_vectors.left_by_codes(stored), "q": [row.q for row in stored]}
    for table, column in ((vector_table(space), "v"), (code_table(space), "q")):
        sql = (
            f"INSERT INTO {table} (chunk_id, {column}) "
            "SELECT id, :value FROM chunks WHERE id = :chunk_id "
            f"ON CONFLICT (chunk_id) DO UPDATE SET {column} = :value"
        )
        tx.run_many(
            sql,
            (
                {"chunk_id": chunk_id, "value": value}
                for chunk_id, value in zip(rows, columns[column], strict=True)
            ),
        )


def live_vectors(database: Database, space: Space, hashes: str) -> dict[bytes, StoredVector]:
    """Return the vectors of chunks with these contents (hexadecimal hashes as a JSON array)."""
    sql = f"""
        SELECT c.hash, n.q, w.v FROM chunks AS c
        JOIN {vector_table(space)} AS w ON w.chunk_id = c.id
        JOIN {code_table(space)} AS n ON n.chunk_id = c.id
        WHERE c.hash IN (SELECT unhex(value) FROM json_each(:hashes))"""
    rows = database.read(sql, {"hashes": hashes})
    exact = split_vectors.checked_rows([(q, v) for _, q, v in rows], space.dimensions)
    sound = {row[0]: v for row, v in zip(rows, exact, strict=True) if v is not None}
    return vectors.from_float16(sound)


def codes(database: Database, space: Space, ids: Iterable[int] | None) -> Iterator[CodeBatch]:
    """See `Storage.codes`."""
    within = "" if ids is None else "AND w.chunk_id IN (SELECT value FROM json_each(:ids))"
    sql = f"""
        {_rows_sql(space)} WHERE w.chunk_id > :after {within}
        ORDER BY w.chunk_id LIMIT :limit"""
    wanted = json.dumps([] if ids is None else list(ids))
    after = -1
    while rows := database.read(sql, {"after": after, "ids": wanted, "limit": CODES_AT_ONCE}):
        formed = [(key, q, v) for key, q, v in rows if is_formed((q, v), space.dimensions)]
        yield split_vectors.code_batch(formed)
        after = rows[-1][0]
