"""Memories by hand: kept, merged, changed, brought back, removed."""

from pathlib import Path
from typing import Any

import pytest

from contracts import ForbiddenError, InputError, NotFoundError
from memory.conversations.memories.editing import (
    MOST_CHARS,
    MemoryChange,
    confirm_memory,
    edit_memory,
    get_memory,
    remember,
)
from memory.operations.forget.removal import forget
from memory.operations.forget.values import ForgetRequest
from memory.retrieval.searching import search
from memory.storage.action_log import Caller, actions_of, called_by
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.conversations.memories.conversing import active, memory, said, told
from tests.memory.databases import opened
from tests.memory.engines import residue


def found(workspace: Workspace, words: str) -> list[str]:
    hits = search(workspace, words, SearchOptions(mode="keyword")).results
    return [hit.text for hit in hits if hit.source == "memory"]


def deeds(workspace: Workspace, memory_id: int) -> list[tuple[str, str, str | None]]:
    """What was done to a memory, the first thing first."""
    log = actions_of(workspace.storage.database, memory_id)
    return [(one.actor, one.action, one.code) for one in reversed(log)]


def test_what_is_kept_by_hand_is_a_mid_memory(workspace: Workspace) -> None:
    made = remember(
        workspace,
        "  The boiler code is\nB-1742.  ",
        importance=1,
        tags=("house", "house"),
        metadata={"from": "Ada", "timestamp": "2024-05-06"},
    )

    assert (made.id, made.action, made.replaced) == (1, "create", [])
    assert made.content == "The boiler code is\nB-1742."
    assert (made.layer, made.importance, made.tags) == ("mid", 1, ("house",))
    assert (made.occurred_at, made.origin) == ("2024-05-06T00:00:00.000Z", "user")
    assert made.score == pytest.approx(3.0)
    assert found(workspace, "boiler") == [made.content]
    (hit,) = search(workspace, "boiler").results
    assert (hit.metadata["from"], hit.metadata["importance"]) == ("Ada", 1)


def test_the_same_by_hand_merges_and_the_contrary_replaces(workspace: Workspace) -> None:
    told(workspace, "User likes tea", said(workspace, "I like tea"))

    again = remember(workspace, "The user likes tea.", tags=("drinks",))
    other = remember(workspace, "User hates tea")

    assert (again.id, again.action, again.hits, again.tags) == (1, "merge", 1, ("drinks",))
    assert (other.id, other.action, other.replaced) == (2, "create", [1])
    assert active(workspace) == ["User hates tea"]


def test_what_was_true_earlier_is_kept_as_past(workspace: Workspace) -> None:
    remember(workspace, "User lives in Oslo")

    made = remember(workspace, "User lives in Rome", metadata={"timestamp": "2001-01-01"})

    assert (made.action, made.status, made.superseded_by) == ("archive", "archived", 1)


@pytest.mark.parametrize(
    "text, more, match",
    [
        ("", {}, "the content is empty"),
        (" \u200b\n", {}, "the content is empty"),
        ("x" * (MOST_CHARS + 1), {}, "10,001 characters"),
        (7, {}, "the content is 7"),
        ("tea", {"importance": 2}, "the importance is 2"),
        ("tea", {"importance": True}, "the importance is True"),
        ("tea", {"tags": "house"}, "the tags are 'house'"),
        ("tea", {"metadata": {"a": object()}}, "cannot be stored"),
        ("tea", {"metadata": {"timestamp": "soon"}}, "'soon' is not a time"),
        ("tea", {"metadata": {"timestamp": 7}}, "the timestamp 7"),
    ],
)
def test_what_cannot_be_remembered(
    workspace: Workspace, text: Any, more: dict[str, Any], match: str
) -> None:
    with pytest.raises(InputError, match=match):
        remember(workspace, text, **more)

    assert active(workspace) == []


def test_a_new_content_is_found_and_the_old_one_is_not(workspace: Workspace) -> None:
    remember(workspace, "User plays the violin", tags=("music",))

    changed = edit_memory(workspace, 1, MemoryChange(content="User plays the trombone"))

    assert (changed.content, changed.tags, changed.hits) == (
        "User plays the trombone",
        ("music",),
        0,
    )
    assert found(workspace, "trombone") == [changed.content]
    assert found(workspace, "violin") == []
    assert active(workspace) == [changed.content]
    assert remember(workspace, "User plays the trombone").action == "merge"
    assert remember(workspace, "User plays the violin").action == "create"
    assert deeds(workspace, 1)[:2] == [("user", "created", None), ("user", "edited", None)]


def test_tags_importance_layer_and_metadata(workspace: Workspace) -> None:
    remember(workspace, "User collects stamps", tags=("old",), metadata={"a": 1})
    change = MemoryChange(tags=("new",), importance=1, layer="long", metadata={"b": 2})

    changed = edit_memory(workspace, 1, change)

    assert (changed.tags, changed.importance, changed.layer) == (("new",), 1, "long")
    assert (changed.metadata, changed.score) == ({"b": 2}, pytest.approx(3.0, abs=0.01))
    (hit,) = search(workspace, "stamps").results
    assert hit.metadata == {"b": 2, "memory_id": 1, "layer": "long", "importance": 1}
    assert [action for _, action, _ in deeds(workspace, 1)] == ["created", "promoted", "edited"]
    assert edit_memory(workspace, 1, change) == changed
    assert len(deeds(workspace, 1)) == 3
    back = edit_memory(workspace, 1, MemoryChange(layer="mid", tags=()))
    assert (back.layer, back.tags) == ("mid", ())


