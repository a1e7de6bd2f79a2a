"""The step to version 23: a byte of each component in `q`, and the other in `v`.

Before, `v` had float16 rows, and `q` codes that were made of them. The tables are made again, since
rows that shrink in their place would leave their pages half empty. The embedding cache loses what
chunks have, and keeps it from now on when they are removed.
"""

from itertools import islice
from typing import Any

import apsw

from memory.storage.sqlite.split_vectors import left_by_codes
from memory.storage.vectors import from_float16, is_unit

ROWS_AT_ONCE = 10_000

_SPACES = "SELECT id, dimensions FROM spaces"
_TRIGGERS = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?"
_NEW = """
ALTER TABLE {vectors} RENAME TO {vectors}_before;
ALTER TABLE {codes} RENAME TO {codes}_before;
CREATE TABLE {vectors} (
    chunk_id INTEGER PRIMARY KEY REFERENCES chunks (id) ON DELETE CASCADE,
    v BLOB NOT NULL
);
CREATE TABLE {codes} (
    chunk_id INTEGER PRIMARY KEY REFERENCES {vectors} (chunk_id) ON DELETE CASCADE,
    q BLOB NOT NULL
);
"""
_OLD = "SELECT chunk_id, v FROM {vectors}_before ORDER BY chunk_id"
_PUT_VECTOR = "INSERT INTO {vectors} (chunk_id, v) VALUES (?, ?)"
_PUT_CODE = "INSERT INTO {codes} (chunk_id, q) VALUES (?, ?)"
_DUPLICATES = """
DELETE FROM embedding_cache WHERE kind = 'document' AND EXISTS (
    SELECT 1 FROM spaces AS s WHERE s.id = ?1 AND s.embedder = embedding_cache.embedder
) AND hash IN (SELECT c.hash FROM chunks AS c JOIN {vectors} AS v ON v.chunk_id = c.id)
"""
_LIMITS = """
INSERT OR IGNORE INTO meta (key, value_json)
SELECT 'embedding_cache_limits', json_group_object(embedder, 536870912) FROM (
    SELECT DISTINCT embedder FROM embedding_cache WHERE kind = 'document'
) HAVING count(*)
"""
"""The next vector that is computed sets the limit of its configuration."""

_END = "DROP TABLE {codes}_before; DROP TABLE {vectors}_before;"


def split_vectors(connection: apsw.Connection) -> None:
    """Make the step, in an open transaction. Damaged vectors are left out, and made again."""
    connection.execute(_LIMITS).fetchall()
    spaces: list[Any] = connection.execute(_SPACES).fetchall()
    for space, dimensions in spaces:
        tables = {"vectors": f"vectors_{space:d}", "codes": f"vector_codes_{space:d}"}
        if all(connection.table_exists(None, table) for table in tables.values()):
            _split(connection, tables, space, dimensions)


def _split(
    connection: apsw.Connection, tables: dict[str, str], space: int, dimensions: int
) -> None:
    triggers: list[Any] = connection.execute(_TRIGGERS, (tables["vectors"],)).fetchall()
    for name, _ in triggers:  # no answer changes
        connection.execute(f"DROP TRIGGER {name}").fetchall()
    connection.execute(_NEW.format(**tables)).fetchall()
    old = connection.execute(_OLD.format(**tables))
    while rows := dict(islice(old, ROWS_AT_ONCE)):
        made = from_float16({key: v for key, v in rows.items() if _is_vector(v, dimensions)})
        left = zip(made, left_by_codes(list(made.values())), strict=True)
        connection.executemany(_PUT_VECTOR.format(**tables), left).fetchall()
        codes = ((key, row.q) for key, row in made.items())
        connection.executemany(_PUT_CODE.format(**tables), codes).fetchall()
    connection.execute(_END.format(**tables)).fetchall()
    connection.execute(_DUPLICATES.format(**tables), (space,)).fetchall()
    for _, sql in triggers:
        connection.execute(sql).fetchall()


def _is_vector(v: object, dimensions: int) -> bool:
    return isinstance(v, bytes) and len(v) == 2 * dimensions and is_unit(v)
