"""The tables of memories: their rows, search words, links to turns and actions.

The searchable side, a chunk for each active memory, belongs to
`memory.conversations.memories.writing`.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from contracts.named_tuple import NamedTuple
from memory.conversations.memories.comparison.sentence_similarity import sentence
from memory.conversations.memories.values import UNCONFIRMED, Memory, MemoryLink
from memory.storage import Database, Storage, Transaction
from memory.storage.values import Row
from memory.values.inserted_values import UNKNOWN_TIME, object_of, text_of, texts_of, time_of

_COLUMNS = (
    *("id", "layer", "content", "created_at", "last_seen_at", "hits", "score", "importance"),
    *("status", "tags_json", "occurred_at", "updated_at", "origin", "slot", "value"),
    *("metadata", "superseded_by"),
)
SELECT_SQL = f"SELECT {', '.join(_COLUMNS)} FROM memories"
_STORED = (*_COLUMNS, "words")
_WRITTEN = _STORED[1:]
_VALUES = {name: f":{name}" for name in _STORED}
_CHANGES = _VALUES | {
    "superseded_by": "(SELECT s.id FROM memories AS s WHERE s.id = :superseded_by)"
}
"""The value of each column; a successor that another program wrote may not be there."""
_INSERT_SQL = f"""
INSERT INTO memories ({", ".join(_STORED)})
VALUES ({", ".join(_VALUES.values())}) RETURNING id
"""
_UPDATE_SQL = f"""
UPDATE memories SET {", ".join(f"{name} = {_CHANGES[name]}" for name in _WRITTEN)} WHERE id = :id
"""
_LINK_COLUMNS = ("memory_id", "turn_id", "reason", "rule", "start_char", "end_char", "created_at")
_LINKS_SQL = f"SELECT {', '.join(_LINK_COLUMNS)} FROM memory_links"
_LINK_SQL = f"""
INSERT INTO memory_links ({", ".join(_LINK_COLUMNS)})
VALUES ({", ".join(f":{name}" for name in _LINK_COLUMNS)})
ON CONFLICT (memory_id, turn_id) DO NOTHING
"""
_OF_TURN_SQL = f"""
SELECT {", ".join(f"m.{name}" for name in _COLUMNS)} FROM memory_links AS l
JOIN memories AS m ON m.id = l.memory_id WHERE l.turn_id = :turn_id ORDER BY m.id
"""
_ONE_WORD_SQL = """
SELECT memory_id FROM (
    SELECT memory_id FROM memory_words WHERE word = :w{0} ORDER BY memory_id DESC LIMIT :newest
) AS t{0}
"""
_ALIKE_SQL = """
SELECT m.id, m.content, m.words FROM (
    SELECT memory_id, count(*) AS shared FROM ({}) AS hit
    GROUP BY memory_id ORDER BY shared DESC, memory_id DESC LIMIT :most
) AS near JOIN memories AS m ON m.id = near.memory_id
WHERE m.slot IS NULL ORDER BY near.shared DESC, m.id DESC
"""

NEWEST_OF_A_WORD = 300
"""The number of memories with a word that are compared to find one that says the same.

