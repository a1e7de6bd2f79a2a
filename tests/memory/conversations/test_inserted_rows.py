"""Rows that another program inserted by SQL: harmless until they are completed, then whole."""

import json
from pathlib import Path
from typing import Any

import pytest

from contracts import Scope
from memory.context.building import build_context
from memory.context.request import ContextRequest
from memory.conversations.inserted_rows import complete_inserted, has_inserted
from memory.conversations.lifecycle import collect_garbage
from memory.conversations.memories.editing import get_memory, remember
from memory.conversations.memories.listing import MemoryFilter, list_memories
from memory.conversations.memories.store import INCOMPLETE, OLD_SLOTS
from memory.conversations.pipeline import process_turns
from memory.conversations.turns.store import TurnStore
from memory.conversations.turns.values import NewTurn, Turn
from memory.index.record_hooks import all_hooks, hooks_of
from memory.operations.audit import audit
from memory.operations.doctor import checkup
from memory.operations.forget.removal import forget
from memory.operations.forget.values import ForgetRequest
from memory.operations.jobs.manual_runs import maintain_one
from memory.operations.jobs.registry import COMPLETION, open_work
from memory.operations.jobs.scheduler import Scheduler
from memory.operations.status import read_status
from memory.retrieval.searching import search
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.databases import opened
from tests.memory.engines import insert, outside
from tests.waiting import wait_until

TURN = "INSERT INTO turns (session_id, role, text) VALUES (?, ?, ?)"
TURN_AT = "INSERT INTO turns (session_id, ts, role, text) VALUES (?, ?, ?, ?)"
MEMORY = "INSERT INTO memories (layer, content) VALUES (?, ?)"
MEMORY_AT = "INSERT INTO memories (layer, content, created_at) VALUES (?, ?, ?)"
CANONICAL = "____-__-__T__:__:__.___Z"


def turn(memory: Workspace, turn_id: int) -> Turn:
    found = TurnStore(memory.storage.database).get(turn_id)
    assert found is not None
    return found


def table(memory: Workspace, name: str) -> list[tuple[Any, ...]]:
    return memory.storage.database.read(f"SELECT * FROM {name} ORDER BY 1")


def test_the_published_statements_are_enough(memory: Workspace) -> None:
    turn_id = insert(memory, TURN, "s1", "user", "I live in Oslo, my mail is ann@example.org.")
    memory_id = insert(memory, MEMORY, "mid", "User plays the xylophone")
    for sql in ("SELECT ts FROM turns", "SELECT created_at FROM memories"):
        rows = memory.storage.database.read(sql)
        assert all(row[0].endswith("Z") and len(row[0]) == len(CANONICAL) for row in rows)
    assert has_inserted(memory)
    assert complete_inserted(memory) == (1, 1)
    assert not has_inserted(memory)
    row = turn(memory, turn_id)
    assert (row.extraction, row.tags) == ("done", ("pii",))
    contents = {one.content: one for one in list_memories(memory).memories}
    assert contents.keys() == {"User plays the xylophone", "User lives in Oslo"}
    kept = get_memory(memory, memory_id)
    assert (kept.origin, kept.status, kept.hits) == ("import", "active", 0)
    assert kept.score == pytest.approx(1.0, abs=0.01)
    hits = search(memory, "Oslo").results
    sources = {one.source for hit in hits for one in (hit, *hit.also)}
    assert sources == {"turn", "memory"}
    assert search(memory, "xylophone").results[0].citation == f"memory {memory_id}"
    assert checkup(memory).healthy
    before = [table(memory, name) for name in ("turns", "memories", "chunks", "sessions")]
    assert complete_inserted(memory) == (0, 0)
    assert [table(memory, name) for name in ("turns", "memories", "chunks", "sessions")] == before


