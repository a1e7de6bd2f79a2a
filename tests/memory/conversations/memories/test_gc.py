"""Collections on real databases: what goes, what stays, and what is left of what went."""

from dataclasses import replace
from pathlib import Path

import pytest

from contracts import NotFoundError
from memory.config.sections.conversations import MidConfig
from memory.conversations import lifecycle
from memory.conversations.lifecycle import GcCounts, LayerSizes, collect_garbage, read_stats
from memory.conversations.memories import gc
from memory.conversations.memories.store import MemoryStore
from memory.conversations.memories.why import why
from memory.conversations.pipeline import process_turns
from memory.conversations.turns.adding import add_turns
from memory.conversations.turns.values import NewTurn
from memory.retrieval.searching import search
from memory.storage.action_log import actions_of
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.conversations.memories.made import make, stored
from tests.memory.databases import opened

TABLES = ("memories", "memory_words", "memory_links", "chunks", "actions")


def rows(workspace: Workspace) -> dict[str, list[object]]:
    """Every row of the tables that a collection may change, and of the facts."""
    read = workspace.storage.database.read
    return {name: read(f"SELECT * FROM {name}") for name in (*TABLES, "meta")}


def contents(workspace: Workspace, query: str) -> list[str]:
    options = SearchOptions(mode="keyword", min_score=0)
    return [hit.text for hit in search(workspace, query, options).results]


def test_what_becomes_of_memories(memory: Workspace) -> None:
    new = make(memory, "User likes tea")
    often = make(memory, "User bakes bread", hits=3, age_days=2)
    faded = make(memory, "User waits for a parcel", age_days=20)
    important = make(memory, "User is called Ada", age_days=40, importance=1)
    marked = make(memory, "User owns a boat", status="deleted")
    long = make(memory, "User plays the cello", layer="long", age_days=400)

    home = make(memory, "User lives in Bergen", age_days=99, tags=("place",), origin="rules")

    report = collect_garbage(memory)

    assert report.counts == GcCounts(created=0, promoted=1, archived=0, deleted=2)
    assert {one.id: (one.action, one.code) for one in report.removed} == {
        faded: ("deleted", "score"),
        marked: ("deleted", "status"),
    }
    assert (report.examined, report.removed_more, report.changed_meanwhile) == (7, 0, 0)
    kept = {
        row[0]: row[1:]
        for row in memory.storage.database.read(
            "SELECT id, layer, status FROM memories ORDER BY id"
        )
    }
    assert kept == {
        new: ("mid", "active"),
        often: ("long", "active"),
        important: ("mid", "active"),
        long: ("long", "active"),
        home: ("mid", "active"),
    }
    assert (stored(memory, faded), stored(memory, marked)) == (None, None)


def test_what_went_is_found_no_more(memory: Workspace) -> None:
    make(memory, "User waits for a parcel", age_days=20)
    make(memory, "User rides a horse", age_days=40)
    kept = make(memory, "User likes tea")
    collect_garbage(memory)
    assert contents(memory, "parcel horse tea") == ["User likes tea"]
    read = memory.storage.database.read
    assert read("SELECT owner_id FROM chunks") == [(str(kept),)]
    assert {row[0] for row in read("SELECT memory_id FROM memory_words")} == {kept}
    assert memory.storage.count_vectors() == 1


def test_a_promoted_memory_says_so_where_it_is_found(memory: Workspace) -> None:
    make(memory, "User lives in Bergen", hits=5)
    collect_garbage(memory)
    (hit,) = search(memory, "Bergen").results
    assert hit.metadata["layer"] == "long"
    assert memory.storage.count_vectors() == 1


def test_scores_are_those_of_the_moment(memory: Workspace) -> None:
    made = make(memory, "User likes tea", hits=1, age_days=10, score=0.0)
    collect_garbage(memory)
    found = stored(memory, made)
    assert found is not None
    assert found.score == pytest.approx(0.6931 + 0.6065, abs=1e-3)


def test_every_deed_is_in_the_action_log(memory: Workspace) -> None:
    faded = make(memory, "User waits for a parcel", age_days=20)
    often = make(memory, "User lives in Bergen", hits=4)
    make(memory, "User likes tea")
    collect_garbage(memory)
    database = memory.storage.database
    (deleted,) = actions_of(database, faded)
    assert (deleted.actor, deleted.action, deleted.code) == ("gc", "deleted", "score")
    assert deleted.numbers == {
        "score": pytest.approx(0.3679, abs=1e-3),
        "age_days": pytest.approx(20, abs=0.01),
        "hits": 0,
    }
    (promoted,) = actions_of(database, often)
    assert (promoted.actor, promoted.action, promoted.code) == ("gc", "promoted", "hits")
    assert database.read("SELECT count(*) FROM actions") == [(2,)]


