"""What is kept for a time only: turns of sessions that are not to outlive it, and actions."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from queue import Queue

import pytest

from contracts import Scope, StorageError
from memory.conversations.lifecycle import collect_garbage
from memory.conversations.memories.store import MemoryStore
from memory.conversations.pipeline import process_turns
from memory.conversations.retention import AT_ONCE, remove_expired
from memory.conversations.retention_status import read_retention
from memory.conversations.turns.store import TurnStore
from memory.conversations.turns.values import NewTurn
from memory.operations.jobs.job import JobOutcome
from memory.operations.jobs.retention import RetentionWork
from memory.operations.jobs.scheduler import Scheduler
from memory.operations.status import read_status
from memory.retrieval.searching import search
from memory.storage import utc_text
from memory.storage.action_log import actions_of
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.databases import opened
from tests.memory.engines import residue
from tests.repository import ROOT
from tests.waiting import wait_until

NOW = datetime.now(UTC)


@pytest.fixture(params=["sqlite", "memory"])
def workspace(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Workspace]:
    with opened(tmp_path, backend=request.param) as database:
        yield database


def results(workspace: Workspace, session: str, text: str, *, opt_in: bool | None = None) -> int:
    (turn,) = process_turns(workspace, [NewTurn(session, text, long_term_opt_in=opt_in)])
    return turn.turn_id


def came(workspace: Workspace, turn_id: int, *, hours_ago: float) -> None:
    """Have a turn come here some time ago."""
    when = utc_text(NOW - timedelta(hours=hours_ago))
    with workspace.storage.database.transaction() as tx:
        tx.run("UPDATE turns SET recorded_at = :at WHERE id = :id", {"at": when, "id": turn_id})


def there(workspace: Workspace) -> list[int]:
    return [row[0] for row in workspace.storage.database.read("SELECT id FROM turns ORDER BY id")]


def found(workspace: Workspace, query: str) -> list[str]:
    options = SearchOptions(mode="keyword", scope=Scope(sources=("turn",)))
    return [hit.text for hit in search(workspace, query, options).results]


def test_turns_go_after_their_time_if_their_session_wants_no_more(workspace: Workspace) -> None:
    kept = results(workspace, "kept", "the walrus sleeps")
    old = results(workspace, "passing", "the walrus sings", opt_in=False)
    young = results(workspace, "passing", "the seal sings")
    for turn_id, hours in ((kept, 99), (old, 25), (young, 22)):
        came(workspace, turn_id, hours_ago=hours)
    assert read_status(workspace).retention.due == 1

    report = remove_expired(workspace, now=NOW)

    assert (report.turns, report.actions) == (1, 0)
    assert there(workspace) == [kept, young]
    assert found(workspace, "walrus") == ["the walrus sleeps"]  # nor beside the seal
    assert [action.code for action in actions_of(workspace.storage.database, old, source="turn")][
        :1
    ] == ["age"]
    assert remove_expired(workspace, now=NOW).turns == 0


def test_what_is_gone_lies_nowhere_in_the_files(tmp_path: Path) -> None:
    with opened(tmp_path) as workspace:
        old = results(workspace, "passing", "the xylophone sings", opt_in=False)
        came(workspace, old, hours_ago=25)
        remove_expired(workspace, now=NOW)
        assert residue(workspace, "xylophone") == {}


def test_nothing_stays_in_pages_that_were_split_meanwhile(tmp_path: Path) -> None:
    """The first page of a table becomes a page of references, with room for what was there."""
    with opened(tmp_path) as workspace:
        turns = [NewTurn("passing", f"xylophone {n} {'sings ' * 40}") for n in range(200)]
        with_decision = replace(turns[0], long_term_opt_in=False)
        process_turns(workspace, [with_decision, *turns, NewTurn("kept", "the seal sings")])
        assert remove_expired(workspace, now=NOW + timedelta(hours=25)).turns == 201
        assert residue(workspace, "xylophone") == {}


@pytest.mark.sqlite_only(reason="is about words that stay in pages of the file")
def test_whoever_is_killed_before_the_words_are_gone_has_the_next_do_it(tmp_path: Path) -> None:
    kill = """
import os, signal, sys
from pathlib import Path
from memory.conversations.retention import remove_expired
from memory.storage.sqlite import SqliteStorage
from tests.memory.databases import opened
SqliteStorage.purge = lambda self: os.kill(os.getpid(), signal.SIGKILL)
with opened(Path(sys.argv[1])) as workspace:
    remove_expired(workspace)