def test_it_is_as_if_it_had_come_by_the_other_doors(tmp_path: Path) -> None:
    """Except for the numbers of rows and the times of storing."""
    said = [
        ("user", "2026-03-04T10:00:00.000Z", "Ann: We have two cats."),
        ("assistant", "2026-03-04T10:01:00.000Z", "How nice. What are they called?"),
        ("user", "2026-03-04T10:02:00.000Z", "Ann: I love opera, and I work at a bakery."),
    ]
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    with opened(tmp_path / "a") as inserted, opened(tmp_path / "b") as sent:
        for role, ts, text in said:
            insert(inserted, TURN_AT, "s1", ts, role, text)
            process_turns(sent, [NewTurn("s1", text, role, ts=ts)])
        complete_inserted(inserted)
        for sql in (
            "SELECT ts, role, text, speaker, tags, digest, extraction FROM turns ORDER BY id",
            "SELECT content, slot, value, words, occurred_at, origin FROM memories ORDER BY id",
            "SELECT uid, text, session_id, occurred_at, body_offset FROM chunks ORDER BY uid",
            "SELECT memory_id, turn_id, reason, rule FROM memory_links ORDER BY 1, 2",
        ):
            assert inserted.storage.database.read(sql) == sent.storage.database.read(sql)
        queries = ("cats", "Ann opera", "bakery called")
        for query in queries:
            hits = [
                [(hit.text, hit.score) for hit in search(one, query).results]
                for one in (inserted, sent)
            ]
            assert hits[0] == hits[1]


@pytest.mark.parametrize(
    "ts, stored",
    [
        ("2026-03-04 10:11:12.123", "2026-03-04T10:11:12.123Z"),
        ("2026-03-04 10:11:12", "2026-03-04T10:11:12.000Z"),
        ("2026-03-04T10:11:12", "2026-03-04T10:11:12.000Z"),
        ("2026-03-04T12:11:12+02:00", "2026-03-04T10:11:12.000Z"),
        ("2026-03-04", "2026-03-04T00:00:00.000Z"),
        ("yesterday", None),
        ("", None),
        (99999999999999, None),
    ],
)
def test_times_are_normalised(memory: Workspace, ts: Any, stored: str | None) -> None:
    turn_id = insert(memory, TURN_AT, "s1", ts, "user", "The fjord was calm.")
    memory_id = insert(memory, MEMORY_AT, "long", "User lives in Bergen", ts)
    for _ in range(2):
        row, kept = turn(memory, turn_id), get_memory(memory, memory_id)
        assert row.ts == (stored or row.recorded_at)
        assert kept.created_at == (stored or "1970-01-01T00:00:00.000Z")
        complete_inserted(memory)
    assert kept.occurred_at == kept.created_at
    assert kept.slot == "user/home"
    chunks = dict(memory.storage.database.read("SELECT source, occurred_at FROM chunks"))
    assert chunks == {"turn": row.ts, "memory": kept.created_at}


def test_a_turn_in_the_past_takes_its_place_among_the_others(memory: Workspace) -> None:
    for hour in (9, 11):
        process_turns(memory, [NewTurn("s1", f"It is {hour}.", ts=f"2026-03-04T{hour:02}:00:00Z")])
    insert(memory, TURN_AT, "s1", "2026-03-04 10:00:00.000", "assistant", "The lighthouse is on.")
    complete_inserted(memory)
    window = TurnStore(memory.storage.database).window("s1", size=9)
    assert [one.text for one in window] == ["It is 9.", "The lighthouse is on.", "It is 11."]
    assert checkup(memory).healthy, "the keyword entry of the next turn has its words"


def test_a_new_fact_replaces_an_inserted_one(memory: Workspace) -> None:
    old = insert(memory, MEMORY_AT, "long", "User lives in Bergen", "2026-01-01 00:00:00.000")
    insert(memory, TURN, "s1", "user", "I live in Oslo now.")
    complete_inserted(memory)
    assert get_memory(memory, old).status == "archived"


ODD = (
    (TURN_AT, ("s1", "rubbish", "user", "The harbour froze.")),
    (TURN_AT, (7, "2026-03-04", "user", b"no \xff text")),
    (TURN_AT, ("", 17, "user", "")),
    (TURN, ("s1", "assistant", "x" * 100_000)),
    (TURN, ("s1", "system", "NUL\0 inside")),
    (
        "INSERT INTO turns (session_id, role, text, metadata, tags, image_paths, recorded_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        ("s2", "tool", "odd", "not json", "a,b", "{}", "never"),
    ),
    (MEMORY, ("mid", b"\xfe\xff")),
    (MEMORY, ("mid", "")),
    (MEMORY, ("mid", "?")),
    (MEMORY, ("mid", " ")),
    (MEMORY_AT, ("long", "User likes tea", "when")),
    (
        "INSERT INTO memories (layer, content, last_seen_at, tags_json, metadata, status)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        ("mid", "User likes chess", "2026-01-01 00:00:00", "no", "[]", "archived"),
    ),
)
"""What another program may leave in the columns."""


