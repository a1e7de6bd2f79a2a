"""Import of memories that are new, with their links to turns."""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, Final, get_args

from memory.conversations.memories.comparison.endings import search_words
from memory.conversations.memories.comparison.sentence_similarity import sentence
from memory.conversations.memories.slots.withdrawn_facts import withdraw_of
from memory.conversations.memories.store import MemoryStore
from memory.conversations.memories.values import (
    LAYERS,
    STATUSES,
    LinkReason,
    Memory,
    MemoryLink,
    Origin,
)
from memory.conversations.memories.writing import record_text
from memory.index.record_chunks import RecordText, put_records
from memory.index.record_exchange import RecordImport
from memory.storage import Transaction
from memory.values.line_values import (
    LineError,
    checked,
    checked_moment,
    integers_of,
    one_of,
    texts_of,
)

_FIELDS: Final = tuple(item.name for item in fields(Memory))
LINK_FIELDS: Final = tuple(item.name for item in fields(MemoryLink) if item.name != "memory_id")
"""The fields of a link in the line of a memory."""

_KNOWN_SQL: Final = """
SELECT m.id FROM memories AS m
LEFT JOIN memory_links AS l
    ON l.memory_id = m.id AND l.reason <> 'conflict' AND l.turn_id IN (:turns)
WHERE m.words = :words AND (m.created_at = :created_at OR l.turn_id IS NOT NULL
    OR (m.status = 'active' AND :active))
    AND coalesce(m.slot, '') = coalesce(:slot, '')
ORDER BY m.created_at = :created_at DESC, l.turn_id IS NULL, m.id LIMIT 1
"""


class MemoryImporter:
    """The importer of memories.

    A memory is known here if one with the same words and slot was created at the same time or
    derived from one of the same turns, or if both are active. A known memory gets the links to
    turns that it lacks, and the higher of both numbers of hits. A new one keeps its number where
    that is free. Neither states a fact of the turns that are `withdrawn`.
    """

    types = ("memory",)

    def __init__(self, work: RecordImport) -> None:
        self._work = work
        self._workspace = work.workspace
        self._store = MemoryStore(work.workspace.storage)
        self._numbers = work.numbers.setdefault("memory", {})
        self._turns = work.numbers.setdefault("turn", {})
        self._new: set[int] = set()
        self._superseded: dict[int, int] = {}
        self._memories: list[tuple[Memory, list[MemoryLink]]] = []
        self._withdrawn: dict[int, list[int]] = {}

    def take(self, line_type: str, values: Mapping[str, Any]) -> int:
        """Keep a line until `store`; return the number of memories kept."""
        item = memory_of_line(values)
        withdrawn = integers_of(values, "withdrawn") if "withdrawn" in values else []
        self._work.take_vectors(values)
        self._withdrawn[item[0].id] = withdrawn
        self._memories.append(item)
        return len(self._memories)

    def store(self) -> None:
        """Store the waiting memories, after the turns they refer to."""
        waiting, self._memories = self._memories, []
        before = [self._known_as(memory, links) for memory, links in waiting]
        known = self._work.known(
            record_text(memory)
            for (memory, _), here in zip(waiting, before, strict=True)
            if here is None and memory.status == "active"
        )
        records: list[RecordText] = []
        with self._workspace.storage.database.transaction() as tx:
            for (memory, links), found in zip(waiting, before, strict=True):
                here = found or self._active_twin(memory)
                if here is not None:
                    self._work.unchanged += 1
                    self._strengthen(tx, here, memory)
                else:
                    here = self._insert(tx, memory)
                    if here.status == "active":
                        records.append(record_text(here))
                self._numbers[memory.id] = here.id
                self._link(tx, here.id, links)
                withdrawn = self._withdrawn.pop(memory.id, ())
                withdraw_of(tx, here.id, [self._turns[n] for n in withdrawn if n in self._turns])
            put_records(self._workspace, tx, records, known)

    def _active_twin(self, memory: Memory) -> Memory | None:
        """Return the active memory with the words and slot of an active one, as of now: it may be
        among the waiting ones, or another process has stored it.
        """
        if memory.status != "active":
            return None
        twins = self._store.with_words(sentence(memory.content).key)
        return next((one for one in twins if one.slot == memory.slot), None)

    def _insert(self, tx: Transaction, memory: Memory) -> Memory:
        here = replace(memory, superseded_by=None)
        here = replace(here, id=self._store.insert(tx, here, keeps_id=True))
        self._new.add(memory.id)
        if memory.superseded_by is not None:
            self._superseded[memory.id] = memory.superseded_by
        if here.status == "active":
            self._store.put_words(tx, here.id, search_words(here))
        self._work.added["memory"] += 1
        return here

    def finish(self) -> None:
        """Store the links from archived memories to their replacements."""
        with self._workspace.storage.database.transaction() as tx:
            for old, new in self._superseded.items():
                if old in self._new and new in self._numbers:
                    values = {"id": self._numbers[old], "by": self._numbers[new]}
                    tx.run("UPDATE memories SET superseded_by = :by WHERE id = :id", values)

    def _link(self, tx: Transaction, memory_id: int, links: list[MemoryLink]) -> None:
        for link in links:
            turn_id = self._turns.get(link.turn_id)
            if turn_id is not None:
                self._store.link(tx, replace(link, memory_id=memory_id, turn_id=turn_id))

    def _known_as(self, memory: Memory, links: list[MemoryLink]) -> Memory | None:
        turns = [
            self._turns[link.turn_id]
            for link in links
            if link.reason != "conflict" and link.turn_id in self._turns
        ]
        values = {
            "words": sentence(memory.content).key,
            "created_at": memory.created_at,
            "slot": memory.slot,
            "turns": turns,
            "active": memory.status == "active",
        }
        rows = self._workspace.storage.database.read(_KNOWN_SQL, values)
        return self._store.get(rows[0][0]) if rows else None

    def _strengthen(self, tx: Transaction, here: Memory, memory: Memory) -> None:
        """Give a known memory the higher number of hits, and the later time they were seen."""
        seen = [at for at in (here.last_seen_at, memory.last_seen_at) if at is not None]
        hits, last = max(here.hits, memory.hits), max(seen, default=None)
        stronger = replace(here, hits=hits, last_seen_at=last)
        if stronger != here:
            self._store.update(tx, stronger)


