"""Creating, filling, activating and removing embedding spaces, the same over every engine.

Loaded only by those operations; a search uses the active space alone.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from contracts import KeywordFields
from memory.storage.database import Database, Transaction
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
REMOVABLE: Final = """SELECT generation FROM keywords_beside WHERE generation NOT IN (
    SELECT generation FROM spaces WHERE state NOT IN (:states))"""
"""The generations whose keyword entries no search needs, where all spaces are in these states."""

_ANY_REMOVABLE_SQL: Final = f"SELECT EXISTS ({REMOVABLE})"


class PortableSpaces(ABC):
    """`Spaces` of a database; see there for what each method means."""

    log_ends_sql: Sequence[str]
    """Two entries of the change log without a chunk, of which it has the second alone.

    Changes of inactive spaces are not logged, so no reader may use the log across a swap.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    @abstractmethod
    def _create_tables(self, tx: Transaction, space: Space) -> None:
        """Create the tables of its vectors."""

    @abstractmethod
    def _drop_tables(self, tx: Transaction, space: Space) -> None: ...

    @abstractmethod
    def malformed(self, space: Space) -> int: ...

    @abstractmethod
    def sample(self, space: Space, *, limit: int) -> dict[int, bytes]: ...

    @abstractmethod
    def chunks_without_keywords(self, space: Space, *, after: int, limit: int) -> list[int]: ...

    @abstractmethod
    def remove_keywords(
        self, tx: Transaction, states: Collection[SpaceState], *, after: int, limit: int
    ) -> list[int]: ...

    @abstractmethod
    def forget_keywords(self, tx: Transaction, states: Collection[SpaceState]) -> None: ...

    @abstractmethod
    def _add_fields(self, tx: Transaction, fields: Mapping[int, KeywordFields]) -> None: ...

    @abstractmethod
    def _log_vectors(self, tx: Transaction, space: Space) -> None:
        """Have changes of its vectors logged from now on."""

    @abstractmethod
    def _stop_logging(self, tx: Transaction, space: Space) -> None:
        """Have them logged no longer."""

    def all(self) -> list[Space]:
        return [Space(*row) for row in self._database.read(_ALL_SQL)]

    def create(self, tx: Transaction, space: Space) -> Space:
        ((space_id,),) = tx.run(_NEW_SQL, {**space._asdict(), "now": utc_now()})
        made = space._replace(id=space_id)
        self._create_tables(tx, made)
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
                self._stop_logging(tx, former)
        tx.run(_STATE_SQL, {"state": "active", "id": space.id})
        self._serve(tx, space)
        for sql in self.log_ends_sql:
            tx.run(sql)
        return space._replace(state="active")

    def size(self, space: Space) -> SpaceSize:
        sql = f"""SELECT (SELECT count(*) FROM chunks WHERE generation IN (:generation, '')),
            (SELECT count(*) FROM {vector_table(space)})"""
        ((chunks, vectors),) = self._database.read(sql, {"generation": space.generation})
        return SpaceSize(chunks, vectors)

    def remove_chunks(self, tx: Transaction, space: Space, *, limit: int) -> int:
        values = {"generation": space.generation, "id": space.id, "limit": limit}
        return len(tx.run(_REMOVE_CHUNKS_SQL, values))

    def drop(self, tx: Transaction, space: Space) -> None:
        self._drop_tables(tx, space)
        tx.run("DELETE FROM spaces WHERE id = :id", {"id": space.id})
        tx.run(
            "DELETE FROM keywords_beside WHERE generation NOT IN (SELECT generation FROM spaces)"
        )

    def add_keywords(
        self, tx: Transaction, space: Space, fields: Mapping[int, KeywordFields]
    ) -> None:
        tx.run(_BESIDE_SQL, {"generation": space.generation})
        self._add_fields(tx, fields)

    def has_keywords_beside(self, states: Collection[SpaceState]) -> bool:
        return bool(self._database.read(_ANY_REMOVABLE_SQL, {"states": list(states)})[0][0])

    def _serve(self, tx: Transaction, space: Space) -> None:
        own = {"generation": space.generation}
        tx.run("DELETE FROM keywords_beside WHERE generation = :generation", own)
        tx.run(_NOW_BESIDE_SQL, own)
        self._log_vectors(tx, space)