OF_THE_FAKE_MODEL = {"missing-vectors"}
"""It has no vector for a text without words, whichever way that came."""


def faults(memory: Workspace) -> set[str]:
    return {finding.check for finding in checkup(memory).problems}


def use(memory: Workspace) -> None:
    """Every reading operation; none may fail on such rows."""
    search(memory, "harbour")
    read_status(memory)
    build_context(memory, ContextRequest("s1", query="tea"))
    build_context(memory, ContextRequest("s2"))
    list_memories(memory)
    audit(memory)
    collect_garbage(memory, dry_run=True)
    for hooks in all_hooks(memory):
        hooks.holding("harbour")
        for line_type, values in hooks.lines(memory.storage.active_space()):
            assert json.dumps(values), line_type
    for name, number in (("turn", 8), ("memory", 7)):
        page = hooks_of(memory, name).page(limit=99, cursor=None)
        assert len(page.records) == number
        for record in page.records:
            hooks_of(memory, name).show(record.id.partition(":")[2])


@pytest.mark.parametrize(
    "tags", ["a,b", '{"a": 1}', "7", "", '["instruction"', '["instruction"] []', '"instruction"']
)
def test_tags_that_are_no_list_break_nothing(memory: Workspace, tags: str) -> None:
    sql = "INSERT INTO memories (layer, content, tags_json) VALUES (?, ?, ?)"
    number = insert(memory, sql, "mid", "User likes tea", tags)
    process_turns(memory, [NewTurn("s1", "I like pears.")])
    with memory.storage.database.transaction() as tx:
        tx.run("UPDATE turns SET tags = :tags", {"tags": tags})
    for _ in range(2):
        assert search(memory, "pears", SearchOptions(scope=Scope(without_tags=("a",)))).results
        assert list_memories(memory, MemoryFilter(tag="instruction")).memories == []
        build_context(memory, ContextRequest("s1", query="tea"))
        collect_garbage(memory)
        audit(memory)
        for hooks in all_hooks(memory):
            assert json.dumps(list(hooks.lines(memory.storage.active_space())))
        forget(memory, ForgetRequest(pii=True), dry_run=True)
        complete_inserted(memory)
    assert get_memory(memory, number).tags == ()


def test_odd_rows_break_nothing_before_or_after(memory: Workspace) -> None:
    process_turns(memory, [NewTurn("s1", "I like pears."), NewTurn("s2", "Hello.")])
    for sql, values in ODD:
        insert(memory, sql, *values)
    use(memory)
    found = {finding.check: finding for finding in checkup(memory).problems}
    assert "another program inserted" in found["records"].fact
    assert complete_inserted(memory) == (6, 6)
    use(memory)
    assert faults(memory) <= OF_THE_FAKE_MODEL
    assert complete_inserted(memory) == (0, 0)


def test_the_doctor_completes_them(memory: Workspace) -> None:
    for sql, values in ODD:
        insert(memory, sql, *values)
    checkup(memory, fix=True)
    assert faults(memory) <= OF_THE_FAKE_MODEL
    assert not has_inserted(memory)


def test_more_rows_than_one_transaction_takes(memory: Workspace) -> None:
    with outside(memory) as run:
        run("BEGIN")
        for n in range(250):
            run(TURN, "s1", "assistant", f"Remark {n}.")
        for n in range(130):
            run(MEMORY, "mid", f"User owns boat {n}")
        run("COMMIT")
    ended = iter([False, True, True])
    assert complete_inserted(memory, is_ended=lambda: next(ended)) == (0, 100)
    assert complete_inserted(memory) == (250, 30)
    assert checkup(memory).healthy


def test_a_session_keeps_its_wish(memory: Workspace) -> None:
    process_turns(memory, [NewTurn("s1", "Hello.", long_term_opt_in=False)])
    insert(memory, TURN, "s1", "user", "The fjord was calm.")
    insert(memory, TURN, "s2", "user", "The fjord was wild.")
    complete_inserted(memory)
    sql = "SELECT session_id, long_term_opt_in FROM sessions ORDER BY 1"
    assert memory.storage.database.read(sql) == [("s1", 0), ("s2", 1)]


def test_a_scheduler_completes_them(memory: Workspace) -> None:
    scheduler = Scheduler(memory)
    scheduler.start(open_work(COMPLETION, memory))
    try:
        insert(memory, TURN, "s1", "user", "The lighthouse lamp was changed.")
        wait_until(lambda: bool(search(memory, "lighthouse").results))
        insert(memory, MEMORY, "mid", "User owns a windmill")
        wait_until(lambda: bool(search(memory, "windmill").results))
    finally:
        scheduler.stop()


