"""What the tests of memories share: turns that were said, and what is remembered of them."""

from collections.abc import Sequence
from typing import Any

from ingest import Candidate
from memory.conversations.memories.consolidation import Then, consolidate_turns
from memory.conversations.memories.store import SELECT_SQL, MemoryStore, memory_of
from memory.conversations.memories.values import ExtractedMemory, Memory, Origin
from memory.conversations.turns.adding import add_turns
from memory.conversations.turns.values import NewTurn, Turn
from memory.workspace import Workspace


def said(workspace: Workspace, text: str, ts: str | None = None) -> Turn:
    """A turn of the user, stored and not mined."""
    (added,) = add_turns(workspace, [NewTurn("s1", text, ts=ts, auto_extract=False)])
    return added.turn


def consolidate_turn(
    workspace: Workspace,
    turn: Turn | None,
    candidates: Sequence[Candidate],
    *,
    origin: Origin,
    then: Then | None = None,
) -> list[ExtractedMemory]:
    """What becomes of the facts found in one turn."""
    found = [(turn, candidates)]
    return consolidate_turns(workspace, found, origin=origin, then=then)[0]


def told(
    workspace: Workspace, content: str, turn: Turn | None = None, **more: Any
) -> list[ExtractedMemory]:
    """What becomes of one fact that the rules found in a turn."""
    return consolidate_turn(workspace, turn, [Candidate(content, **more)], origin="rules")


def actions(done: Sequence[ExtractedMemory]) -> list[tuple[int | None, str]]:
    return [(one.id, one.action) for one in done]


def memories(workspace: Workspace) -> list[Memory]:
    """Every memory there is, in the order of ids."""
    rows = workspace.storage.database.read(f"{SELECT_SQL} ORDER BY id")
    return [memory_of(row) for row in rows]


def active(workspace: Workspace) -> list[str]:
    """The contents of the active memories; what can be found of them is checked."""
    kept = [memory for memory in memories(workspace) if memory.status == "active"]
    sql = "SELECT owner_id, text FROM chunks WHERE source = 'memory' ORDER BY id"
    chunks = sorted((int(owner), text) for owner, text in workspace.storage.database.read(sql))
    assert chunks == [(memory.id, memory.content) for memory in kept]
    indexed = workspace.storage.database.read("SELECT DISTINCT memory_id FROM memory_words")
    assert {row[0] for row in indexed} == {memory.id for memory in kept}
    return [memory.content for memory in kept]


def memory(workspace: Workspace, memory_id: int) -> Memory:
    found = MemoryStore(workspace.storage).get(memory_id)
    assert found is not None
    return found