A sentence rarely shares a word with more memories than that without sharing a rarer one; a memory
with all the same words is found by its key, however many there are.
"""

MOST_ALIKE = 16
MOST_WORDS = 24

NO_WORDS = " "
"""The words of a memory that another program inserted; no sentence has them."""

OLD_SLOTS = ("user/email", "user/timezone")
"""Slots under names of an older version; they are `user/e-mail` and `user/time zone` now."""

INCOMPLETE = "(words = :words OR slot IN (:old_slots))"


class SimilarMemory(NamedTuple):
    """A memory that shares words with a query, and its words in their plain form."""

    id: int
    content: str
    words: tuple[str, ...]


class Condition(NamedTuple):
    """An SQL condition on the columns of memories, and its parameters."""

    sql: str
    parameters: Mapping[str, Any]


class MemoryStore:
    """Reads and writes of memories; the only code that knows their tables."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._database: Database = storage.database

    def get(self, memory_id: int) -> Memory | None:
        found = self._where("id = :id", {"id": memory_id})
        return found[0] if found else None

    def get_many(self, ids: Iterable[int]) -> dict[int, Memory]:
        """Return those of these memories that exist, by id."""
        found = self._where("id IN (:ids)", {"ids": list(ids)})
        return {memory.id: memory for memory in found}

    def with_words(self, words: str) -> list[Memory]:
        """Return the active memories with the same words, strongest first."""
        condition = "words = :words AND status = 'active' ORDER BY hits DESC, id"
        return self._where(condition, {"words": words})

    def of_slot(self, slot: str) -> list[Memory]:
        """Return the active memories of a slot, newest first."""
        condition = "slot = :slot AND status = 'active' ORDER BY occurred_at DESC, id DESC"
        return self._where(condition, {"slot": slot})

    def unconfirmed(self, slot: str) -> list[Memory]:
        """Return the memories that may hold the present value of a slot, oldest first."""
        condition = """slot = :slot AND status = 'archived' AND tags_json LIKE :tag
            ORDER BY occurred_at, id"""
        return self._where(condition, {"slot": slot, "tag": f'%"{UNCONFIRMED}"%'})

    def with_any_word(self, words: Sequence[str]) -> list[Memory]:
        """Return the active memories with any of these search words, newest first."""
        condition = """id IN (SELECT memory_id FROM memory_words WHERE word IN (:words))
            AND status = 'active' ORDER BY occurred_at DESC, id DESC"""
        return self._where(condition, {"words": list(words)})

    def imported(self, key: str) -> list[Memory]:
        """Return the memories whose metadata have this key."""
        return self._where("metadata LIKE :key ORDER BY id", {"key": f'%"{key}"%'})

    def superseded_by(self, memory_id: int) -> list[Memory]:
        """Return the memories that this one replaced."""
        return self._where("superseded_by = :id ORDER BY id", {"id": memory_id})

    def similar(self, words: Sequence[str]) -> list[SimilarMemory]:
        """Return the active memories without a slot that share the most of these words.

        It scans no table.
        """
        wanted = words[:MOST_WORDS]
        if not wanted:
            return []
        parts = " UNION ALL ".join(_ONE_WORD_SQL.format(at) for at in range(len(wanted)))
        values: dict[str, Any] = {f"w{at}": word for at, word in enumerate(wanted)}
        values |= {"newest": NEWEST_OF_A_WORD, "most": MOST_ALIKE}
        rows = self._database.read(_ALIKE_SQL.format(parts), values)
        return [
            SimilarMemory(memory_id, content, tuple(key.split()))
            for memory_id, content, key in rows
        ]

    def incomplete(self, *, after: int = 0, limit: int) -> list[Memory]:
        """Return the first memories above an id that another program inserted, or that an older
        version stored with the former name of a slot, by id.
        """
        condition = f"{INCOMPLETE} AND id > :after ORDER BY id LIMIT :limit"
        values = {"words": NO_WORDS, "old_slots": list(OLD_SLOTS), "after": after, "limit": limit}
        return self._where(condition, values)

    def has_incomplete(self) -> bool:
        """Return whether there are such memories; two lookups in indexes."""
        sql = f"SELECT 1 FROM memories WHERE {INCOMPLETE} LIMIT 1"
        return bool(self._database.read(sql, {"words": NO_WORDS, "old_slots": list(OLD_SLOTS)}))

    def edited_among(self, ids: Collection[int]) -> list[int]:
        """Return those of these memories, and of all that are not active, whose words are not those
        of their content: another program has changed it.
        """
        sql = """SELECT id, content, words FROM memories
            WHERE (status <> 'active' OR id IN (:ids)) AND words <> :inserted"""
        rows = self._database.read(sql, {"ids": list(ids), "inserted": NO_WORDS})
        return [key for key, text, words in rows if sentence(text_of(text)).key != words]

    def indexed_texts(self, ids: Collection[int]) -> dict[int, str]:
        """Return the texts of the first chunks of these memories, which may be gone."""
        sql = """SELECT owner_id, text FROM chunks
            WHERE source = 'memory' AND owner_id IN (:ids) AND ordinal = 0"""
        rows = self._database.read(sql, {"ids": [str(key) for key in ids]})
        return {int(owner): text for owner, text in rows}

    def of_turn(self, turn_id: int) -> list[Memory]:
        """Return the memories linked to a turn, whatever their status."""
        return [memory_of(row) for row in self._database.read(_OF_TURN_SQL, {"turn_id": turn_id})]

    def links(self, memory_id: int) -> list[MemoryLink]:
        """Return the links of a memory to turns, in the order of their creation."""
        return self.links_of([memory_id])

    def links_of(self, memory_ids: Iterable[int]) -> list[MemoryLink]:
        """Return the links of several memories to turns, in the order of their creation."""
        sql = f"{_LINKS_SQL} WHERE memory_id IN (:ids) ORDER BY created_at, turn_id"
        return [MemoryLink(*row) for row in self._database.read(sql, {"ids": list(memory_ids)})]

    def turns_of(self, memory_ids: Iterable[int]) -> dict[int, set[int]]:
        """Return the turns that each of these memories is linked to; none: it is missing."""
        sql = "SELECT memory_id, turn_id FROM memory_links WHERE memory_id IN (:ids)"
        found: dict[int, set[int]] = {}
        for memory_id, turn_id in self._database.read(sql, {"ids": list(memory_ids)}):
            found.setdefault(memory_id, set()).add(turn_id)
        return found

    def important(self, tag: str, *, limit: int) -> list[Memory]:
        """Return the first active memories of importance 1 with a tag, in the order of telling."""
        condition = """layer IN ('mid', 'long') AND importance = 1 AND status = 'active'
            AND list_holds(tags_json, :tag) ORDER BY occurred_at, id LIMIT :limit"""
        return self._where(condition, {"tag": tag, "limit": limit})

    def links_of_turn(self, turn_id: int) -> list[MemoryLink]:
        """Return the links of a turn to memories, with their reasons."""
        sql = f"{_LINKS_SQL} WHERE turn_id = :id ORDER BY memory_id"
        return [MemoryLink(*row) for row in self._database.read(sql, {"id": turn_id})]

    def page(self, conditions: Sequence[Condition], *, order: str, limit: int) -> list[Memory]:
        """Return the first memories that meet all conditions, by falling value of an expression."""
        where = " AND ".join(condition.sql for condition in conditions) or "1 = 1"
        values = {
            name: value for condition in conditions for name, value in condition.parameters.items()
        }
        sql = f"{where} ORDER BY {order} DESC, id DESC LIMIT :limit"
        return self._where(sql, {**values, "limit": limit})

    def insert(self, tx: Transaction, memory: Memory, *, keeps_id: bool = False) -> int:
        """Store a memory and return its id: a new one, or its own if `keeps_id` and it is free."""
        own = memory.id if keeps_id and self.get(memory.id) is None else None
        return int(tx.run(_INSERT_SQL, {**_parameters(memory), "id": own})[0][0])

    def update(self, tx: Transaction, memory: Memory) -> None:
        """Write all columns of an existing memory."""
        tx.run(_UPDATE_SQL, {**_parameters(memory), "id": memory.id})

    def put_words(self, tx: Transaction, memory_id: int, words: Iterable[str]) -> None:
        """Replace the words by which a memory is found."""
        tx.run("DELETE FROM memory_words WHERE memory_id = :id", {"id": memory_id})
        sql = "INSERT INTO memory_words (word, memory_id) VALUES (:word, :id)"
        tx.run_many(sql, [{"word": word, "id": memory_id} for word in dict.fromkeys(words)])

    def link(self, tx: Transaction, link: MemoryLink) -> None:
        """Link a memory to a turn; the first reason stays."""
        tx.run(_LINK_SQL, dict(zip(_LINK_COLUMNS, _values(link), strict=True)))

    def delete(self, tx: Transaction, memory_id: int) -> None:
        """Remove the row with its words and links."""
        tx.run("DELETE FROM memories WHERE id = :id", {"id": memory_id})

    def _where(self, condition: str, parameters: Mapping[str, Any]) -> list[Memory]:
        rows = self._database.read(f"{SELECT_SQL} WHERE {condition}", parameters)
        return [memory_of(row) for row in rows]


