"""Reading of facts, each with its state and the memories and episodes that it rests on."""

from datetime import UTC, datetime

from contracts import NotFoundError
from memory.conversations.memories.kind import cite_memory
from memory.conversations.memories.slots.current_values import current_values
from memory.conversations.memories.store import MemoryStore
from memory.episodes.kind import cite_episode
from memory.episodes.retention import Retention, retrievability
from memory.episodes.triples.kind import cite_triple
from memory.episodes.triples.store import TripleStore
from memory.episodes.triples.values import SourceMemory, Triple, TripleContent
from memory.workspace import Workspace


def existing_triple(workspace: Workspace, triple_id: int) -> Triple:
    """Return a fact. Raises NotFoundError for an unknown one, or a forgotten one."""
    found = TripleStore(workspace.storage.database).get(triple_id)
    if found is None or not found.entity:
        raise NotFoundError(
            f"there is no triple {triple_id}", hint="find them: mem search --source triple WORDS"
        )
    return found


def read_triple(
    workspace: Workspace, triple_id: int, *, now: datetime | None = None
) -> TripleContent:
    """Return a fact with what it rests on; nothing is written. Raises NotFoundError."""
    with workspace.storage.database.snapshot():
        triple = existing_triple(workspace, triple_id)
        store = TripleStore(workspace.storage.database)
        ids = [source.memory_id for source in store.sources_of([triple_id])]
        memories = MemoryStore(workspace.storage).get_many(ids)
        state = store.states([triple_id]).get(triple_id, "current")
        replaced = current_values(workspace.storage.database, memories=ids)
    over = next((one.past().shown for one in replaced.values()), None)
    latest = sorted(memories.values(), key=lambda one: (one.occurred_at, one.id), reverse=True)
    return TripleContent(
        triple=triple,
        citation=cite_triple(triple.id),
        text=triple.text,
        state="superseded" if over and state == "current" else state,
        retrievability=present_retrievability(triple, now),
        memories=[
            SourceMemory(one.id, cite_memory(one.id), one.content, one.status, one.occurred_at)
            for one in latest
        ],
        episodes=[cite_episode(key) for key in triple.source_episodic_ids],
        superseded=over,
    )


def present_retrievability(triple: Triple, now: datetime | None = None) -> float:
    """Return the probability that a fact is recalled now, in [0, 1]."""
    reviewed_at = datetime.fromisoformat(triple.last_accessed_at)
    state = Retention(triple.stability, triple.difficulty, reviewed_at)
    return round(retrievability(state, now or datetime.now(UTC)), 6)
