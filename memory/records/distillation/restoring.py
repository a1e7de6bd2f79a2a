"""The return of facts with their memories: archiving by hand removes what distillation made of one,
and restoring the memory brings the fact back.
"""

from collections.abc import Collection
from dataclasses import replace

from memory.conversations.turns.store import TurnStore
from memory.index.record_chunks import RecordVectors, put_records
from memory.records.checking import CONFIDENCES
from memory.records.distillation.cursor import Cursor
from memory.records.distillation.slot_facts import facts_of_memories, restored_turns
from memory.records.forms import FACTS
from memory.records.store import RecordLink, RecordStore
from memory.records.values import DISTILLATION, Fact
from memory.records.writing import labelled
from memory.storage import Transaction
from memory.workspace import Workspace


def restore_facts(workspace: Workspace, tx: Transaction, memory_ids: Collection[int]) -> None:
    """State the facts of restored memories again, as of their turns, where nothing else is known.

    A turn that distillation has yet to read is left to it. Vectors are made later.
    """
    database, config = workspace.storage.database, workspace.config.records
    turn_ids = restored_turns(database, memory_ids)
    if not turn_ids:
        return
    store, place = RecordStore(database, FACTS), Cursor(database).place()
    made: dict[tuple[str, str], Fact] = {}
    for turn in TurnStore(database).many(turn_ids):
        if turn.id > place or turn.speaker:  # of a group's facts none was removed
            continue
        for said in facts_of_memories(database, turn, among=memory_ids):
            name = (said.category, said.key)
            fact = made.get(name)
            if fact is None:
                new = Fact(
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
                if store.same(new) is not None:
                    continue
                fact = store.insert(tx, labelled(FACTS, new))
            elif fact.value != said.value:
                continue
            elif turn.ts > fact.updated_at:  # said again
                fact = replace(fact, updated_at=turn.ts)
                store.update(tx, fact)
            made[name] = fact
            store.link(tx, fact.id, [RecordLink(turn.id, "source", turn.ts)])
    put_records(
        workspace, tx, [FACTS.searchable(fact, config) for fact in made.values()], RecordVectors()
    )
