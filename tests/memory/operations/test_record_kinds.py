"""A kind of record that one module declares is found, managed, moved, forgotten and examined."""

import json
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from cli.searching.results import ResultPrinter, Screen
from contracts import IncompatibleError, InputError, NotFoundError
from memory.conversations.memories.editing import remember
from memory.conversations.turns.adding import add_turns
from memory.conversations.turns.values import NewTurn
from memory.files.ingestion import ingest_text
from memory.index.record_hooks import all_hooks
from memory.operations.doctor import checkup
from memory.operations.exchange.exporting import export
from memory.operations.exchange.importing import import_lines
from memory.operations.forget.removal import forget
from memory.operations.forget.selection import choose
from memory.operations.forget.traces import traces_of
from memory.operations.forget.values import ForgetRequest
from memory.operations.forget.verification import claimed, verify
from memory.operations.manage import (
    delete_record,
    get_record,
    list_records,
    show,
    update_record,
)
from memory.retrieval.searching import search
from memory.storage.capabilities.text_columns import names_in
from memory.values.record_kinds import RecordKinds, RecordName
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.databases import opened
from tests.memory.engines import residue
from tests.memory.note_kind import Note, know_notes, write_note
from tests.postgres_server import is_on_postgres

WORDS = SearchOptions(mode="keyword")
SAILS = Note(1, "Sails", "The quixotic spinnaker needs a new seam", ("boat",), {"by": "Ana"})
HULL = Note(2, "Hull", "The hull was painted in spring", metadata={})
NAMED = RecordName("note", "1")


@pytest.fixture
def noted(memory: Workspace) -> Workspace:
    """Two notes between records of the other kinds."""
    know_notes(memory)
    write_note(memory, SAILS)
    write_note(memory, HULL)
    add_turns(memory, [NewTurn("s1", "the anchor is rusty", ts="2024-03-04T10:00:00Z")])
    remember(memory, "User has a boat with an anchor")
    ingest_text(memory, "An anchor holds a boat.")
    return memory