@pytest.mark.parametrize("status", ["archived", "deleted"])
def test_hidden_and_brought_back(workspace: Workspace, status: Any) -> None:
    remember(workspace, "User collects stamps")

    hidden = edit_memory(workspace, 1, MemoryChange(status=status))
    assert (hidden.status, get_memory(workspace, 1).status) == (status, status)
    assert found(workspace, "stamps") == active(workspace) == []

    edit_memory(workspace, 1, MemoryChange(status="active"))
    assert found(workspace, "stamps") == active(workspace) == ["User collects stamps"]
    assert [action for _, action, _ in deeds(workspace, 1)] == ["created", status, "restored"]
    assert remember(workspace, "User collects stamps").action == "merge"


def test_what_is_brought_back_archives_what_contradicts_it(workspace: Workspace) -> None:
    remember(workspace, "User lives in Oslo")
    remember(workspace, "User lives in Rome")

    back = edit_memory(workspace, 1, MemoryChange(status="active"))

    assert (back.status, back.superseded_by) == ("active", None)
    assert active(workspace) == ["User lives in Oslo"]
    assert (memory(workspace, 2).status, memory(workspace, 2).superseded_by) == ("archived", 1)
    moved = edit_memory(workspace, 1, MemoryChange(content="User lives in Bern"))
    assert (moved.slot, moved.value) == ("user/home", "bern")
    plain = edit_memory(workspace, 1, MemoryChange(content="User swims"))
    assert (plain.slot, plain.value) == (None, None)


def test_two_memories_never_say_the_same(workspace: Workspace) -> None:
    for content in ("User likes tea", "User swims daily", "User runs daily"):
        remember(workspace, content)

    for content, other in (("User swims daily.", 2), ("User loves tea", 1)):
        with pytest.raises(InputError, match=f"memory {other} says that already"):
            edit_memory(workspace, 3, MemoryChange(content=content))
    assert active(workspace) == ["User likes tea", "User swims daily", "User runs daily"]


@pytest.mark.parametrize(
    "change, match",
    [
        (MemoryChange(content=" "), "the content is empty"),
        (MemoryChange(status="gone"), "there is no status 'gone'"),  # type: ignore[arg-type]
        (MemoryChange(layer="short"), "there is no layer 'short'"),  # type: ignore[arg-type]
        (MemoryChange(importance=3), "the importance is 3"),
        (MemoryChange(tags="x"), "the tags are 'x'"),
    ],
)
def test_what_cannot_be_changed(workspace: Workspace, change: MemoryChange, match: str) -> None:
    remember(workspace, "User likes tea")

    with pytest.raises(InputError, match=match):
        edit_memory(workspace, 1, change)

    assert deeds(workspace, 1) == [("user", "created", None)]


@pytest.mark.parametrize("memory_id", [1, 0, -1, 1 << 70, "1", None, True])
def test_an_unknown_memory(workspace: Workspace, memory_id: Any) -> None:
    with pytest.raises(NotFoundError, match="there is no memory"):
        get_memory(workspace, memory_id)
    with pytest.raises(NotFoundError, match="there is no memory"):
        edit_memory(workspace, memory_id, MemoryChange(importance=1))


def test_personal_data_is_tagged_for_as_long_as_it_is_there(workspace: Workspace) -> None:
    made = remember(workspace, "User's e-mail is ada@example.org", tags=("contact",))
    assert made.tags == ("contact", "pii")

    changed = edit_memory(workspace, 1, MemoryChange(content="User has an e-mail address"))

    assert changed.tags == ("contact",)


def test_what_gave_way_can_still_be_forgotten_without_a_trace(tmp_path: Path) -> None:
    with opened(tmp_path) as workspace:
        remember(workspace, "User lives in Kiruna")
        remember(workspace, "User lives in Ouagadougou")
        remember(workspace, "User plays the trombone")
        edit_memory(workspace, 3, MemoryChange(content="User plays the xylophone"))
        edit_memory(workspace, 3, MemoryChange(status="deleted"))

        report = forget(workspace, ForgetRequest(memory_ids=(1, 2, 3)), proven=True)

        assert [check.detail for check in report.checks if not check.ok] == []
        words = ["Kiruna", "Ouagadougou", "trombone", "xylophone"]
        assert residue(workspace, *words) == {}


def test_what_an_agent_remembers_replaces_nothing_until_a_person_confirms_it(
    workspace: Workspace,
) -> None:
    remember(workspace, "User lives in Oslo")
    with called_by(Caller("claude", is_owner=False)):
        harmless = remember(workspace, "User sings")
        doubted = remember(workspace, "User lives in Bergen")
        with pytest.raises(ForbiddenError, match="claude asks as an agent"):
            confirm_memory(workspace, doubted.id)
    assert (harmless.status, harmless.importance, harmless.tags) == ("active", 0, ("agent",))
    assert (doubted.status, doubted.tags) == ("archived", ("agent", "unconfirmed"))
    assert get_memory(workspace, 1).status == "active"

    mine = confirm_memory(workspace, harmless.id)
    assert (mine.importance, mine.tags, mine.metadata) == (1, (), {})
    home = confirm_memory(workspace, doubted.id)
    assert (home.status, home.tags, home.metadata) == ("active", (), {})
    assert get_memory(workspace, 1).superseded_by == home.id
    with pytest.raises(NotFoundError, match="no memory 99"):
        confirm_memory(workspace, 99)
