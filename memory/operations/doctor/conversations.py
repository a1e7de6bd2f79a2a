"""Checks of turns and memories: each searchable record has its chunk, and no chunk is orphaned."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from memory.conversations.memories.store import MemoryStore
from memory.conversations.memories.word_similarity import sentence
from memory.conversations.memories.writing import record_text
from memory.conversations.turns.adding import turn_record
from memory.conversations.turns.store import TurnStore
from memory.index.record_chunks import ANY_GENERATION, put_records, record_vectors
from memory.operations.doctor.values import DoctorContext, Problem, tally

INDEXED_AT_ONCE: Final = 200

_OWNERLESS: Final = f"""FROM chunks AS c WHERE generation = '{ANY_GENERATION}' AND (
    source = 'turn' AND NOT EXISTS (
        SELECT 1 FROM turns AS t WHERE CAST(t.id AS TEXT) = c.owner_id)
    OR source = 'memory' AND NOT EXISTS (SELECT 1 FROM memories AS m
        WHERE CAST(m.id AS TEXT) = c.owner_id AND m.status = 'active'))"""
_WITHOUT: Final = """NOT EXISTS (SELECT 1 FROM chunks AS c
    WHERE c.owner_id = CAST(r.id AS TEXT) AND c.source = '{source}')"""
_UNFOUND_TURNS: Final = f"SELECT r.id FROM turns AS r WHERE {_WITHOUT.format(source='turn')}"
_UNFOUND_MEMORIES: Final = f"""SELECT r.id FROM memories AS r
    WHERE r.status = 'active' AND {_WITHOUT.format(source="memory")}"""


def records(context: DoctorContext) -> Iterator[Problem]:
    """Every turn and every active memory can be found, and no chunk is orphaned."""
    database = context.storage.database
    ((number,),) = database.read(f"SELECT count(*) {_OWNERLESS}")
    if number:
        yield Problem(
            tally("chunks of missing turns or memories", number),
            "removes them",
            partial(_remove_chunks, context),
            count=number,
        )
    for what, sql, fix in (
        ("turns that no search finds", _UNFOUND_TURNS, _index_turns),
        ("memories that no search finds", _UNFOUND_MEMORIES, _index_memories),
    ):
        ids = [row[0] for row in database.read(sql)]
        if ids:
            yield Problem(
                tally(what, len(ids), ids),
                "makes them findable again",
                partial(fix, context, ids),
                count=len(ids),
            )


def _remove_chunks(context: DoctorContext) -> None:
    with context.storage.database.transaction() as tx:
        sql = f"DELETE FROM chunks WHERE id IN (SELECT c.id {_OWNERLESS}) RETURNING hash"
        context.storage.cache.forget(tx, [row[0] for row in tx.run(sql)])


def _index_turns(context: DoctorContext, ids: list[int]) -> None:
    store = TurnStore(context.storage.database)
    for start in range(0, len(ids), INDEXED_AT_ONCE):
        turns = store.many(ids[start : start + INDEXED_AT_ONCE])
        records = [turn_record(store, turn) for turn in turns]
        known = record_vectors(context.workspace, records)
        with context.storage.database.transaction() as tx:
            put_records(context.workspace, tx, records, known)


def _index_memories(context: DoctorContext, ids: list[int]) -> None:
    store = MemoryStore(context.storage)
    for start in range(0, len(ids), INDEXED_AT_ONCE):
        found = store.get_many(ids[start : start + INDEXED_AT_ONCE])
        records = [record_text(memory) for memory in found.values()]
        known = record_vectors(context.workspace, records)
        with context.storage.database.transaction() as tx:
            for key, memory in found.items():
                store.put_words(tx, key, sentence(memory.content).telling)
            put_records(context.workspace, tx, records, known)
