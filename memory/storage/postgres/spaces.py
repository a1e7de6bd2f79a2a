"""The tables of an embedding space in PostgreSQL."""

from collections.abc import Collection, Mapping
from typing import Final

from contracts import KeywordFields
from memory.storage.database import Transaction
from memory.storage.portable.spaces import REMOVABLE, PortableSpaces
from memory.storage.postgres.database import PostgresDatabase
from memory.storage.postgres.keywords.entries import add_fields, remove_fields
from memory.storage.values import Space, SpaceState
from memory.storage.vectors import vector_table

_WITHOUT_KEYWORDS_SQL: Final = """
SELECT c.id FROM chunks AS c LEFT JOIN keyword_entries AS entry ON entry.chunk_id = c.id
WHERE c.id > :after AND c.generation = :generation AND entry.chunk_id IS NULL
ORDER BY c.id LIMIT :limit
"""
_ENTRIES: Final = "FROM keyword_entries AS entry JOIN chunks AS c ON c.id = entry.chunk_id"
_REMOVABLE_SQL: Final = f"""
SELECT c.id {_ENTRIES} WHERE c.id > :after AND c.generation IN ({REMOVABLE})
ORDER BY c.id LIMIT :limit
"""
_ALL_REMOVED_SQL: Final = f"""
DELETE FROM keywords_beside WHERE generation IN ({REMOVABLE})
    AND generation NOT IN (SELECT c.generation {_ENTRIES})
"""


class PostgresSpaces(PortableSpaces):
    """`Spaces` of a schema; see there for what each method means."""

    log_ends_sql = (
        "DELETE FROM changes",
        "UPDATE log_ends SET last = last + 2 WHERE log = 'changes'",
        "INSERT INTO changes (seq, chunk_id) SELECT last, 0 FROM log_ends WHERE log = 'changes'",
    )
    _database: PostgresDatabase

    def malformed(self, space: Space) -> int:
        return 0  # the type of the column has the dimensions

    def sample(self, space: Space, *, limit: int) -> dict[int, bytes]:
        sql = f"SELECT chunk_id, v FROM {vector_table(space)} ORDER BY random() LIMIT :limit"
        return dict(self._database.read_binary(sql, {"limit": limit}))

    def chunks_without_keywords(self, space: Space, *, after: int, limit: int) -> list[int]:
        values = {"generation": space.generation, "after": after, "limit": limit}
        return [row[0] for row in self._database.read(_WITHOUT_KEYWORDS_SQL, values)]

    def remove_keywords(
        self, tx: Transaction, states: Collection[SpaceState], *, after: int, limit: int
    ) -> list[int]:
        values = {"states": list(states), "after": after, "limit": limit}
        ids = [row[0] for row in tx.run(_REMOVABLE_SQL, values)]
        remove_fields(tx, ids)
        return ids

    def forget_keywords(self, tx: Transaction, states: Collection[SpaceState]) -> None:
        tx.run(_ALL_REMOVED_SQL, {"states": list(states)})

    def _create_tables(self, tx: Transaction, space: Space) -> None:
        table, here = vector_table(space), self._database.vectors_in
        tx.run(vector_table_sql(table, dimensions=space.dimensions, vectors_in=here))

    def _drop_tables(self, tx: Transaction, space: Space) -> None:
        tx.run(f"DROP TABLE {vector_table(space)}")

    def _log_vectors(self, tx: Transaction, space: Space) -> None:
        """Do nothing: the transaction that stores a vector logs it."""

    def _stop_logging(self, tx: Transaction, space: Space) -> None:
        """Do nothing."""

    def _add_fields(self, tx: Transaction, fields: Mapping[int, KeywordFields]) -> None:
        add_fields(tx, fields)


def vector_table_sql(table: str, *, dimensions: int, vectors_in: str) -> str:
    """Return the statement that creates the table of a space's vectors."""
    return f"""
CREATE TABLE {table} (
    chunk_id bigint PRIMARY KEY REFERENCES chunks (id) ON DELETE CASCADE,
    v {vectors_in}.halfvec({dimensions:d}) NOT NULL
)"""