def test_a_memory_that_says_the_same_later_strengthens_it(memory: Workspace) -> None:
    memory_id = insert(memory, MEMORY, "mid", "User likes marmalade")
    complete_inserted(memory)
    again = remember(memory, "User likes marmalade")
    assert (again.id, again.action, again.hits) == (memory_id, "merge", 1)


def test_a_slot_under_the_name_of_an_older_version_gets_its_present_one(memory: Workspace) -> None:
    mail = remember(
        memory, "User's e-mail is ana@example.org", metadata={"timestamp": "2026-01-01"}
    )
    zone = remember(memory, "User's time zone is Europe/Oslo")
    tea = remember(memory, "User likes tea")
    with memory.storage.database.transaction() as tx:
        tx.run("UPDATE memories SET slot = 'user/email' WHERE slot = 'user/e-mail'")
        tx.run("UPDATE memories SET slot = 'user/timezone' WHERE slot = 'user/time zone'")
    assert has_inserted(memory)
    assert complete_inserted(memory) == (0, 2)
    assert not has_inserted(memory)
    slots = {one.id: (one.slot, one.occurred_at) for one in list_memories(memory).memories}
    assert slots == {
        mail.id: ("user/e-mail", "2026-01-01T00:00:00.000Z"),
        zone.id: ("user/time zone", zone.occurred_at),
        tea.id: ("user/opinion/tea", tea.occurred_at),
    }
    changed = remember(memory, "User's e-mail is ana@fjord.example")
    assert changed.replaced == [mail.id]


@pytest.mark.sqlite_only(reason="reads the plan of SQLite")
def test_incomplete_memories_are_found_by_indexes(memory: Workspace) -> None:
    read = memory.storage.database.read
    asked = f"SELECT 1 FROM memories WHERE {INCOMPLETE} LIMIT 1"
    plan = read(f"EXPLAIN QUERY PLAN {asked}", {"words": " ", "old_slots": list(OLD_SLOTS)})
    assert [row[3] for row in plan if "SCAN memories" in row[3]] == []


def test_a_content_that_another_program_changed_is_found_instead(memory: Workspace) -> None:
    home = remember(memory, "User lives in Oslo")
    long = remember(memory, "User told of a glacier. " * 100)
    insert(memory, MEMORY, "mid", "User likes\0tea")
    complete_inserted(memory)
    with outside(memory) as run:
        run("UPDATE memories SET content = 'User lives in Uppsala' WHERE id = ?", home.id)
        run("UPDATE memories SET content = 'User collects zithers' WHERE id = ?", long.id)
    chunks = table(memory, "chunks")
    maintain_one(memory, "decay")
    kept = get_memory(memory, home.id)
    assert (kept.slot, kept.value, kept.status) == ("user/home", "uppsala", "active")
    assert search(memory, "Uppsala").results[0].citation == f"memory {home.id}"
    assert search(memory, "zithers").results[0].citation == f"memory {long.id}"
    for gone in ("Oslo", "glacier"):
        assert not any(gone in hit.text for hit in search(memory, gone).results)
    assert not any("glacier" in str(row) or "Oslo" in str(row) for row in table(memory, "chunks"))
    assert checkup(memory).healthy
    renewed = table(memory, "chunks")
    assert renewed != chunks
    maintain_one(memory, "decay")
    assert table(memory, "chunks") == renewed


@pytest.mark.parametrize("place", ["begins", "ends"])
def test_a_long_memory_that_another_program_changes_is_found_by_its_words(
    memory: Workspace, place: str
) -> None:
    filler = "A sentence about nothing. " * 100
    long = remember(memory, f"User keeps a diary. {filler}")
    maintain_one(memory, "decay")
    chunks = table(memory, "chunks")
    maintain_one(memory, "decay")
    assert table(memory, "chunks") == chunks
    text = f"Bassoons. {filler}" if place == "begins" else f"User keeps a diary. {filler}Bassoons"
    with outside(memory) as run:
        run("UPDATE memories SET content = ? WHERE id = ?", text, long.id)
    maintain_one(memory, "decay")
    assert search(memory, "bassoons").results[0].citation == f"memory {long.id}"
    assert checkup(memory).healthy
