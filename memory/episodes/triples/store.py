"""Rows of `semantic_memory`, the memories of each fact, and which episodes have been read."""

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import fields
from typing import Any, Final

from contracts.named_tuple import NamedTuple
from memory.conversations.provenance import STATES
from memory.episodes.triples.values import State, Triple
from memory.storage import Database, Transaction
from memory.storage.values import Row

_COLUMNS: Final = tuple(field.name for field in fields(Triple))
_STORED: Final = (*_COLUMNS, "key")
_SELECT: Final = f"SELECT {', '.join(_COLUMNS)} FROM semantic_memory"
_INSERT_SQL: Final = f"""
INSERT INTO semantic_memory ({", ".join(_STORED)})
VALUES ({", ".join(f":{name}" for name in _STORED)}) RETURNING id
"""
_UPDATE_SQL: Final = f"""
UPDATE semantic_memory SET {", ".join(f"{name} = :{name}" for name in _COLUMNS[1:])} WHERE id = :id
"""
_SOURCE_SQL: Final = """
INSERT INTO semantic_sources (memory_id, triple_id, entity, named_by)
VALUES (:memory_id, :triple_id, :entity, :named_by)
ON CONFLICT (memory_id) DO UPDATE SET triple_id = excluded.triple_id,
    entity = excluded.entity, named_by = excluded.named_by
"""
_SOURCES_SQL: Final = "SELECT memory_id, triple_id, entity, named_by FROM semantic_sources"

_SAID_SQL: Final = f"""
SELECT l.memory_id, e.id, t.id, l.rule, t.ts FROM memory_links AS l
JOIN turns AS t ON t.id = l.turn_id JOIN episodic_memory AS e ON e.id = t.episode_id
WHERE l.memory_id IN (:ids) AND e.summary <> '' AND e.importance_score >= :least AND {STATES}
ORDER BY e.id, t.id
"""
_OF_TURNS_SQL: Final = "SELECT DISTINCT memory_id FROM memory_links WHERE turn_id IN (:ids)"
_OF_EPISODES_SQL: Final = """
SELECT DISTINCT l.memory_id FROM memory_links AS l JOIN turns AS t ON t.id = l.turn_id
WHERE t.episode_id IN (:ids)
"""
_LAST_SQL: Final = """(SELECT {} FROM semantic_sources AS s
    JOIN memories AS m ON m.id = s.memory_id
    WHERE s.triple_id = r.id ORDER BY m.occurred_at DESC, m.id DESC LIMIT 1)"""
IS_CURRENT: Final = (
    f"r.key IS NOT NULL AND coalesce({_LAST_SQL.format('m.status')}, 'active') = 'active'"
)
"""The condition on a row `r` of `semantic_memory` that its memory said last is active, or that no
memory says it: another program inserted it."""

_ENDED: Final = f"""EXISTS (SELECT 1 FROM memory_links AS l
    WHERE l.memory_id = m.id AND l.reason = 'conflict' AND NOT {STATES})"""
_STATE: Final = f"""CASE WHEN m.status = 'active' THEN 'current'
    WHEN m.tags_json LIKE '%"unconfirmed"%' THEN 'unconfirmed'
    WHEN m.superseded_by IS NOT NULL THEN 'superseded'
    WHEN {_ENDED} THEN 'ended' ELSE 'archived' END"""
_STATES_SQL: Final = f"""
SELECT r.id, {_LAST_SQL.format(_STATE)} FROM semantic_memory AS r WHERE r.id IN (:ids)
"""
_COUNTS_SQL: Final = f"""
SELECT count(*), coalesce(sum(CASE WHEN {IS_CURRENT} THEN 1 ELSE 0 END), 0)
FROM semantic_memory AS r WHERE r.key IS NOT NULL
"""
_UNREAD: Final = "episodic_memory WHERE facts_at IS NULL AND summary <> ''"


class Source(NamedTuple):
    """A memory of a fact, its own word for the entity, and the memory that gave that a name."""

    memory_id: int
    triple_id: int
    entity: str
    named_by: int | None


class Said(NamedTuple):
    """A turn of an important episode that stated a memory, by a rule or a model."""

    memory_id: int
    episode_id: int
    turn_id: int
    rule: str
    ts: str