def test_a_search_cites_each_kind_in_its_own_way(
    noted: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    found = {hit.source: hit for hit in search(noted, "quixotic anchor", WORDS).results}
    assert found["note"].citation == "note 1"
    assert found["turn"].citation == "session s1 turn 1, 2024-03-04"
    assert found["memory"].citation == "memory 1"
    assert found["text"].citation == f"text {found['text'].file_id}"
    assert [found[kind].file_id for kind in ("note", "turn", "memory")] == [None] * 3
    ResultPrinter(search(noted, "quixotic", WORDS), noted.kinds, Screen()).print()
    assert "note 1" in (out := capsys.readouterr().out)
    assert "a note of 2024-05-01" in out


@pytest.mark.parametrize("citation", ["note 1", "note:1", " note 01 "])
def test_its_citation_is_shown(noted: Workspace, citation: str) -> None:
    assert show(noted, citation) == SAILS


def test_it_is_managed(noted: Workspace) -> None:
    first = list_records(noted, source="note", limit=1)
    assert [record.id for record in first.records] == ["note:2"]
    rest = list_records(noted, source="note", cursor=first.next_cursor)
    assert [(record.id, record.chunks) for record in rest.records] == [("note:1", 1)]
    with pytest.raises(InputError, match="the cursor is 'turn:1'"):
        list_records(noted, source="note", cursor="turn:1")
    changed = update_record(noted, "note:1", tags=["sea"], metadata={"by": "Bo"})
    assert (changed.tags, changed.metadata) == (["sea"], {"by": "Bo"})
    assert get_record(noted, "note:1") == changed
    assert delete_record(noted, "note:1") == changed
    assert search(noted, "quixotic", WORDS).results == []
    with pytest.raises(NotFoundError, match="there is no note 1"):
        get_record(noted, "note:1")


def test_it_is_exported_and_imported(noted: Workspace, tmp_path: Path) -> None:
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    export(noted, str(one))
    (tmp_path / "other").mkdir()
    with opened(tmp_path / "other") as other:
        know_notes(other)
        report = import_lines(other, str(one))
        assert (report.turns, report.memories, report.errors) == (1, 1, [])
        assert show(other, "note 1") == SAILS
        assert search(other, "quixotic").results == search(noted, "quixotic").results
        export(other, str(two))
    kinds = ("note", "turn", "memory", "session")
    lines = [[json.loads(line) for line in path.read_text().splitlines()] for path in (one, two)]
    both = [[line for line in part if line["type"] in kinds] for part in lines]
    assert both[0] == both[1]
    assert [line["type"] for line in both[0]] == ["session", "turn", "memory", "note", "note"]


def test_a_database_without_the_kind_takes_the_rest(noted: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    export(noted, str(path))
    (tmp_path / "other").mkdir()
    with opened(tmp_path / "other") as other:
        report = import_lines(other, str(path))
    told = "its type is 'note', which this version does not know"
    assert [error.reason for error in report.errors] == [told, told]
    assert (report.turns, report.memories) == (1, 1)


@pytest.mark.parametrize(
    "request_",
    [
        ForgetRequest(records=(NAMED,)),
        ForgetRequest(text="QUIXOTIC spinnaker"),
    ],
    ids=["named", "by its words"],
)
def test_it_is_forgotten_and_that_is_proved(noted: Workspace, request_: ForgetRequest) -> None:
    report = forget(noted, request_, proven=True)
    assert [(gone.kind, gone.citation) for gone in report.forgotten] == [("note", "note 1")]
    assert [check for check in report.checks if not check.ok] == []
    assert residue(noted, "quixotic", "spinnaker") == {}
    assert show(noted, "note 2") == HULL
    with pytest.raises(NotFoundError, match="there is no note 1"):
        forget(noted, ForgetRequest(records=(NAMED,)))


def test_what_is_left_of_it_is_found_in_any_table(noted: Workspace) -> None:
    database = noted.storage.database
    with database.transaction() as tx:
        tx.run("CREATE TABLE drafts (said TEXT)")
        tx.run("INSERT INTO drafts VALUES (:body)", {"body": f"once: {SAILS.body}"})
    report = forget(noted, ForgetRequest(records=(NAMED,)), proven=True)
    assert {check.name for check in report.checks if not check.ok} == {"records", "bytes"}


@pytest.mark.sqlite_only(reason="breaks a reference that PostgreSQL holds")
def test_a_row_that_refers_to_it_is_found(noted: Workspace) -> None:
    left = traces_of(noted, choose(noted, ForgetRequest(records=(NAMED,))))
    assert forget(noted, ForgetRequest(records=(NAMED,)), proven=True).ok
    with closing(apsw.Connection(str(noted.path))) as careless:  # checks no references
        careless.execute("INSERT INTO note_authors VALUES (1, 'Ana')").fetchall()
    assert [check.name for check in verify(noted, left) if not check.ok] == ["records"]


def test_the_doctor_examines_it(noted: Workspace) -> None:
    assert checkup(noted).problems == []
    with noted.storage.database.transaction() as tx:
        tx.run("DELETE FROM chunks WHERE source = 'note' AND owner_id = '1'")
        tx.run("DELETE FROM notes WHERE id = 2")
    facts = [problem.fact for problem in checkup(noted).problems]
    assert facts == [
        "chunks of missing records: 1",
        "notes that no search finds: 1 (1)",
    ]
    assert checkup(noted, fix=True).healthy
    assert [hit.citation for hit in search(noted, "quixotic", WORDS).results] == ["note 1"]


def test_an_unknown_kind_is_an_error(noted: Workspace) -> None:
    noted.kinds = RecordKinds()
    told = "a record has the kind 'note'; this program knows turn, memory, episode, triple, fact"
    with pytest.raises(IncompatibleError, match=told):
        search(noted, "quixotic", WORDS)
    with pytest.raises(InputError, match="there is no source 'note'"):
        list_records(noted, source="note")
    with pytest.raises(NotFoundError, match="nothing indexed is called 'note 1'"):
        show(noted, "note 1")


OF_SQLITE = {"definition_names.name", "semantic_memory.source_episodic_ids"}
"""Columns that PostgreSQL does not have, or not as text."""


def test_every_column_of_text_is_claimed_once(noted: Workspace) -> None:
    """A column that nobody claims would make the proof of a forgetting cry wolf, or miss words."""
    there = {
        f"{table}.{name}"
        for table, names in noted.storage.health.text_columns().items()
        for name in names
    }
    claims = [
        f"{part.table}.{name}"
        for part in claimed(noted)
        for name in names_in(part.texts, part.names, part.notes, part.codes)
        if f"{part.table}.{name}" not in (OF_SQLITE if is_on_postgres() else ())
    ]
    assert sorted(claims) == sorted(there)


def test_each_kind_claims_the_table_of_its_records(noted: Workspace) -> None:
    for hooks in all_hooks(noted):
        assert hooks.table in {part.table for part in hooks.columns}