"""
    with opened(tmp_path) as workspace:
        came(
            workspace,
            results(workspace, "passing", "the xylophone sings", opt_in=False),
            hours_ago=25,
        )
    killed = subprocess.run([sys.executable, "-c", kill, str(tmp_path)], cwd=ROOT, check=False)
    assert killed.returncode == -signal.SIGKILL
    with opened(tmp_path) as workspace:
        assert residue(workspace, "xylophone") != {}
        assert remove_expired(workspace).turns == 0
        assert residue(workspace, "xylophone") == {}


def test_memories_stay_without_a_link_to_the_turn(workspace: Workspace) -> None:
    old = results(workspace, "passing", "My name is Alex.", opt_in=False)
    (memory,) = MemoryStore(workspace.storage).of_turn(old)
    came(workspace, old, hours_ago=25)

    remove_expired(workspace, now=NOW)

    assert MemoryStore(workspace.storage).get(memory.id) == memory
    assert MemoryStore(workspace.storage).links(memory.id) == []
    assert "Alex" in memory.content


def test_a_session_is_remembered_when_all_its_turns_have_gone(workspace: Workspace) -> None:
    came(workspace, results(workspace, "s", "one", opt_in=False), hours_ago=25)
    remove_expired(workspace, now=NOW)
    came(workspace, results(workspace, "s", "two"), hours_ago=25)

    assert remove_expired(workspace, now=NOW).turns == 1
    assert there(workspace) == []


def test_a_session_may_change_its_mind(workspace: Workspace) -> None:
    first = results(workspace, "s", "one", opt_in=False)
    second = results(workspace, "s", "two", opt_in=True)
    came(workspace, first, hours_ago=25)

    assert remove_expired(workspace, now=NOW).turns == 0
    assert there(workspace) == [first, second]


def test_imported_turns_count_from_when_they_came(workspace: Workspace) -> None:
    turn = NewTurn("s", "long ago", ts="2001-01-01", long_term_opt_in=False)
    (old,) = process_turns(workspace, [turn])

    assert remove_expired(workspace).turns == 0
    assert TurnStore(workspace.storage.database).get(old.turn_id) is not None


def test_the_configuration_decides_for_new_sessions(tmp_path: Path) -> None:
    with opened(tmp_path, long_term_opt_in=False, session_retention_hours=1) as workspace:
        usual, asked = results(workspace, "a", "one"), results(workspace, "b", "two", opt_in=True)
        for turn_id in (usual, asked):
            came(workspace, turn_id, hours_ago=1.1)
        assert remove_expired(workspace, now=NOW).turns == 1
        assert there(workspace) == [asked]


def test_many_turns_go_in_parts_and_it_can_be_ended_between_them(workspace: Workspace) -> None:
    turns = [NewTurn("s", f"turn {n}", auto_extract=False) for n in range(AT_ONCE + 5)]
    process_turns(workspace, [NewTurn("s", "first", long_term_opt_in=False), *turns])
    later = NOW + timedelta(hours=25)
    ends = iter([False, True, True])

    assert remove_expired(workspace, now=later, is_ended=lambda: next(ends)).turns == AT_ONCE
    assert remove_expired(workspace, now=later).turns == 6
    assert there(workspace) == []


def test_old_actions_go(workspace: Workspace) -> None:
    results(workspace, "s", "My name is Alex.")
    assert len(actions_of(workspace.storage.database, 1)) == 1

    assert remove_expired(workspace, now=NOW + timedelta(days=29)).actions == 0
    assert remove_expired(workspace, now=NOW + timedelta(days=31)).actions == 1
    assert actions_of(workspace.storage.database, 1) == []


def test_old_changes_go_and_followers_are_told(workspace: Workspace) -> None:
    results(workspace, "s", "My name is Alex.")
    storage = workspace.storage
    newest = storage.record_changes(after=0, limit=9).newest
    remove_expired(workspace, now=NOW + timedelta(days=29))
    assert len(storage.record_changes(after=0, limit=9).changes) == newest
    remove_expired(workspace, now=NOW + timedelta(days=31))
    assert storage.record_changes(after=0, limit=9) == ([], newest, True)
    assert not storage.record_changes(after=newest, limit=9).missing


def test_a_dry_run_says_the_same_and_changes_nothing(workspace: Workspace) -> None:
    old = results(workspace, "s", "My name is Alex.", opt_in=False)
    later = NOW + timedelta(days=31)

    dry = remove_expired(workspace, now=later, dry_run=True)

    assert there(workspace) == [old]
    assert read_retention(workspace).last_at is None
    wet = remove_expired(workspace, now=later)
    assert (dry.turns, dry.actions) == (wet.turns, wet.actions) == (1, 1)


def test_a_collection_of_garbage_does_it_too(workspace: Workspace) -> None:
    came(workspace, results(workspace, "s", "one", opt_in=False), hours_ago=25)

    assert collect_garbage(workspace, dry_run=True).retention.turns == 1
    assert collect_garbage(workspace).retention.turns == 1
    kept = read_status(workspace).retention
    assert (kept.sessions, kept.due, kept.last_turns, kept.last_error) == (1, 0, 1, None)


@pytest.mark.sqlite_only(reason="damages a text of the file")
def test_a_server_says_what_keeps_it_from_it(tmp_path: Path) -> None:
    with opened(tmp_path) as workspace:
        came(workspace, results(workspace, "s", "one", opt_in=False), hours_ago=25)
        with workspace.storage.database.transaction() as tx:
            tx.run("UPDATE turns SET text = CAST(x'ff' AS TEXT)")  # damage
        said: Queue[JobOutcome] = Queue()
        scheduler = Scheduler(workspace, tell=lambda _job, outcome, _pause_s: said.put(outcome))
        scheduler.start(RetentionWork(workspace))
        error = said.get(timeout=60).error
        assert isinstance(error, StorageError)
        wait_until(lambda: read_retention(workspace).last_error == str(error))
        scheduler.stop()


def test_a_server_does_it_soon_after_it_begins(tmp_path: Path) -> None:
    with opened(tmp_path) as workspace:
        old = results(workspace, "s", "My name is Alex.", opt_in=False)
        with workspace.storage.database.transaction() as tx:
            tx.run("UPDATE turns SET extraction = 'rules'")  # as an interruption leaves it
        came(workspace, old, hours_ago=25)
        scheduler = Scheduler(workspace)
        scheduler.start(RetentionWork(workspace))
        wait_until(lambda: not there(workspace))
        scheduler.stop()
        assert workspace.storage.database.read("SELECT count(*) FROM memories") == [(1,)]
