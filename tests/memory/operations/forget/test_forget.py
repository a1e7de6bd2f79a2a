"""What is forgotten is gone: rows, chunks, entries, vectors, derived memories and every byte."""

import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from contracts import InputError, NotFoundError, Scope
from memory.conversations.memories.editing import MemoryChange, edit_memory, remember
from memory.conversations.memories.store import MemoryStore
from memory.conversations.pipeline import TurnResult, process_turns
from memory.conversations.retention import remove_expired
from memory.conversations.turns.store import TurnStore
from memory.conversations.turns.values import NewTurn
from memory.files.ingestion import ingest_text, sync_files
from memory.operations.compact import compact
from memory.operations.forget.removal import forget
from memory.operations.forget.values import ForgetReport, ForgetRequest
from memory.records.people import NewPerson, write_person
from memory.retrieval.searching import search
from memory.storage import content_hash
from memory.storage.sqlite.connection import connect
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.databases import opened, write
from tests.memory.engines import residue
from tests.repository import ROOT

COMPOSED, DECOMPOSED = "Zo\u00e9", "Zoe\u0301"
SECRET = "quixotic"
"""A word that nothing else in a test holds."""


def say(workspace: Workspace, *texts: str, session: str = "s1") -> list[TurnResult]:
    return process_turns(workspace, [NewTurn(session, text) for text in texts])


def found(workspace: Workspace, query: str) -> list[str]:
    options = SearchOptions(mode="keyword", scope=Scope())
    return [hit.text for hit in search(workspace, query, options).results]


def cited(report: ForgetReport) -> list[tuple[str, str]]:
    return [(item.citation.split(",")[0], item.why) for item in report.forgotten]


def failed(report: ForgetReport) -> list[tuple[str, str]]:
    return [(check.name, check.detail) for check in report.checks if not check.ok]


@pytest.fixture
def full(memory: Workspace) -> Workspace:
    """A memory with neighbours of all kinds beside what is to go."""
    say(
        memory,
        "I live in Bergen by the harbour",
        f"I like {SECRET} windmills and tea",
        "The harbour was full of boats",
        "I like tea",
    )
    say(memory, "I like chess", session="s2")
    ingest_text(memory, f"A note on {SECRET} windmills in the harbour.", tags=["note"])
    return memory


@pytest.mark.parametrize("given", [COMPOSED, DECOMPOSED.upper()], ids=["composed", "decomposed"])
def test_a_text_is_forgotten_in_both_forms_of_its_accents(memory: Workspace, given: str) -> None:
    for name in (COMPOSED, DECOMPOSED):
        form = "composed" if name == COMPOSED else "decomposed"
        say(memory, f"{name} owns a boat, {form}", session=form)
        remember(memory, f"The {form} gardener is {name} Martin")
        ingest_text(memory, f"A letter to {name}, {form}.")
        write_person(memory, NewPerson(name=f"{name} {form}"))
    report = forget(memory, ForgetRequest(text=given), proven=True)
    kinds = [item.kind for item in report.forgotten if item.why == "chosen"]
    assert {kind: kinds.count(kind) for kind in kinds} == {
        **{"turn": 2, "memory": 2, "text": 2, "person": 2},
    }
    assert failed(report) == []
    assert found(memory, COMPOSED) == []


def test_a_turn_goes_with_all_that_was_made_of_it_alone(full: Workspace) -> None:
    assert residue(full, SECRET) != {}
    report = forget(full, ForgetRequest(turn_ids=(2,)), proven=True)
    assert cited(report) == [
        ("session s1 turn 2", "chosen"),
        (f"memory {_id(full, report)}", "source"),
    ]
    assert failed(report) == []
    assert [check.name for check in report.checks] == [
        *("records", "chunks", "keywords", "vectors", "cache", "bytes"),
    ]
    assert report.ok
    store = TurnStore(full.storage.database)
    assert store.get(2) is None
    assert [turn.id for turn in store.window("s1", size=9)] == [1, 3, 4]
    texts = [memory.content for memory in _memories(full)]
    assert "User likes tea" in texts  # said again elsewhere
    assert not any(SECRET in text for text in texts)
    assert found(full, SECRET) == [f"A note on {SECRET} windmills in the harbour."]


def _memories(workspace: Workspace) -> list[object]:
    rows = workspace.storage.database.read("SELECT id FROM memories")
    return list(MemoryStore(workspace.storage).get_many(row[0] for row in rows).values())


def _id(workspace: Workspace, report: ForgetReport) -> str:
    (derived,) = [item.id for item in report.forgotten if item.why == "source"]
    return derived


def test_everything_that_holds_a_text_goes_and_no_byte_is_left(full: Workspace) -> None:
    report = forget(full, ForgetRequest(text="QUIXOTIC Windmills"), proven=True)
    assert {item.kind for item in report.forgotten} == {"turn", "memory", "text"}
    assert report.ok, failed(report)
    assert residue(full, SECRET) == {}
    assert residue(full, "windmills") == {}
    assert found(full, SECRET) == []
    assert "The harbour was full of boats" in found(full, "harbour")


