"""The tables of an embedding space in SQLite."""

from collections.abc import Collection, Mapping
from typing import Final

from contracts import KeywordFields
from memory.storage.database import Transaction
from memory.storage.portable.spaces import REMOVABLE, PortableSpaces
from memory.storage.sqlite.keywords.fts import add_fields, remove_fields
from memory.storage.sqlite.schema import vector_log_sql, vector_tables_sql
from memory.storage.sqlite.split_vectors import CRC_BYTES, checked_rows
from memory.storage.sqlite.vectors import code_table
from memory.storage.values import Space, SpaceState
from memory.storage.vectors import LARGE, vector_table

_WITHOUT_KEYWORDS_SQL: Final = """
SELECT c.id FROM chunks AS c LEFT JOIN chunks_fts_docsize AS entry ON entry.id = c.id
WHERE c.id > :after AND c.generation = :generation AND entry.id IS NULL
ORDER BY c.id LIMIT :limit
"""
_ENTRIES: Final = "FROM chunks_fts_docsize AS entry CROSS JOIN chunks AS c ON c.id = entry.id"
_REMOVABLE_SQL: Final = f"""
SELECT entry.id {_ENTRIES} WHERE entry.id > :after AND c.generation IN ({REMOVABLE})
ORDER BY entry.id LIMIT :limit
"""
_ALL_REMOVED_SQL: Final = f"""
DELETE FROM keywords_beside WHERE generation IN ({REMOVABLE})
    AND generation NOT IN (SELECT c.generation {_ENTRIES})
"""


class SqliteSpaces(PortableSpaces):
    """`Spaces` of a SQLite database; see there for what each method means."""

    log_ends_sql = (
        "INSERT INTO changes (chunk_id) VALUES (0), (0)",
        "DELETE FROM changes WHERE seq < (SELECT max(seq) FROM changes)",
    )

    def malformed(self, space: Space) -> int:
        sql = f"""
            SELECT count(*) FROM {vector_table(space)} AS w
            LEFT JOIN {code_table(space)} AS n ON n.chunk_id = w.chunk_id
            WHERE length(n.q) IS NOT :dimensions OR length(w.v) < :least
                OR (length(w.v) - :least) % :large"""
        least = space.dimensions + CRC_BYTES
        values = {"dimensions": space.dimensions, "least": least, "large": LARGE.size}
        return int(self._database.read(sql, values)[0][0])

    def sample(self, space: Space, *, limit: int) -> dict[int, bytes]:
        sql = f"""
            SELECT w.chunk_id, n.q, w.v FROM {vector_table(space)} AS w
            JOIN {code_table(space)} AS n ON n.chunk_id = w.chunk_id WHERE w.chunk_id IN (
                SELECT chunk_id FROM {vector_table(space)} ORDER BY random() LIMIT :limit)"""
        rows = self._database.read(sql, {"limit": limit})
        exact = checked_rows([(q, v) for _, q, v in rows], space.dimensions)
        return {row[0]: v for row, v in zip(rows, exact, strict=True) if v is not None}

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
        tx.run(vector_tables_sql(vector_table(space), code_table(space)))

    def _drop_tables(self, tx: Transaction, space: Space) -> None:
        tx.run(f"DROP TABLE {code_table(space)}")
        tx.run(f"DROP TABLE {vector_table(space)}")

    def _log_vectors(self, tx: Transaction, space: Space) -> None:
        tx.run(vector_log_sql(vector_table(space)))

    def _stop_logging(self, tx: Transaction, space: Space) -> None:
        for event in ("inserted", "updated"):
            tx.run(f"DROP TRIGGER IF EXISTS {vector_table(space)}_{event}")

    def _add_fields(self, tx: Transaction, fields: Mapping[int, KeywordFields]) -> None:
        add_fields(tx, fields)
