"""Keeps memories: their rows, the words they are found by, their links to turns, what befell them.

The searchable side, a chunk for each active memory, is `memory.conversations.memories.writing`'s.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from memory.conversations.memories.values import Memory, MemoryLink
from memory.conversations.memories.word_similarity import sentence
from memory.storage import Database, Storage, Transaction
from memory.storage.values import Row

_COLUMNS = (
    *("id", "layer", "content", "created_at", "last_seen_at", "hits", "score", "importance"),
    *("status", "tags_json", "occurred_at", "updated_at", "origin", "slot", "value"),
    *("metadata", "superseded_by"),
)
SELECT_SQL = f"SELECT {', '.join(_COLUMNS)} FROM memories"
_STORED = (*_COLUMNS, "words")
_WRITTEN = _STORED[1:]
_INSERT_SQL = f"""
INSERT INTO memories ({", ".join(_STORED)})
VALUES ({", ".join(f":{name}" for name in _STORED)}) RETURNING id
"""
_UPDATE_SQL = f"""
UPDATE memories SET {", ".join(f"{name} = :{name}" for name in _WRITTEN)} WHERE id = :id
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
"""How many of the memories with a word are looked at for one that says the same.

A sentence has hardly any word in common with more memories than that and none that is rarer; one
whose words are the same altogether is found by its key however many there are.
"""

MOST_ALIKE = 16
MOST_WORDS = 24


class Alike(NamedTuple):
    """A memory that shares words with what was asked for, and its words in their plain form."""

    id: int
    content: str
    words: tuple[str, ...]


class Condition(NamedTuple):
    """What has to hold of a memory: an expression over its columns, and its parameters."""

    sql: str
    parameters: Mapping[str, Any]


class MemoryStore:
    """Reads and writes memories; the only code that knows their tables."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._database: Database = storage.database

    def get(self, memory_id: int) -> Memory | None:
        found = self._where("id = :id", {"id": memory_id})
        return found[0] if found else None

    def get_many(self, ids: Iterable[int]) -> dict[int, Memory]:
        """These memories as far as there are any, by id."""
        found = self._where("id IN (:ids)", {"ids": list(ids)})
        return {memory.id: memory for memory in found}

    def with_words(self, words: str) -> list[Memory]:
        """The active memories that say the same in the same words, the strongest first."""
        condition = "words = :words AND status = 'active' ORDER BY hits DESC, id"
        return self._where(condition, {"words": words})

    def of_slot(self, slot: str) -> list[Memory]:
        """The active memories of what can be true only once, the newest first."""
        condition = "slot = :slot AND status = 'active' ORDER BY occurred_at DESC, id DESC"
        return self._where(condition, {"slot": slot})

    def imported(self, key: str) -> list[Memory]:
        """The memories whose metadata have this key."""
        return self._where("metadata LIKE :key ORDER BY id", {"key": f'%"{key}"%'})

    def superseded_by(self, memory_id: int) -> list[Memory]:
        """The memories in whose place this one stepped."""
        return self._where("superseded_by = :id ORDER BY id", {"id": memory_id})

    def alike(self, words: Sequence[str]) -> list[Alike]:
        """The active memories without a slot that share the most of these words.

        No table is scanned for them.
        """
        wanted = words[:MOST_WORDS]
        if not wanted:
            return []
        parts = " UNION ALL ".join(_ONE_WORD_SQL.format(at) for at in range(len(wanted)))
        values: dict[str, Any] = {f"w{at}": word for at, word in enumerate(wanted)}
        values |= {"newest": NEWEST_OF_A_WORD, "most": MOST_ALIKE}
        rows = self._database.read(_ALIKE_SQL.format(parts), values)
        return [Alike(memory_id, content, tuple(key.split())) for memory_id, content, key in rows]

    def of_turn(self, turn_id: int) -> list[Memory]:
        """The memories that know a turn, whatever became of them."""
        return [memory_of(row) for row in self._database.read(_OF_TURN_SQL, {"turn_id": turn_id})]

    def links(self, memory_id: int) -> list[MemoryLink]:
        """The turns that a memory knows, in the order in which it came to know them."""
        sql = f"{_LINKS_SQL} WHERE memory_id = :id ORDER BY created_at, turn_id"
        return [MemoryLink(*row) for row in self._database.read(sql, {"id": memory_id})]

    def links_of_turn(self, turn_id: int) -> list[MemoryLink]:
        """The memories that a turn has led to, and how."""
        sql = f"{_LINKS_SQL} WHERE turn_id = :id ORDER BY memory_id"
        return [MemoryLink(*row) for row in self._database.read(sql, {"id": turn_id})]

    def page(self, conditions: Sequence[Condition], *, order: str, limit: int) -> list[Memory]:
        """The first memories of which all conditions hold, by an expression that falls."""
        where = " AND ".join(condition.sql for condition in conditions) or "1 = 1"
        values = {
            name: value for condition in conditions for name, value in condition.parameters.items()
        }
        sql = f"{where} ORDER BY {order} DESC, id DESC LIMIT :limit"
        return self._where(sql, {**values, "limit": limit})

    def insert(self, tx: Transaction, memory: Memory, *, keeps_id: bool = False) -> int:
        """Store a memory; its id, which is a new one unless it keeps its own where that is free."""
        own = memory.id if keeps_id and self.get(memory.id) is None else None
        return int(tx.run(_INSERT_SQL, {**_parameters(memory), "id": own})[0][0])

    def update(self, tx: Transaction, memory: Memory) -> None:
        """Write all columns of a memory that is there."""
        tx.run(_UPDATE_SQL, {**_parameters(memory), "id": memory.id})

    def put_words(self, tx: Transaction, memory_id: int, words: Iterable[str]) -> None:
        """Let a memory be found by these words, and by no others."""
        tx.run("DELETE FROM memory_words WHERE memory_id = :id", {"id": memory_id})
        sql = "INSERT INTO memory_words (word, memory_id) VALUES (:word, :id)"
        tx.run_many(sql, [{"word": word, "id": memory_id} for word in dict.fromkeys(words)])

    def link(self, tx: Transaction, link: MemoryLink) -> None:
        """Let a memory know a turn; the first reason stays."""
        tx.run(_LINK_SQL, dict(zip(_LINK_COLUMNS, _values(link), strict=True)))

    def delete(self, tx: Transaction, memory_id: int) -> None:
        """Remove the row; its words and links go with it."""
        tx.run("DELETE FROM memories WHERE id = :id", {"id": memory_id})

    def _where(self, condition: str, parameters: Mapping[str, Any]) -> list[Memory]:
        rows = self._database.read(f"{SELECT_SQL} WHERE {condition}", parameters)
        return [memory_of(row) for row in rows]


def memory_of(row: Row) -> Memory:
    """The memory of a row that `SELECT_SQL` gives."""
    values = dict(zip(_COLUMNS, row, strict=True))
    tags, metadata = values.pop("tags_json"), values["metadata"]
    values["tags"] = () if tags in (None, "[]") else tuple(json.loads(tags))
    values["metadata"] = {} if metadata == "{}" else json.loads(metadata)
    return Memory(**values)


def _parameters(memory: Memory) -> dict[str, Any]:
    values = {name: getattr(memory, name, None) for name in _WRITTEN}
    values["tags_json"] = json.dumps(list(memory.tags), ensure_ascii=False)
    values["metadata"] = json.dumps(dict(memory.metadata), ensure_ascii=False)
    values["words"] = sentence(memory.content).key
    return values


def _values(link: MemoryLink) -> tuple[Any, ...]:
    return tuple(getattr(link, name) for name in _LINK_COLUMNS)
