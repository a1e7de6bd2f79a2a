"""Import of triples whose memories are here and are the sources of none yet."""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, Final

from memory.conversations.memories.store import MemoryStore
from memory.episodes.triples.statements import Fact
from memory.episodes.triples.store import Source, TripleStore
from memory.episodes.triples.values import Triple
from memory.episodes.triples.writing import TripleWriter, record_text
from memory.index.record_chunks import put_records
from memory.index.record_exchange import RecordImport
from memory.values.line_values import check_ranges, checked, checked_moment, integers_of

_FIELDS: Final = tuple(item.name for item in fields(Triple))
_RANGES: Final = {
    "confidence": (0.0, 1.0),
    "stability": (0.0, 1e6),
    "difficulty": (1.0, 10.0),
    "retrievability": (0.0, 1.0),
}


class TripleImporter:
    """The importer of triples.

    A fact comes with its history of use; what it says is made again of its memories here. One is
    known if such a fact is here, or if its memories are sources of others. One that another program
    inserted has no memories. A new one keeps its number where that is free.
    """

    types = ("triple",)

    def __init__(self, work: RecordImport) -> None:
        self._work = work
        self._store = TripleStore(work.workspace.storage.database)
        self._memories = work.numbers.setdefault("memory", {})
        self._waiting: list[tuple[Triple, list[int]]] = []

    def take(self, line_type: str, values: Mapping[str, Any]) -> int:
        """Keep a line until `store`; return the number of triples kept."""
        item = triple_of_line(values)
        self._work.take_vectors(values)
        self._waiting.append(item)
        return len(self._waiting)

    def store(self) -> None:
        """Store the waiting triples, after the memories that they say."""
        waiting, self._waiting = self._waiting, []
        memories = MemoryStore(self._work.workspace.storage)
        here = [
            (one, [self._memories[key] for key in ids if key in self._memories], bool(ids))
            for one, ids in waiting
        ]
        known = self._work.known(
            record_text(one, list(said.values()))
            for one, ids, is_said in here
            if one.entity and ((said := memories.get_many(ids)) or not is_said)
        )
        with self._work.workspace.storage.database.transaction() as tx:
            writer = TripleWriter(self._work.workspace, tx, known=known)
            taken: list[int] = []
            inserted = []
            for triple, ids, is_said in here:
                free = [key for key in ids if key not in self._store.sources(ids)]
                fact = Fact(triple.entity, triple.relation, triple.target)
                is_known = bool(triple.entity and self._store.with_key(fact.key))
                if is_known or (not free and (is_said or not triple.entity)):
                    self._work.unchanged += bool(ids) or not is_said
                    continue
                key = fact.key if triple.entity else None
                triple_id = self._store.insert(tx, triple, key, keeps_id=True)
                for memory_id in free:
                    self._store.put_source(tx, Source(memory_id, triple_id, triple.entity, None))
                taken += free
                if not is_said:
                    inserted.append(record_text(replace(triple, id=triple_id), []))
                self._work.numbers.setdefault("triple", {})[triple.id] = triple_id
                self._work.added["triple"] += 1
            writer.derive(taken)
            put_records(self._work.workspace, tx, inserted, known)

    def finish(self) -> None:
        """Nothing depends on all triples."""


def triple_of_line(values: Mapping[str, Any]) -> tuple[Triple, list[int]]:
    """Return the triple of a line, and the numbers of its memories there. Raises LineError."""
    given: dict[str, Any] = {name: values.get(name) for name in _FIELDS}
    for name in ("entity", "relation", "target"):
        checked(given, name, str)
    for name in ("id", "access_count"):
        checked(given, name, int)
    for name in ("last_accessed_at", "created_at", "updated_at", "occurred_at"):
        checked_moment(given, name)
    check_ranges(given, _RANGES)
    integers_of(given, "source_episodic_ids")
    return replace(Triple(**given), source_episodic_ids=()), integers_of(values, "memory_ids")