class TripleStore:
    """Reads and writes of triples. In a transaction of the same thread they see its changes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, triple_id: int) -> Triple | None:
        found = self.many([triple_id])
        return found[0] if found else None

    def many(self, triple_ids: Iterable[int]) -> list[Triple]:
        """Return those of these facts that exist, by id; of forgotten ones nothing is left."""
        return self._read(f"{_SELECT} WHERE id IN (:ids) ORDER BY id", ids=list(triple_ids))

    def after(self, triple_id: int, *, limit: int) -> list[Triple]:
        """Return the first facts above an id, forgotten ones left out."""
        sql = f"{_SELECT} WHERE id > :after AND key IS NOT NULL ORDER BY id LIMIT :limit"
        return self._read(sql, after=triple_id, limit=limit)

    def with_key(self, key: str) -> Triple | None:
        found = self._read(f"{_SELECT} WHERE key = :key", key=key)
        return found[0] if found else None

    def insert(
        self, tx: Transaction, triple: Triple, key: str | None, *, keeps_id: bool = False
    ) -> int:
        """Store a fact and return its id: a new one, or its own if `keeps_id` and it is free."""
        values = {**_row_of(triple), "key": key}
        if not keeps_id or self.get(triple.id) is not None:
            values["id"] = None
        ((triple_id,),) = tx.run(_INSERT_SQL, values)
        return int(triple_id)

    def update(self, tx: Transaction, triple: Triple) -> None:
        """Write all columns of an existing fact."""
        tx.run(_UPDATE_SQL, _row_of(triple))

    def put_key(self, tx: Transaction, triple_id: int, key: str) -> None:
        """Make a fact that another program inserted known by its key."""
        sql = "UPDATE semantic_memory SET key = :key WHERE id = :id"
        tx.run(sql, {"key": key, "id": triple_id})

    def delete(self, tx: Transaction, triple_id: int) -> None:
        """Remove a fact with the record of its sources."""
        tx.run("DELETE FROM semantic_memory WHERE id = :id", {"id": triple_id})

    def put_source(self, tx: Transaction, source: Source) -> None:
        """Make a memory a source of a fact, and of no other."""
        tx.run(_SOURCE_SQL, source._asdict())

    def drop_source(self, tx: Transaction, memory_id: int) -> None:
        """Make a memory a source of no fact."""
        tx.run("DELETE FROM semantic_sources WHERE memory_id = :id", {"id": memory_id})

    def sources(self, memory_ids: Iterable[int]) -> dict[int, Source]:
        """Return what these memories are sources of, by memory."""
        rows = self._database.read(
            f"{_SOURCES_SQL} WHERE memory_id IN (:ids)", {"ids": list(memory_ids)}
        )
        return {row[0]: Source(*row) for row in rows}

    def sources_of(self, triple_ids: Iterable[int]) -> list[Source]:
        """Return the memories of facts."""
        sql = f"{_SOURCES_SQL} WHERE triple_id IN (:ids) ORDER BY memory_id"
        return [Source(*row) for row in self._database.read(sql, {"ids": list(triple_ids)})]

    def named_by(self, memory_ids: Iterable[int]) -> list[int]:
        """Return the memories whose entity has its name from these."""
        sql = "SELECT memory_id FROM semantic_sources WHERE named_by IN (:ids)"
        return [row[0] for row in self._database.read(sql, {"ids": list(memory_ids)})]

    def of_entities(self, entities: Iterable[str]) -> list[int]:
        """Return the memories of facts that call their entity so."""
        sql = "SELECT memory_id FROM semantic_sources WHERE entity IN (:entities)"
        return [row[0] for row in self._database.read(sql, {"entities": list(entities)})]

    def said(self, memory_ids: Iterable[int], *, least: float) -> list[Said]:
        """Return where these memories were stated in episodes of at least that importance."""
        values = {"ids": list(memory_ids), "least": least}
        return [Said(*row) for row in self._database.read(_SAID_SQL, values)]

    def memories_of_turns(self, turn_ids: Collection[int]) -> list[int]:
        """Return the memories linked to turns."""
        return [row[0] for row in self._database.read(_OF_TURNS_SQL, {"ids": list(turn_ids)})]

    def memories_of_episodes(self, episode_ids: Collection[int]) -> list[int]:
        """Return the memories linked to the turns of episodes."""
        rows = self._database.read(_OF_EPISODES_SQL, {"ids": list(episode_ids)})
        return [row[0] for row in rows]

    def states(self, triple_ids: Sequence[int]) -> dict[int, State]:
        """Return the state of each of these facts that have a memory."""
        rows = self._database.read(_STATES_SQL, {"ids": list(triple_ids)})
        return {row[0]: row[1] for row in rows if row[1] is not None}

    def counts(self) -> tuple[int, int]:
        """Return the number of facts, and of those that are current."""
        ((facts, current),) = self._database.read(_COUNTS_SQL)
        return int(facts), int(current)

    def unread(self, *, limit: int) -> list[int]:
        """Return the first episodes whose facts are to be read."""
        sql = f"SELECT id FROM {_UNREAD} ORDER BY id LIMIT :limit"
        return [row[0] for row in self._database.read(sql, {"limit": limit})]

    def mark_read(self, tx: Transaction, episode_id: int, at: str) -> None:
        """Note that the facts of an episode were read."""
        sql = "UPDATE episodic_memory SET facts_at = :at WHERE id = :id"
        tx.run(sql, {"id": episode_id, "at": at})

    def mark_episodes_unread(self, tx: Transaction, episode_ids: Collection[int]) -> None:
        """Have episodes read again."""
        sql = "UPDATE episodic_memory SET facts_at = NULL WHERE id IN (:ids)"
        tx.run(sql, {"ids": list(episode_ids)})

    def mark_unread(self, tx: Transaction, memory_ids: Collection[int]) -> None:
        """Have the episodes in which these memories were said read again."""
        tx.run(
            """UPDATE episodic_memory SET facts_at = NULL WHERE id IN (
                SELECT t.episode_id FROM turns AS t JOIN memory_links AS l ON l.turn_id = t.id
                WHERE l.memory_id IN (:ids))""",
            {"ids": list(memory_ids)},
        )

    def _read(self, sql: str, **parameters: Any) -> list[Triple]:
        return [triple_of(row) for row in self._database.read(sql, parameters)]


def triple_of(row: Row) -> Triple:
    """Return the fact of a row of all columns."""
    values = dict(zip(_COLUMNS, row, strict=True))
    return Triple(**{**values, "source_episodic_ids": ids_of(values["source_episodic_ids"])})


def ids_of(text: str) -> tuple[int, ...]:
    """Return the numbers of a JSON list, none of anything else."""
    try:
        found = json.loads(text)
    except ValueError:
        return ()
    return tuple(one for one in found if type(one) is int) if isinstance(found, list) else ()


def _row_of(triple: Triple) -> dict[str, Any]:
    values = {name: getattr(triple, name) for name in _COLUMNS}
    values["source_episodic_ids"] = json.dumps(list(triple.source_episodic_ids))
    return values