def test_a_memory_that_is_gone_is_told_of(memory: Workspace) -> None:
    faded = make(memory, "User waits for a parcel", age_days=20)
    collect_garbage(memory)
    told = rf"no memory {faded} any more: deleted by gc on \S+ \(score, score 0.36.*, hits 0\)"
    with pytest.raises(NotFoundError, match=told):
        why(memory, faded)
    with pytest.raises(NotFoundError, match=r"no memory 99 \(list"):
        why(memory, 99)


def test_a_dry_run_says_the_same_and_changes_nothing(memory: Workspace) -> None:
    for number in range(5):
        make(memory, f"User knows the number {number}", age_days=number * 5, hits=number % 4)
    before = rows(memory)
    dry = collect_garbage(memory, dry_run=True)
    assert rows(memory) == before
    real = collect_garbage(memory)
    assert dry.dry_run
    assert dry.removed
    approximate = replace(
        dry, dry_run=False, at=real.at, seconds=real.seconds, averages=real.averages, removed=()
    )
    assert approximate == replace(real, removed=())
    assert [one.id for one in dry.removed] == [one.id for one in real.removed]


def test_a_second_collection_has_nothing_to_do(memory: Workspace) -> None:
    for number in range(5):
        make(memory, f"User knows the number {number}", age_days=number * 5, hits=number % 4)
    collect_garbage(memory)
    again = collect_garbage(memory)
    assert again.counts == GcCounts()
    assert again.removed == ()


def test_capacity(tmp_path: Path) -> None:
    with opened(tmp_path, mid=MidConfig(capacity=2)) as workspace:
        ids = [make(workspace, f"User knows {number}", age_days=number) for number in range(5)]
        report = collect_garbage(workspace)
        assert {one.id: one.code for one in report.removed} == dict.fromkeys(ids[2:], "capacity")
        assert read_stats(workspace).memories == LayerSizes(mid=2)


def test_many_memories_take_many_transactions(
    memory: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gc, "WRITTEN_AT_ONCE", 2)
    monkeypatch.setattr(gc, "READ_AT_ONCE", 3)
    monkeypatch.setattr(gc, "MOST_LISTED", 1)
    for number in range(7):
        make(memory, f"User knows the number {number}", age_days=20 if number % 2 else 0)
    report = collect_garbage(memory)
    assert (report.examined, report.counts.deleted) == (7, 3)
    assert (len(report.removed), report.removed_more) == (1, 2)
    assert read_stats(memory).memories == LayerSizes(mid=4)


def test_a_memory_that_was_strengthened_meanwhile_is_left_alone(memory: Workspace) -> None:
    """Judged as faded, it was heard of again before its turn came."""
    made = make(memory, "User likes tea", age_days=20)
    database = memory.storage.database
    decisions = gc.decide(gc.gc_candidates(database), gc.policy_of(memory))
    with database.transaction() as tx:
        tx.run("UPDATE memories SET hits = 1 WHERE id = :id", {"id": made})
    assert gc.carry_out(memory, decisions) == []
    assert stored(memory, made) is not None


def test_turns_that_an_interruption_kept_from_the_rules_are_mined(memory: Workspace) -> None:
    add_turns(memory, [NewTurn("s1", "My name is Ada")])
    assert collect_garbage(memory, dry_run=True).mined == 0
    report = collect_garbage(memory)
    assert (report.mined, report.examined) == (1, 1)
    assert collect_garbage(memory).mined == 0
    assert read_stats(memory).counts.created == 1


def test_what_was_created_is_counted_from_the_last_collection(memory: Workspace) -> None:
    process_turns(memory, [NewTurn("s1", "My name is Ada")])
    assert collect_garbage(memory).counts.created == 1
    assert collect_garbage(memory).counts.created == 0
    assert read_stats(memory).counts.created == 1


def test_an_empty_database(memory: Workspace) -> None:
    report = collect_garbage(memory)
    assert report.counts == GcCounts()
    assert (report.averages.score, report.averages.age_days) == (None, None)


def test_stats(memory: Workspace) -> None:
    make(memory, "User likes tea", age_days=1)
    make(memory, "User lives in Bergen", hits=3, age_days=3)
    make(memory, "User waits for a parcel", age_days=20)
    make(memory, "User owns a boat", status="deleted")
    before = read_stats(memory)
    assert before.memories == LayerSizes(mid=3, deleted=1)
    assert (before.counts, before.since, before.last_gc) == (GcCounts(), None, None)
    assert before.averages.age_days == pytest.approx(8, abs=0.01)

    report = collect_garbage(memory)
    found = read_stats(memory)
    assert found.memories == LayerSizes(mid=1, long=1)
    assert found.counts == GcCounts(promoted=1, deleted=2)
    assert found.last_gc == lifecycle.LastGc(report.at, report.seconds, report.counts)
    assert found.averages.age_days == pytest.approx(2, abs=0.01)
    assert found.since is not None
    assert MemoryStore(memory.storage).get(2) is not None
