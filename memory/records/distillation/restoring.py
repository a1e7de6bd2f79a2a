"""The facts of changed memories: archiving one by hand, or changing what it says, takes back what
distillation made of it; a memory that is restored, or says something else, states its fact again.

Where a value goes for good, the one that somebody stated before it returns.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from memory.conversations.turns.store import TurnStore
from memory.conversations.turns.values import Turn
from memory.index.record_chunks import RecordVectors, put_records, remove_record
from memory.records.checking import CONFIDENCES
from memory.records.decay import is_archived_by_hand
from memory.records.distillation.cursor import Cursor
from memory.records.distillation.slot_facts import (
    fact_name,
    facts_of_memories,
    memories_of_slots,
    stated_by,
)
from memory.records.forms import FACTS
from memory.records.store import History, RecordLink, RecordStore
from memory.records.values import DISTILLATION, Fact, FormerValue
from memory.records.writing import labelled, unmarked
from memory.storage import Database, Transaction
from memory.workspace import Workspace

if TYPE_CHECKING:
    from ingest.distillation import StatedFact

_CHUNK_SQL: Final = """
SELECT 1 FROM chunks WHERE source = 'fact' AND ordinal = 0 AND heading = :title AND text LIKE :text
"""
"""The chunk of a fact, which outlives the row until the job `decay` sees that it is gone."""


def archive_facts(workspace: Workspace, tx: Transaction, fact_ids: Collection[int]) -> list[int]:
    """Archive those of these facts that have former values, which stay; return the others."""
    store = RecordStore(workspace.storage.database, FACTS)
    former = History(workspace.storage.database).of(fact_ids)
    archived = [replace(fact, confidence=0.0) for fact in store.many(former)]
    for fact in archived:
        store.update(tx, fact)
    _index(workspace, tx, archived)
    return [key for key in fact_ids if key not in former]


def return_facts(
    workspace: Workspace, tx: Transaction, stated: Mapping[int, Mapping[int, FormerValue]]
) -> None:
    """Give facts, whose present values go, the latest of these former values again."""
    database = workspace.storage.database
    store, history, returned = RecordStore(database, FACTS), History(database), []
    for fact in store.many(stated):
        number, former = next(iter(stated[fact.id].items()))
        store.unlink(tx, fact.id)
        history.give_back_one(tx, fact.id, number)
        returned.append(replace(_with_value_of(fact, former), expires_at=None))
        store.update(tx, returned[-1])
    _index(workspace, tx, returned)


def state_facts(workspace: Workspace, tx: Transaction, memory_ids: Collection[int]) -> None:
    """State the facts of memories, as of their turns, where nothing else is known.

    A turn that distillation has yet to read is left to it. Vectors are made later.
    """
    database = workspace.storage.database
    place, restoring = Cursor(database).place(), _Restoring(database, tx)
    settled: dict[str, str] = {}
    for one in stated_by(database, restoring.unstated(memory_ids), place=place):
        if settled.get(one.slot, one.value) != one.value:  # of several values the last counts
            continue
        for turn in TurnStore(database).many([one.turn_id]):
            for said in facts_of_memories(database, turn, among=[one.memory_id]):
                restoring.state(_fact_of(said, turn), turn)
                settled[one.slot] = one.value
    _index(workspace, tx, [*restoring.changed.values()])


class _Restoring:
    """Facts that are stated again; `changed` has them by their numbers."""

    def __init__(self, database: Database, tx: Transaction) -> None:
        self._tx = tx
        self._store = RecordStore(database, FACTS)
        self._history = History(database)
        self.changed: dict[int, Fact] = {}

    def unstated(self, memory_ids: Collection[int]) -> list[int]:
        """Return those of these memories that may state a fact which is not known."""
        found = []
        for slot, numbers in memories_of_slots(self._store.database, memory_ids).items():
            name = fact_name(slot)
            if name is not None and self._is_unstated(*name):
                found += numbers
        return found

    def _is_unstated(self, category: str, key: str) -> bool:
        """Return whether no fact is known, and none that another program has just deleted."""
        known = self._store.with_identity(category=category, key=key)
        if known is not None:
            return is_archived_by_hand(known)
        values = {"title": category, "text": f"{key.replace('_', ' ')}: %"}
        return not self._store.database.read(_CHUNK_SQL, values)

    def state(self, new: Fact, turn: Turn) -> None:
        """State a fact of a turn, unless another value is known of it."""
        known = self._store.same(new)
        if known is None:
            fact = self._store.insert(self._tx, labelled(FACTS, new))
        elif is_archived_by_hand(known):
            fact = self._returned(known, new)
            self._store.update(self._tx, fact)
        elif known.id in self.changed and known.value == new.value:  # said again
            fact = replace(known, created_at=min(known.created_at, new.created_at))
            self._store.update(self._tx, fact)
        else:
            return
        self._store.link(self._tx, fact.id, [RecordLink(turn.id, "source", turn.ts)])
        self.changed[fact.id] = fact

    def _returned(self, archived: Fact, new: Fact) -> Fact:
        """Return an archived fact with a value that it may have had before."""
        if archived.value == new.value:
            return replace(archived, confidence=new.confidence)
        self._store.unlink(self._tx, archived.id)
        stated = self._history.give_back(self._tx, archived.id, new.value) or new
        return _with_value_of(archived, stated)


def _with_value_of(fact: Fact, stated: Fact | FormerValue) -> Fact:
    names = ("value", "confidence", "source", "updated_at")
    values = {name: getattr(stated, name) for name in names}
    return labelled(FACTS, replace(fact, **values, metadata=unmarked(fact.metadata)))


def _fact_of(said: "StatedFact", turn: Turn) -> Fact:
    return Fact(
        id=0,
        category=said.category,
        key=said.key,
        value=said.value,
        confidence=CONFIDENCES[DISTILLATION],
        expires_at=None,
        source=DISTILLATION,
        created_at=turn.ts,
        updated_at=turn.ts,
    )


def _index(workspace: Workspace, tx: Transaction, facts: Collection[Fact]) -> None:
    for fact in facts:  # a later `forget` does not know a text that it had before
        remove_record(workspace, tx, FACTS.kind.name, str(fact.id))
    config = workspace.config.records
    records = [FACTS.searchable(fact, config) for fact in facts]
    put_records(workspace, tx, records, RecordVectors())
