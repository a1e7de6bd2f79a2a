"""Creating, filling, activating and removing embedding spaces.

Loaded only by those operations; a search uses the active space alone.
"""

import json
from collections.abc import Collection, Mapping

from contracts import KeywordFields
from memory.storage.database import Database, Transaction
from memory.storage.sqlite.keywords.fts import add_fields, remove_fields
from memory.storage.sqlite.schema import vector_log_sql, vector_tables_sql
from memory.storage.sqlite.split_vectors import CRC_BYTES, checked_rows
from memory.storage.sqlite.vectors import code_table
from memory.storage.values import Space, SpaceSize, SpaceState, utc_now
from memory.storage.vectors import LARGE, vector_table

_ALL_SQL = f"SELECT {', '.join(Space._fields)} FROM spaces ORDER BY id"
_NEW_SQL = """
INSERT INTO spaces
    (provider, model, revision, dimensions, embedder, generation, chunking, state, request,
    created_at)
VALUES
    (:provider, :model, :revision, :dimensions, :embedder, :generation, :chunking, :state, :request,
    :now)
RETURNING id
"""
_FILL_SQL = """
UPDATE spaces SET request = :request,
    state = CASE WHEN state = 'active' THEN 'active' ELSE 'filling' END
WHERE id = :id RETURNING state
"""
_LOG_ENDS_SQL = """
INSERT INTO changes (chunk_id) VALUES (0), (0);
DELETE FROM changes WHERE seq < (SELECT max(seq) FROM changes);
"""
"""Two change log entries without a chunk, one of which is deleted at once. Changes of inactive
spaces are not logged, so no reader may use the log across a swap.
"""

_STATE_SQL = "UPDATE spaces SET state = :state WHERE id = :id"
_REMOVE_CHUNKS_SQL = """
DELETE FROM chunks WHERE id IN (
    SELECT id FROM chunks WHERE generation = :generation
        AND generation NOT IN (SELECT generation FROM spaces WHERE id <> :id) LIMIT :limit
) RETURNING id
"""

_NOW_BESIDE_SQL = """
INSERT INTO keywords_beside SELECT DISTINCT generation FROM spaces WHERE generation <> :generation
ON CONFLICT DO NOTHING
"""
_BESIDE_SQL = """
INSERT INTO keywords_beside SELECT :generation
WHERE EXISTS (SELECT 1 FROM spaces WHERE state = 'active' AND generation <> :generation)
ON CONFLICT DO NOTHING
"""
_WITHOUT_KEYWORDS_SQL = """
SELECT c.id FROM chunks AS c LEFT JOIN chunks_fts_docsize AS entry ON entry.id = c.id
WHERE c.id > :after AND c.generation = :generation AND entry.id IS NULL
ORDER BY c.id LIMIT :limit
"""
_REMOVABLE = """SELECT generation FROM keywords_beside WHERE generation NOT IN (
    SELECT generation FROM spaces WHERE state NOT IN (SELECT value FROM json_each(:states)))"""
_ENTRIES = """FROM chunks_fts_docsize AS entry CROSS JOIN chunks AS c ON c.id = entry.id"""
_REMOVABLE_SQL = f"""
SELECT entry.id {_ENTRIES} WHERE entry.id > :after AND c.generation IN ({_REMOVABLE})
ORDER BY entry.id LIMIT :limit
"""
_ALL_REMOVED_SQL = f"""
DELETE FROM keywords_beside WHERE generation IN ({_REMOVABLE})
    AND generation NOT IN (SELECT c.generation {_ENTRIES})
"""
_ANY_REMOVABLE_SQL = f"SELECT EXISTS ({_REMOVABLE})"


class SqliteSpaces:
    """`Spaces` of a SQLite database; see there for what each method means."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> list[Space]:
        return [Space(*row) for row in self._database.read(_ALL_SQL)]

    def create(self, tx: Transaction, space: Space) -> Space:
        ((space_id,),) = tx.run(_NEW_SQL, {**space._asdict(), "now": utc_now()})
        made = space._replace(id=space_id)
        tx.run(vector_tables_sql(vector_table(made), code_table(made)))
        if made.state == "active":
            self._serve(tx, made)
        return made

    def fill(self, tx: Transaction, space: Space) -> Space:
        for known in self.all():
            if (known.embedder, known.generation) == (space.embedder, space.generation):
                ((state,),) = tx.run(_FILL_SQL, {"request": space.request, "id": known.id})
                return known._replace(state=state, request=space.request)
        return self.create(tx, space._replace(state="filling"))

    def activate(self, tx: Transaction, space: Space) -> Space:
        for former in self.all():
            if former.state == "active":
                tx.run(_STATE_SQL, {"state": "retired", "id": former.id})
                for event in ("inserted", "updated"):
                    tx.run(f"DROP TRIGGER IF EXISTS {vector_table(former)}_{event}")
        tx.run(_STATE_SQL, {"state": "active", "id": space.id})
        self._serve(tx, space)
        tx.run(_LOG_ENDS_SQL)
        return space._replace(state="active")

    def size(self, space: Space) -> SpaceSize:
        sql = f"""SELECT (SELECT count(*) FROM chunks WHERE generation IN (:generation, '')),
            (SELECT count(*) FROM {vector_table(space)})"""
        ((chunks, vectors),) = self._database.read(sql, {"generation": space.generation})
        return SpaceSize(chunks, vectors)

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

    def remove_chunks(self, tx: Transaction, space: Space, *, limit: int) -> int:
        values = {"generation": space.generation, "id": space.id, "limit": limit}
        return len(tx.run(_REMOVE_CHUNKS_SQL, values))

    def drop(self, tx: Transaction, space: Space) -> None:
        tx.run(f"DROP TABLE {code_table(space)}")
        tx.run(f"DROP TABLE {vector_table(space)}")
        tx.run("DELETE FROM spaces WHERE id = :id", {"id": space.id})
        tx.run(
            "DELETE FROM keywords_beside WHERE generation NOT IN (SELECT generation FROM spaces)"
        )

    def chunks_without_keywords(self, space: Space, *, after: int, limit: int) -> list[int]:
        values = {"generation": space.generation, "after": after, "limit": limit}
        return [row[0] for row in self._database.read(_WITHOUT_KEYWORDS_SQL, values)]

    def add_keywords(
        self, tx: Transaction, space: Space, fields: Mapping[int, KeywordFields]
    ) -> None:
        tx.run(_BESIDE_SQL, {"generation": space.generation})
        add_fields(tx, fields)

    def has_keywords_beside(self, states: Collection[SpaceState]) -> bool:
        values = {"states": json.dumps(list(states))}
        return bool(self._database.read(_ANY_REMOVABLE_SQL, values)[0][0])

    def remove_keywords(
        self, tx: Transaction, states: Collection[SpaceState], *, after: int, limit: int
    ) -> list[int]:
        values = {"states": json.dumps(list(states)), "after": after, "limit": limit}
        ids = [row[0] for row in tx.run(_REMOVABLE_SQL, values)]
        remove_fields(tx, ids)
        return ids

    def forget_keywords(self, tx: Transaction, states: Collection[SpaceState]) -> None:
        tx.run(_ALL_REMOVED_SQL, {"states": json.dumps(list(states))})

    def _serve(self, tx: Transaction, space: Space) -> None:
        own = {"generation": space.generation}
        tx.run("DELETE FROM keywords_beside WHERE generation = :generation", own)
        tx.run(_NOW_BESIDE_SQL, own)
        tx.run(vector_log_sql(vector_table(space)))