def test_the_neighbours_of_what_is_gone_no_longer_hold_its_words(full: Workspace) -> None:
    options = SearchOptions(mode="keyword", scope=Scope(sources=("turn",)))
    assert len(search(full, SECRET, options).results) == 3
    forget(full, ForgetRequest(turn_ids=(2,)))
    assert search(full, SECRET, options).results == []


@pytest.mark.parametrize("at_once", [True, False])
def test_what_another_turn_has_ended_is_made_of_the_first_alone(
    memory: Workspace, *, at_once: bool
) -> None:
    """The turn that ends a memory says nothing of what it was about."""
    told = (f"I work at {SECRET.title()} Corp", "I quit my job")
    for texts in [told] if at_once else [(text,) for text in told]:
        say(memory, *texts)
    kept = forget(memory, ForgetRequest(turn_ids=(2,)), dry_run=True)
    assert cited(kept) == [("session s1 turn 2", "chosen"), ("memory 2", "source")]
    report = forget(memory, ForgetRequest(turn_ids=(1,)), proven=True)
    assert cited(report) == [("session s1 turn 1", "chosen"), ("memory 1", "source")]
    assert failed(report) == []
    assert residue(memory, SECRET) == {}


def test_what_took_the_place_of_another_memory_stays_while_one_turn_says_it(
    memory: Workspace,
) -> None:
    say(memory, "I live in Oslo", "I live in Rome now", "I live in Rome")
    report = forget(memory, ForgetRequest(turn_ids=(3,)))
    assert cited(report) == [("session s1 turn 3", "chosen")]
    report = forget(memory, ForgetRequest(turn_ids=(2,)))
    assert [why for _, why in cited(report)] == ["chosen", "source"]


def test_what_a_memory_said_before_it_was_edited_leaves_no_vector(memory: Workspace) -> None:
    say(memory, "I like tea")
    key = remember(memory, f"User owns a {SECRET} hat").id
    known = {content_hash(f"owns a {SECRET} hat"): b"\0\0"}  # as it is embedded
    space = memory.storage.active_space()
    assert space is not None
    with memory.storage.database.transaction() as tx:
        memory.storage.cache.put(tx, space, known, kind="document", most_bytes=1 << 20)
    edit_memory(memory, key, MemoryChange(content="User owns a hat"))
    assert memory.storage.cache.size().entries == 0
    assert "User owns a hat" in found(memory, "hat")


def test_a_session_goes_whole_with_its_name(full: Workspace) -> None:
    say(full, f"I like {SECRET} hats", session="private-talk-7731")
    report = forget(full, ForgetRequest(session_id="private-talk-7731"), proven=True)
    assert report.ok, failed(report)
    assert residue(full, "private-talk-7731") == {}
    assert TurnStore(full.storage.database).window("private-talk-7731", size=9) == []
    assert TurnStore(full.storage.database).window("s2", size=9) != []


def test_a_time_bounds_what_goes(memory: Workspace) -> None:
    process_turns(
        memory,
        [NewTurn("s1", f"word{day}", ts=f"2024-05-{day:02}") for day in (1, 2, 3, 4)],
    )
    report = forget(memory, ForgetRequest(since="2024-05-02", until="2024-05-03"))
    assert [item.id for item in report.forgotten] == ["2", "3"]
    other = forget(memory, ForgetRequest(since="2024-05-01", session_id="s9"))
    assert other.forgotten == []


def test_a_memory_may_go_alone_or_with_what_it_was_made_of(full: Workspace) -> None:
    (chess,) = [item for item in _memories(full) if "chess" in item.content]  # type: ignore[attr-defined]
    key = chess.id  # type: ignore[attr-defined]
    dry = forget(full, ForgetRequest(memory_ids=(key,)), dry_run=True)
    assert (dry.dry_run, cited(dry)) == (True, [(f"memory {key}", "chosen")])
    assert [text.split(",")[0] for text in dry.kept] == ["session s2 turn 5"]
    report = forget(full, ForgetRequest(memory_ids=(key,), with_sources=True), proven=True)
    assert [item.kind for item in report.forgotten] == ["turn", "memory"]
    assert report.ok, failed(report)
    assert found(full, "chess") == []


def test_what_a_query_finds_goes(full: Workspace) -> None:
    report = forget(full, ForgetRequest(query="chess", max_results=2))
    assert {item.kind for item in report.forgotten} >= {"turn"}
    assert "I like chess" not in found(full, "chess")


def test_files_that_say_it_too_are_named_and_stay(memory: Workspace, docs: Path) -> None:
    write(docs, {"a.md": f"We saw {SECRET} windmills turning slowly in the valley.\n"})
    sync_files(memory, [docs])
    say(memory, f"We saw {SECRET} windmills turning slowly")
    report = forget(memory, ForgetRequest(turn_ids=(1,)), proven=True)
    assert report.ok, failed(report)
    assert [Path(place.rpartition(":")[0]).name for place in report.elsewhere] == ["a.md"]
    assert found(memory, SECRET) != []


