"""The vectors of a space as they are stored."""

from collections.abc import Iterator, Sequence
from typing import Final

from memory.storage.database import Transaction
from memory.storage.postgres.database import PostgresDatabase
from memory.storage.postgres.writing.transaction import own_transaction
from memory.storage.values import Space
from memory.storage.vectors import vector_table

READ_AT_ONCE: Final = 10_000
"""Vectors that are read together: some megabytes."""


class PostgresVectorHealth:
    """`VectorHealth` over the table of a space. See the protocol for what each method means."""

    def __init__(self, database: PostgresDatabase) -> None:
        self._database = database

    def rows(self, space: Space) -> Iterator[list[tuple[int, bytes | None]]]:
        sql = f"""SELECT chunk_id, v FROM {vector_table(space)} WHERE chunk_id > :after
            ORDER BY chunk_id LIMIT :limit"""
        after = -1
        while found := self._database.read_binary(sql, {"after": after, "limit": READ_AT_ONCE}):
            yield [(key, v) for key, v in found]
            after = found[-1][0]

    def count(self, space: Space, chunk_ids: Sequence[int]) -> int:
        sql = f"SELECT count(*) FROM {vector_table(space)} WHERE chunk_id IN (:ids)"
        return int(self._database.read(sql, {"ids": list(chunk_ids)})[0][0])

    def remove(self, tx: Transaction, space: Space, chunk_ids: Sequence[int]) -> None:
        sql = f"DELETE FROM {vector_table(space)} WHERE chunk_id IN (:ids)"
        tx.run(sql, {"ids": list(chunk_ids)})
        own_transaction(tx).log_chunks(chunk_ids)

    def clear(self, tx: Transaction, space: Space) -> None:
        rows = tx.run(f"DELETE FROM {vector_table(space)} RETURNING chunk_id")
        own_transaction(tx).log_chunks(row[0] for row in rows)
