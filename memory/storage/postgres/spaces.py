"""Creating, filling, activating and removing embedding spaces in PostgreSQL."""

from collections.abc import Collection, Mapping
from typing import Final

from contracts import KeywordFields
from memory.storage.database import Transaction
from memory.storage.postgres.connection import PostgresDatabase
from memory.storage.postgres.keywords.entries import add_fields, remove_fields
from memory.storage.postgres.tables import vector_table_sql
from memory.storage.values import Space, SpaceSize, SpaceState, utc_now
from memory.storage.vectors import vector_table

_ALL_SQL: Final = f"SELECT {', '.join(Space._fields)} FROM spaces ORDER BY id"
_NEW_SQL: Final = """
INSERT INTO spaces
    (provider, model, revision, dimensions, embedder, generation, chunking, state, request,
    created_at)
VALUES
    (:provider, :model, :revision, :dimensions, :embedder, :generation, :chunking, :state, :request,
    :now)
RETURNING id
"""
_FILL_SQL: Final = """
UPDATE spaces SET request = :request,
    state = CASE WHEN state = 'active' THEN 'active' ELSE 'filling' END
WHERE id = :id RETURNING state
"""
_LOG_ENDS_SQL: Final = (
    "DELETE FROM changes",
    "UPDATE log_ends SET last = last + 2 WHERE log = 'changes'",
    "INSERT INTO changes (seq, chunk_id) SELECT last, 0 FROM log_ends WHERE log = 'changes'",
)
"""Two numbers without a chunk, of which the log has the second alone: no reader may use the log
across a swap, since changes of inactive spaces are not in it."""

_STATE_SQL: Final = "UPDATE spaces SET state = :state WHERE id = :id"
_REMOVE_CHUNKS_SQL: Final = """
DELETE FROM chunks WHERE id IN (
    SELECT id FROM chunks WHERE generation = :generation
        AND generation NOT IN (SELECT generation FROM spaces WHERE id <> :id) LIMIT :limit
) RETURNING id
"""
_NOW_BESIDE_SQL: Final = """
INSERT INTO keywords_beside SELECT DISTINCT generation FROM spaces WHERE generation <> :generation
ON CONFLICT DO NOTHING
"""
_BESIDE_SQL: Final = """
INSERT INTO keywords_beside SELECT :generation
WHERE EXISTS (SELECT 1 FROM spaces WHERE state = 'active' AND generation <> :generation)
ON CONFLICT DO NOTHING
"""
_WITHOUT_KEYWORDS_SQL: Final = """
SELECT c.id FROM chunks AS c LEFT JOIN keyword_entries AS entry ON entry.chunk_id = c.id
WHERE c.id > :after AND c.generation = :generation AND entry.chunk_id IS NULL
ORDER BY c.id LIMIT :limit
"""
_REMOVABLE: Final = """SELECT generation FROM keywords_beside WHERE generation NOT IN (
    SELECT generation FROM spaces WHERE state NOT IN (:states))"""
_ENTRIES: Final = "FROM keyword_entries AS entry JOIN chunks AS c ON c.id = entry.chunk_id"
_REMOVABLE_SQL: Final = f"""
SELECT c.id {_ENTRIES} WHERE c.id > :after AND c.generation IN ({_REMOVABLE})
ORDER BY c.id LIMIT :limit
"""
_ALL_REMOVED_SQL: Final = f"""
DELETE FROM keywords_beside WHERE generation IN ({_REMOVABLE})
    AND generation NOT IN (SELECT c.generation {_ENTRIES})
"""
_ANY_REMOVABLE_SQL: Final = f"SELECT EXISTS ({_REMOVABLE})"


class PostgresSpaces:
    """`Spaces` of a schema; see there for what each method means."""

    def __init__(self, database: PostgresDatabase) -> None:
        self._database = database

    def all(self) -> list[Space]:
        return [Space(*row) for row in self._database.read(_ALL_SQL)]

    def create(self, tx: Transaction, space: Space) -> Space:
        ((space_id,),) = tx.run(_NEW_SQL, {**space._asdict(), "now": utc_now()})
        made = space._replace(id=space_id)
        table, here = vector_table(made), self._database.vectors_in
        tx.run(vector_table_sql(table, dimensions=made.dimensions, vectors_in=here))
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
        tx.run(_STATE_SQL, {"state": "active", "id": space.id})
        self._serve(tx, space)
        for sql in _LOG_ENDS_SQL:
            tx.run(sql)
        return space._replace(state="active")

    def size(self, space: Space) -> SpaceSize:
        sql = f"""SELECT (SELECT count(*) FROM chunks WHERE generation IN (:generation, '')),
            (SELECT count(*) FROM {vector_table(space)})"""
        ((chunks, vectors),) = self._database.read(sql, {"generation": space.generation})
        return SpaceSize(chunks, vectors)

    def malformed(self, space: Space) -> int:
        return 0  # the type of the column has the dimensions

    def sample(self, space: Space, *, limit: int) -> dict[int, bytes]:
        sql = f"SELECT chunk_id, v FROM {vector_table(space)} ORDER BY random() LIMIT :limit"
        return dict(self._database.read_binary(sql, {"limit": limit}))

    def remove_chunks(self, tx: Transaction, space: Space, *, limit: int) -> int:
        values = {"generation": space.generation, "id": space.id, "limit": limit}
        return len(tx.run(_REMOVE_CHUNKS_SQL, values))

    def drop(self, tx: Transaction, space: Space) -> None:
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
        return bool(self._database.read(_ANY_REMOVABLE_SQL, {"states": list(states)})[0][0])

    def remove_keywords(
        self, tx: Transaction, states: Collection[SpaceState], *, after: int, limit: int
    ) -> list[int]:
        values = {"states": list(states), "after": after, "limit": limit}
        ids = [row[0] for row in tx.run(_REMOVABLE_SQL, values)]
        remove_fields(tx, ids)
        return ids

    def forget_keywords(self, tx: Transaction, states: Collection[SpaceState]) -> None:
        tx.run(_ALL_REMOVED_SQL, {"states": list(states)})

    def _serve(self, tx: Transaction, space: Space) -> None:
        own = {"generation": space.generation}
        tx.run("DELETE FROM keywords_beside WHERE generation = :generation", own)
        tx.run(_NOW_BESIDE_SQL, own)