def test_the_log_knows_that_something_went_and_no_word_of_it(full: Workspace) -> None:
    forget(full, ForgetRequest(turn_ids=(2,)))
    rows = full.storage.database.read("SELECT * FROM actions WHERE action = 'forgotten'")
    assert {(row[4], row[5]) for row in rows} >= {("turn", 2)}
    assert SECRET not in str(rows)


def test_what_names_nothing_or_nobody_is_refused(full: Workspace) -> None:
    with pytest.raises(InputError, match="the request names nothing to forget"):
        forget(full, ForgetRequest())
    with pytest.raises(InputError, match="since 2024-05 is after until 2024-04"):
        forget(full, ForgetRequest(since="2024-05", until="2024-04"))
    with pytest.raises(InputError, match="the text to forget is empty"):
        forget(full, ForgetRequest(text="  "))
    with pytest.raises(NotFoundError, match="there is no memory 999"):
        forget(full, ForgetRequest(memory_ids=(999,), turn_ids=(1,)))
    assert TurnStore(full.storage.database).get(1) is not None
    assert forget(full, ForgetRequest(text="nothing says this")).forgotten == []


@pytest.mark.sqlite_only(reason="is about the bytes of the file")
def test_the_proof_fails_when_something_is_left(tmp_path: Path) -> None:
    """The checks can fail: what somebody else wrote of it in between is found."""
    with opened(tmp_path) as workspace:
        say(workspace, f"I like {SECRET} windmills")
        with workspace.storage.database.transaction() as tx:
            tx.run(
                "CREATE TRIGGER keep AFTER DELETE ON turns BEGIN "
                "INSERT INTO tallies VALUES ('x', 1, NULL, lower(old.text)); END"
            )
        report = forget(workspace, ForgetRequest(turn_ids=(1,)), proven=True)
        assert [name for name, _ in failed(report)] == ["bytes"]
        assert not report.ok


@pytest.mark.sqlite_only(reason="is about the log beside the file")
def test_a_reader_of_an_old_state_keeps_the_log_and_is_told(tmp_path: Path) -> None:
    with opened(tmp_path) as workspace:
        say(workspace, f"I like {SECRET} windmills")
        reader = connect(str(workspace.path))
        reader.execute("BEGIN").fetchall()
        reader.execute("SELECT count(*) FROM turns").fetchall()
        report = forget(workspace, ForgetRequest(turn_ids=(1,)))
        reader.close()
        assert not report.ok
        assert "write-ahead log could not be emptied" in report.warnings[0]
        again = forget(workspace, ForgetRequest(text="x" * 9))
        assert (again.forgotten, again.ok) == ([], True)
        assert residue(workspace, SECRET) == {}


@pytest.mark.sqlite_only(reason="is about words that stay in pages of the file")
def test_who_is_killed_before_the_words_are_gone_has_the_next_do_it(tmp_path: Path) -> None:
    kill = """
import os, signal, sys
from pathlib import Path
from memory.operations.forget.removal import forget
from memory.operations.forget.values import ForgetRequest
from memory.storage.sqlite import SqliteStorage
from tests.memory.databases import opened
SqliteStorage.purge = lambda self: os.kill(os.getpid(), signal.SIGKILL)
with opened(Path(sys.argv[1])) as workspace:
    forget(workspace, ForgetRequest(turn_ids=(1,)))
"""
    with opened(tmp_path) as workspace:
        say(workspace, f"I like {SECRET} windmills", "I like tea")
    killed = subprocess.run([sys.executable, "-c", kill, str(tmp_path)], cwd=ROOT, check=False)
    assert killed.returncode == -signal.SIGKILL
    with opened(tmp_path) as workspace:
        assert TurnStore(workspace.storage.database).get(1) is None
        assert residue(workspace, SECRET) != {}
        compact(workspace)
        assert residue(workspace, SECRET) == {}


def test_a_session_whose_turns_went_by_retention_loses_its_name(tmp_path: Path) -> None:
    name = "private-talk-7731"
    with opened(tmp_path) as workspace:
        process_turns(workspace, [NewTurn(name, "the seal sings", long_term_opt_in=False)])
        remove_expired(workspace, now=datetime.now(UTC) + timedelta(hours=25))
        assert residue(workspace, name) != {}
        report = forget(workspace, ForgetRequest(session_id=name), proven=True)
        assert (report.forgotten, failed(report)) == ([], [])
        assert residue(workspace, name) == {}


@pytest.mark.sqlite_only(reason="is about copies beside the file")
@pytest.mark.parametrize("copy", ["-", ".before-restore-", ".damaged-"])
def test_copies_beside_the_database_are_named(tmp_path: Path, copy: str) -> None:
    file = tmp_path / f"memory{copy}20261120T193005.123Z.db"
    file.touch()
    with opened(tmp_path) as workspace:
        say(workspace, "I like tea")
        (warning,) = forget(workspace, ForgetRequest(turn_ids=(1,))).warnings
        assert str(file) in warning
