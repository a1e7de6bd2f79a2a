"""Facts kept in step with every change are those that are made of all memories at once."""

from random import Random
from typing import NamedTuple

import pytest

from contracts import InputError
from memory.conversations.memories.editing import MemoryChange, edit_memory
from memory.episodes.triples.extraction import extract_facts
from memory.operations.doctor import checkup
from memory.operations.forget.removal import forget
from memory.operations.forget.values import ForgetRequest
from memory.values.record_kinds import RecordName
from memory.workspace import Workspace
from tests.memory.episodes.facts import facts, learn, tell, triples

SAID = (
    "I live in Berlin.",
    "I moved to Oslo last week.",
    "I work at Bosch.",
    "I no longer work at Bosch.",
    "I like sushi.",
    "I don't like sushi anymore.",
    "My sister lives in Rome.",
    "My sister is named Ida.",
    "My sister is named Eva.",
    "My dog is named Ida.",
    "I have two sisters.",
    "I speak German.",
    "My favourite band is Muse.",
)
EDITS = ("User lives in Graz", "User's sister is named Ada", "User speaks German and Thai")


class Known(NamedTuple):
    """A fact with everything that is derived, and whether a search finds it."""

    text: str
    state: str
    confidence: float
    episodes: tuple[int, ...]
    memories: tuple[int, ...]
    is_found: bool


def known(memory: Workspace) -> set[Known]:
    read = memory.storage.database.read
    found = {int(row[0]) for row in read("SELECT owner_id FROM chunks WHERE source = 'triple'")}
    sources: dict[int, list[int]] = {}
    for triple_id, memory_id in read("SELECT triple_id, memory_id FROM semantic_sources"):
        sources.setdefault(triple_id, []).append(memory_id)
    states = facts(memory)
    return {
        Known(
            one.text,
            states[one.text],
            one.confidence,
            one.source_episodic_ids,
            tuple(sorted(sources[one.id])),
            one.id in found,
        )
        for one in triples(memory)
    }


def change(memory: Workspace, chance: Random, day: int) -> None:
    """Tell something, or change or forget something that is there."""
    read = memory.storage.database.read
    memories = [row[0] for row in read("SELECT id FROM memories ORDER BY id")]
    way = chance.choice(("tell", "tell", "tell", "learn", "edit", "status", "forget", "forget all"))
    if way == "tell" or not memories:
        tell(memory, *chance.sample(SAID, 3), day=day, session=f"s{day % 3}")
    elif way == "learn":
        learn(memory)
    elif way == "edit":
        content = chance.choice(EDITS)
        try:
            edit_memory(memory, chance.choice(memories), MemoryChange(content=content))
        except InputError as error:
            assert "says that already" in str(error)  # noqa: PT017 - an edit may be refused
    elif way == "status":
        status = chance.choice(("active", "archived", "deleted"))
        try:
            edit_memory(memory, chance.choice(memories), MemoryChange(status=status))
        except InputError as error:
            assert "says that already" in str(error)  # noqa: PT017 - so may a restoring
    else:
        kind, table = chance.choice((("turn", "turns"), ("memory", "memories")))
        ids = [row[0] for row in read(f"SELECT id FROM {table} ORDER BY id")]
        if ids:
            name = RecordName(kind, str(chance.choice(ids)))
            forget(memory, ForgetRequest(records=(name,), with_sources=way == "forget all"))


@pytest.mark.parametrize("seed", range(8))
def test_they_are_those_of_all_memories(memory: Workspace, seed: int) -> None:
    chance = Random(seed)
    for day in range(14):
        change(memory, chance, day)
    learn(memory)
    kept = known(memory)
    assert checkup(memory).problems == []
    with memory.storage.database.transaction() as tx:
        tx.run("DELETE FROM chunks WHERE source = 'triple'")
        tx.run("DELETE FROM semantic_memory")
        tx.run("UPDATE episodic_memory SET facts_at = NULL")
    extract_facts(memory)
    assert kept == known(memory)
    assert kept
