"""The two tables of a space as they are stored."""

from collections.abc import Iterable, Iterator, Sequence

from memory.storage.database import Transaction
from memory.storage.sqlite.database import SqliteDatabase
from memory.storage.sqlite.split_vectors import checked_rows
from memory.storage.sqlite.vectors import code_table
from memory.storage.values import Space
from memory.storage.vectors import vector_table

READ_AT_ONCE = 10_000
"""Vectors that are read together: some megabytes."""

_LOG_SQL = "INSERT INTO changes (chunk_id) VALUES (:id)"


class SqliteVectorHealth:
    """`VectorHealth` over the tables of SQLite. See the protocol for what each method means."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database

    def rows(self, space: Space) -> Iterator[list[tuple[int, bytes | None]]]:
        sql = f"""SELECT v.chunk_id, coalesce(CAST(q.q AS BLOB), x''), CAST(v.v AS BLOB)
            FROM {vector_table(space)} AS v
            LEFT JOIN {code_table(space)} AS q ON q.chunk_id = v.chunk_id
            WHERE v.chunk_id > :after ORDER BY v.chunk_id LIMIT :limit"""
        after = -1
        # The caller may write in between.
        while rows := self._database.read(sql, {"after": after, "limit": READ_AT_ONCE}):
            exact = checked_rows([(q, v) for _, q, v in rows], space.dimensions)
            yield [(row[0], v) for row, v in zip(rows, exact, strict=True)]
            after = rows[-1][0]

    def count(self, space: Space, chunk_ids: Sequence[int]) -> int:
        parts = (
            f"(SELECT count(*) FROM {table} WHERE chunk_id IN (:ids))"
            for table in (vector_table(space), code_table(space))
        )
        return int(self._database.read(f"SELECT {' + '.join(parts)}", {"ids": chunk_ids})[0][0])

    def remove(self, tx: Transaction, space: Space, chunk_ids: Sequence[int]) -> None:
        sql = f"DELETE FROM {vector_table(space)} WHERE chunk_id = :id"
        tx.run_many(sql, ({"id": key} for key in chunk_ids))
        _log(tx, chunk_ids)

    def clear(self, tx: Transaction, space: Space) -> None:
        rows = tx.run(f"DELETE FROM {vector_table(space)} RETURNING chunk_id")
        _log(tx, [row[0] for row in rows])


def _log(tx: Transaction, chunk_ids: Iterable[int]) -> None:
    tx.run_many(_LOG_SQL, ({"id": key} for key in chunk_ids))
