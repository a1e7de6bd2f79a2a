"""The vector leg in PostgreSQL: `halfvec` rows by a scan or an index, ordered by exact cosines."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import psycopg

from contracts import QueryVector, Scope, Scored
from memory.storage import vectors
from memory.storage.database import Transaction
from memory.storage.postgres.database import PostgresDatabase
from memory.storage.postgres.scope import scope_sql
from memory.storage.postgres.values import halfvec_rows, halfvec_text
from memory.storage.postgres.vector_index import INDEXED_FROM, VectorIndex, index_of
from memory.storage.postgres.writing.transaction import own_transaction
from memory.storage.values import CodeBatch, Row, Space, StoredVector
from memory.storage.vectors import vector_table

CODES_AT_ONCE: Final = 10_000
"""Rows in a batch of codes."""


def vector_candidates(
    database: PostgresDatabase,
    space: Space,
    vector: QueryVector,
    *,
    scope: Scope,
    limit: int,
    indexed_from: int = INDEXED_FROM,
) -> list[Scored]:
    """Return the nearest chunks by cosine, ties by id.

    Those that an index finds are nearly always the nearest; a scan of all always finds them.
    """
    search = Search(database, space, scope, vector, limit)
    index = index_of(database, space)
    if index is not None and search.holds_as_many_as(indexed_from):
        rows = search.nearest(index)
    else:
        rows = search.by_scan()
    exact = vectors.cosines(vector, [stored for _, stored in rows])
    scored = [Scored(row[0], score) for row, score in zip(rows, exact, strict=True)]
    return sorted(scored, key=lambda hit: (-hit.score, hit.chunk_id))[:limit]


class Search:
    """One search for the nearest vectors within a scope."""

    def __init__(
        self,
        database: PostgresDatabase,
        space: Space,
        scope: Scope,
        vector: QueryVector,
        limit: int,
    ) -> None:
        self._database = database
        self._limit = limit
        self._refined = vectors.refined(limit)
        self._conditions, values = scope_sql(scope)
        self._values = {**values, "q": halfvec_text(vector), "refined": self._refined}
        join = "JOIN chunks AS c ON c.id = w.chunk_id" if self._conditions else ""
        where = f"WHERE {' AND '.join(self._conditions)}" if self._conditions else ""
        here = database.vectors_in
        self._rows = f"SELECT w.chunk_id, w.v FROM {vector_table(space)} AS w {join} {where}"
        self._distance = f"w.v OPERATOR({here}.<#>) :q::{here}.halfvec"

    def holds_as_many_as(self, fewest: int) -> bool:
        """Return whether so many chunks are within the scope."""
        if not self._conditions:
            return True
        where = " AND ".join(self._conditions)
        sql = f"SELECT 1 FROM chunks AS c WHERE {where} OFFSET :fewest LIMIT 1"
        return bool(self._database.read(sql, {**self._values, "fewest": fewest - 1}))

    def nearest(self, index: VectorIndex) -> list[Row]:
        """Return the rows that the index finds, or those of a scan where they are too few."""
        rows = self.by_index(index)
        return rows if len(rows) >= self._limit else self.by_scan()

    def by_index(self, index: VectorIndex) -> list[Row]:
        """Return the rows that the index finds, some of which may be missing."""
        self._database.read(index.search_settings_sql(self._refined))
        return self._database.read_binary(self._sql(by_index=True), self._values)

    def by_scan(self) -> list[Row]:
        """Return the nearest rows of all."""
        return self._database.read_binary(self._sql(by_index=False), self._values)

    def explained(self, *, by_index: bool) -> str:
        """Return the server's plan for the statement."""
        rows = self._database.read(f"EXPLAIN {self._sql(by_index=by_index)}", self._values)
        return "\n".join(row[0] for row in rows)

    def _sql(self, *, by_index: bool) -> str:
        # No index has the second order, so none is used.
        order = self._distance if by_index else f"({self._distance}) + 0, w.chunk_id"
        return f"{self._rows} ORDER BY {order} LIMIT :refined"


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
    """See `Storage.put_vectors`. They are written before anything looks for them."""
    own_transaction(tx).write_later(
        _write_vectors, {(space.id, key): row for key, row in rows.items()}
    )


def _write_vectors(tx: Transaction, rows: Mapping[tuple[int, int], StoredVector]) -> None:
    """Write the vectors of a space. Only those of the active one are logged."""
    own = own_transaction(tx)
    by_space: dict[int, dict[int, StoredVector]] = {}
    for (number, chunk_id), row in rows.items():
        by_space.setdefault(number, {})[chunk_id] = row
    active = {number for (number,) in tx.run("SELECT id FROM spaces WHERE state = 'active'")}
    for number, held in by_space.items():
        sql = "SELECT id FROM chunks WHERE id IN (:ids) ORDER BY id"
        present = [row[0] for row in tx.run(sql, {"ids": list(held)})]
        table = f"vectors_{number:d}"
        tx.run(f"DELETE FROM {table} WHERE chunk_id IN (:ids)", {"ids": present})
        with psycopg.Cursor(own.connection).copy(
            f"COPY {table} (chunk_id, v) FROM STDIN (FORMAT binary)"
        ) as copy:
            copy.write(halfvec_rows((key, held[key].v) for key in present))
        if number in active:
            own.log_chunks(present)


def live_vectors(
    database: PostgresDatabase, space: Space, hashes: Sequence[bytes]
) -> dict[bytes, StoredVector]:
    """Return the vectors of chunks with these contents."""
    sql = f"""
        SELECT c.hash, w.v FROM chunks AS c JOIN {vector_table(space)} AS w ON w.chunk_id = c.id
        WHERE c.hash IN (:hashes)"""
    rows = database.read_binary(sql, {"hashes": list(hashes)})
    return vectors.from_float16({bytes(content): v for content, v in rows})


def codes(
    database: PostgresDatabase, space: Space, ids: Iterable[int] | None
) -> Iterator[CodeBatch]:
    """See `Storage.codes`. The codes are computed from the vectors, which alone are stored."""
    from memory.storage.portable.vector_steps import code_batch  # loads numpy

    within = "" if ids is None else "AND chunk_id IN (:ids)"
    sql = f"""
        SELECT chunk_id, v FROM {vector_table(space)} WHERE chunk_id > :after {within}
        ORDER BY chunk_id LIMIT :limit"""
    wanted = [] if ids is None else list(ids)
    after = -1
    while rows := database.read_binary(
        sql, {"after": after, "ids": wanted, "limit": CODES_AT_ONCE}
    ):
        stored: dict[int, StoredVector] = vectors.from_float16(dict(rows))
        yield code_batch(list(stored), list(stored.values()))
        after = rows[-1][0]
