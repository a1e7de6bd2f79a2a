"""Completion of turns and memories that another program inserted with few of their columns.

`INSERT INTO turns (session_id, role, text)` and `INSERT INTO memories (layer, content)` are enough.
Then a turn gets its session, its speaker, its chunks and what is extracted from it, and a memory
its words, its slot, its score and its chunk, as if they had come by the other doors. So does a
memory of an older version whose slot has another name now.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from contracts.named_tuple import NamedTuple
from ingest.pii import privacy_tags
from memory.conversations.memories.store import MemoryStore
from memory.conversations.memories.values import Memory
from memory.conversations.memories.writing import MemoryWriter, completed_memory, vectors_of
from memory.conversations.pipeline import extract_waiting_turns
from memory.conversations.turns.adding import (
    digest_of,
    foreseen_records,
    rewrite_after,
    turn_record,
)
from memory.conversations.turns.speakers import speaker_of
from memory.conversations.turns.store import TurnStore
from memory.conversations.turns.values import Turn
from memory.index.record_chunks import put_records, record_vectors
from memory.workspace import Workspace

AT_ONCE: Final = 100
"""Rows completed in one transaction, between which others write."""


class CompletionCounts(NamedTuple):
    """The numbers of rows that were completed."""

    turns: int
    memories: int


def has_inserted(workspace: Workspace) -> bool:
    """Return whether there are rows to complete; three lookups in indexes."""
    storage = workspace.storage
    return TurnStore(storage.database).has_inserted() or MemoryStore(storage).has_incomplete()


def complete_inserted(
    workspace: Workspace, *, is_ended: Callable[[], bool] = lambda: False
) -> CompletionCounts:
    """Complete turns and memories that were inserted; repeating it changes nothing.

    `is_ended` stops it between two transactions; the next run does the rest.
    """
    turn_store, memory_store = TurnStore(workspace.storage.database), MemoryStore(workspace.storage)
    turns = memories = last = 0
    # Memories first: what is extracted from a turn may contradict one of them.
    while not is_ended() and (rows := memory_store.incomplete(after=last, limit=AT_ONCE)):
        memories += _complete_memories(workspace, rows)
        last = rows[-1].id
    last = 0
    while not is_ended() and (found := turn_store.inserted(after=last, limit=AT_ONCE)):
        turns += _complete_turns(workspace, found)
        last = found[-1].id
    return CompletionCounts(turns, memories)


def _complete_turns(workspace: Workspace, turns: Sequence[Turn]) -> int:
    store, usual = TurnStore(workspace.storage.database), workspace.config.long_term_opt_in
    known = record_vectors(workspace, foreseen_records(turns))
    first, last = turns[0].id, turns[-1].id
    done: list[Turn] = []
    with workspace.storage.database.transaction() as tx:
        here = store.inserted(after=first - 1, limit=AT_ONCE)  # another process may have been here
        for turn in sorted(here, key=lambda row: (row.ts, row.id)):
            if turn.id <= last:
                now = turn.recorded_at
                store.touch_session(tx, turn.session_id, opt_in=None, usual=usual, now=now)
                done.append(_completed_turn(store, turn))
                store.complete(tx, done[-1], digest_of(turn))
        put_records(workspace, tx, [turn_record(store, turn) for turn in done], known)
        rewrite_after(workspace, tx, done)
    extract_waiting_turns(workspace, done)
    return len(done)


def _completed_turn(store: TurnStore, turn: Turn) -> Turn:
    """Return a turn with what the program adds: speaker, tags, and the wish for extraction."""
    extraction = turn.extraction
    if turn.role == "user" and extraction == "off":  # the default of the column
        extraction = "rules"
    return replace(
        turn,
        speaker=speaker_of(turn, store),
        tags=tuple(dict.fromkeys((*turn.tags, *privacy_tags(turn.text)))),
        extraction=extraction,
    )


def _complete_memories(workspace: Workspace, memories: Sequence[Memory]) -> int:
    completed = [completed_memory(memory) for memory in memories]
    known = vectors_of(workspace, completed)
    with workspace.storage.database.transaction() as tx:
        writer = MemoryWriter(workspace, tx, known)
        here = writer.store.incomplete(after=memories[0].id - 1, limit=AT_ONCE)
        for memory in here:
            if memory.id <= memories[-1].id:
                writer.update(completed_memory(memory), same_text=False)
        writer.finish()
    return len(here)