def memory_of(row: Row) -> Memory:
    """Return the memory of a row of `SELECT_SQL`.

    Another program may have inserted the row: see `memory.values.inserted_values`.
    """
    values = dict(zip(_COLUMNS, row, strict=True))
    values["tags"] = texts_of(values.pop("tags_json"))
    values["metadata"] = object_of(values["metadata"])
    values["content"] = text_of(values["content"])
    values["superseded_by"] = _number(values["superseded_by"])
    values["created_at"] = time_of(values["created_at"], otherwise=UNKNOWN_TIME)
    for name in ("occurred_at", "updated_at"):
        values[name] = time_of(values[name], otherwise=values["created_at"])
    if values["last_seen_at"] is not None:
        values["last_seen_at"] = time_of(values["last_seen_at"], otherwise=values["created_at"])
    return Memory(**values)


def _number(value: object) -> int | None:
    return value if isinstance(value, int) else None


def _parameters(memory: Memory) -> dict[str, Any]:
    values = {name: getattr(memory, name, None) for name in _WRITTEN}
    values["tags_json"] = json.dumps(list(memory.tags), ensure_ascii=False)
    values["metadata"] = json.dumps(dict(memory.metadata), ensure_ascii=False)
    values["words"] = sentence(memory.content).key
    return values


def _values(link: MemoryLink) -> tuple[Any, ...]:
    return tuple(getattr(link, name) for name in _LINK_COLUMNS)