def memory_of_line(values: Mapping[str, Any]) -> tuple[Memory, list[MemoryLink]]:
    """Return the memory of a line and its links to turns. Raises LineError."""
    given: dict[str, Any] = {name: values.get(name) for name in _FIELDS}
    checked(given, "content", str)
    for name in ("slot", "value"):
        if given[name] is not None:
            checked(given, name, str)
    for name in ("created_at", "occurred_at", "updated_at"):
        checked_moment(given, name)
    if given["last_seen_at"] is not None:
        checked_moment(given, "last_seen_at")
    for name in ("id", "hits"):
        checked(given, name, int)
    if given["hits"] < 0:
        raise LineError(f"its hits are {given['hits']}")
    if given["superseded_by"] is not None:
        checked(given, "superseded_by", int)
    score = given["score"]
    if not isinstance(score, float):
        checked(given, "score", int)
    checked(given, "metadata", dict)
    one_of(given, "layer", LAYERS)
    one_of(given, "status", STATUSES)
    one_of(given, "origin", get_args(Origin))
    one_of(given, "importance", (0, 1))
    memory = Memory(**{**given, "tags": texts_of(given, "tags")})
    return memory, [_link(memory.id, link) for link in checked(values, "links", list)]


def _link(memory_id: int, values: object) -> MemoryLink:
    if not isinstance(values, dict):
        raise LineError(f"one of its links is {values!r:.40}")
    given: dict[str, Any] = {name: values.get(name) for name in LINK_FIELDS}
    checked(given, "turn_id", int)
    checked(given, "rule", str)
    checked_moment(given, "created_at")
    one_of(given, "reason", get_args(LinkReason))
    for name in ("start_char", "end_char"):
        if given[name] is not None:
            checked(given, name, int)
    return MemoryLink(memory_id=memory_id, **given)
