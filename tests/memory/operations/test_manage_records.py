"""Turns and memories as records: listed, looked at, labelled, removed."""

import pytest

from contracts import InputError, NotFoundError, Scope
from memory.context.building import build_context
from memory.context.request import ContextRequest
from memory.conversations.memories.editing import remember
from memory.conversations.turns.adding import add_turns
from memory.conversations.turns.store import TurnStore
from memory.conversations.turns.values import NewTurn
from memory.operations.manage import delete_record, get_record, list_records, update_record
from memory.retrieval.searching import search
from memory.workspace import Workspace
from search import SearchOptions


@pytest.fixture
def talked(memory: Workspace) -> Workspace:
    said = [
        NewTurn("s1", "the boat leaks", ts="2024-03-04T10:00:00Z", metadata={"place": "Split"}),
        NewTurn("s1", "call +44 20 7946 0958 about the boat", ts="2024-03-05T10:00:00Z"),
        NewTurn("s1", "so it does", role="assistant", ts="2024-03-06T10:00:00Z"),
    ]
    add_turns(memory, said)
    remember(memory, "User has a boat", tags=["boats"])
    return memory


def found(workspace: Workspace, query: str, *tags: str) -> list[str]:
    options = SearchOptions(mode="keyword", scope=Scope(tags=tags))
    return [hit.citation for hit in search(workspace, query, options).results]


def test_turns_and_memories_are_listed_on_request_the_newest_first(talked: Workspace) -> None:
    assert list_records(talked).records == []
    first = list_records(talked, source="turn", limit=2)
    assert [record.id for record in first.records] == ["turn:3", "turn:2"]
    assert first.next_cursor == "turn:2"
    rest = list_records(talked, source="turn", limit=2, cursor=first.next_cursor)
    assert [record.id for record in rest.records] == ["turn:1"]
    assert rest.next_cursor is None
    (record,) = list_records(talked, source="memory").records
    assert (record.id, record.tags, record.chunks) == ("memory:1", ["boats"], 1)
    with pytest.raises(InputError, match="the cursor is 'x'"):
        list_records(talked, source="turn", cursor="x")


def test_a_turn_is_a_record(talked: Workspace) -> None:
    record = get_record(talked, "turn:1")
    assert (record.source, record.state, record.chunks, record.path) == ("turn", "indexed", 1, None)
    assert record.metadata == {"place": "Split"}
    assert record.modified_at == "2024-03-04T10:00:00.000Z"
    assert record.size_bytes == len("the boat leaks")
    with pytest.raises(NotFoundError, match="there is no turn 9"):
        get_record(talked, "turn:9")
    with pytest.raises(NotFoundError, match="there is no memory 9"):
        get_record(talked, "memory:9")


def test_labels_of_a_turn_are_replaced_and_what_they_tell_of_the_text_stays(
    talked: Workspace,
) -> None:
    assert "pii" in get_record(talked, "turn:2").tags
    changed = update_record(talked, "turn:2", tags=["phone", "secret"], metadata={"by": "me"})
    assert (changed.tags, changed.metadata) == (["phone", "secret", "pii"], {"by": "me"})
    context = build_context(talked, ContextRequest("s1", "the boat"))
    assert "the boat leaks" in context.markdown
    assert "+44" not in context.markdown + repr(context.short_term)
    changed = update_record(talked, "turn:2", tags=["phone"])
    assert (changed.tags, changed.metadata) == (["phone", "pii"], {"by": "me"})
    assert found(talked, "boat", "phone") == ["session s1 turn 2, 2024-03-05"]
    (hit,) = search(talked, "boat", SearchOptions(scope=Scope(tags=("phone",)))).results
    assert (hit.metadata["by"], hit.metadata["turn_id"]) == ("me", 2)
    turn = TurnStore(talked.storage.database).get(2)
    assert turn is not None
    assert turn.text == "call +44 20 7946 0958 about the boat"
    assert update_record(talked, "turn:2", metadata={}).tags == ["phone", "pii"]


def test_labels_of_a_memory_are_replaced(talked: Workspace) -> None:
    changed = update_record(talked, "memory:1", tags=["sea"], metadata={"by": "me"})
    assert (changed.tags, changed.metadata) == (["sea"], {"by": "me"})
    assert found(talked, "boat", "sea") == ["memory 1"]


def test_what_is_removed_is_found_no_more(talked: Workspace) -> None:
    assert delete_record(talked, "turn:1").id == "turn:1"
    assert delete_record(talked, "memory:1").id == "memory:1"
    assert found(talked, "leaks") == []
    assert "memory 1" not in found(talked, "boat")
    with pytest.raises(NotFoundError, match="there is no turn 1"):
        delete_record(talked, "turn:1")
