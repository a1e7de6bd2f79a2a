"""What is wrong with turns and memories in the index is named, and fixed."""

from pathlib import Path

import pytest

from memory.conversations.memories.store import MemoryStore
from memory.conversations.memories.writing import record_text
from memory.conversations.pipeline import process_turns
from memory.conversations.turns.values import NewTurn
from memory.index.record_chunks import put_records, record_vectors
from memory.operations.doctor import checkup
from memory.operations.doctor.salvage import salvage
from memory.retrieval.searching import search
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.databases import loaded, opened
from tests.memory.engines import keyword_places, outside

WORDS = SearchOptions(mode="keyword")


def talk(workspace: Workspace) -> None:
    texts = ("I like tea", "Ann: and cake", "Ann: I live in Oslo", "a word at the end")
    process_turns(workspace, [NewTurn("s1", text) for text in texts])


def texts(workspace: Workspace, query: str) -> set[tuple[str, str]]:
    return {(hit.source, hit.text) for hit in search(workspace, query, WORDS).results}


def columns(workspace: Workspace) -> set[tuple[str, str]]:
    """Each word of the keyword index with each column that holds it."""
    places = keyword_places(workspace)
    return {(word, column) for word, found in places.items() for _, column in found}


@pytest.mark.parametrize(
    "lost, fact",
    [
        ("turn", "turns that no search finds: 4 (1, 2, 3, ...)"),
        ("memory", "memories that no search finds: 2 (1, 2)"),
        ("words", "chunks"),
    ],
)
def test_what_no_search_finds_is_made_findable(tmp_path: Path, lost: str, fact: str) -> None:
    with opened(tmp_path) as workspace:
        talk(workspace)
        assert checkup(workspace).healthy
        found, whole = texts(workspace, "tea oslo"), columns(workspace)
        keys = [key for (key,) in workspace.storage.database.read("SELECT id FROM chunks")]
        with workspace.storage.database.transaction() as tx:
            if lost == "words":
                workspace.storage.health.keywords.remove(tx, sorted(keys)[2:])
            else:
                tx.run("DELETE FROM chunks WHERE source = :lost", {"lost": lost})
        report = checkup(workspace)
        assert any(fact in problem.fact for problem in report.problems), report.problems
        assert checkup(workspace, fix=True).healthy
        assert texts(workspace, "tea oslo") == found
        assert columns(workspace) == whole


@pytest.mark.parametrize("kind", ["turn", "memory"])
def test_a_record_whose_chunk_another_one_has_is_made_findable(tmp_path: Path, kind: str) -> None:
    with opened(tmp_path) as workspace:
        talk(workspace)
        found, whole = texts(workspace, "tea oslo"), columns(workspace)
        with workspace.storage.database.transaction() as tx:
            sql = "UPDATE chunks SET owner_id = '2' WHERE source = :kind AND owner_id = '1'"
            tx.run(sql, {"kind": kind})
        assert "that no search finds: 1 (1)" in checkup(workspace).problems[0].fact
        assert checkup(workspace, fix=True).healthy
        assert texts(workspace, "tea oslo") == found
        assert columns(workspace) == whole


def test_memories_of_an_older_version_are_indexed_again(tmp_path: Path) -> None:
    with opened(tmp_path) as workspace:
        talk(workspace)
        whole = columns(workspace)
        assert texts(workspace, "user") == set()
        memories = MemoryStore(workspace.storage).get_many((1, 2)).values()
        old = [record_text(memory)._replace(body_offset=0) for memory in memories]
        with workspace.storage.database.transaction() as tx:
            put_records(workspace, tx, old, record_vectors(workspace, old))
        assert {source for source, _ in texts(workspace, "user")} == {"memory"}
        (problem,) = checkup(workspace).problems
        assert problem.fact == "memories that an older version indexed: 1 (1)"
        assert checkup(workspace, fix=True).healthy
        assert {word for word, _ in columns(workspace)} == {word for word, _ in whole}


def test_chunks_of_what_is_not_there_are_removed(tmp_path: Path) -> None:
    with opened(tmp_path) as workspace:
        talk(workspace)
        with workspace.storage.database.transaction() as tx:
            tx.run("UPDATE memories SET status = 'archived' WHERE id = 1")
            tx.run("DELETE FROM turns WHERE id = 4")
        report = checkup(workspace)
        assert report.problems[0].fact == "chunks of missing records: 2"
        assert checkup(workspace, fix=True).healthy
        assert texts(workspace, "end") == set()


def broken(workspace: Workspace, sql: str) -> None:
    """Run a statement as another program, which may hold no references."""
    with outside(workspace) as run:
        run(sql)


def test_turns_whose_session_is_lost_stay(tmp_path: Path) -> None:
    with opened(tmp_path) as workspace:
        talk(workspace)
        before = workspace.storage.database.read("SELECT * FROM sessions")
        broken(workspace, "DELETE FROM sessions")
        assert "rows of turns that refer to" in checkup(workspace).problems[0].fact
        assert checkup(workspace, fix=True).healthy
        assert workspace.storage.database.read("SELECT count(*) FROM turns") == [(4,)]
        assert workspace.storage.database.read("SELECT * FROM sessions") == before


@pytest.mark.sqlite_only(reason="breaks a reference that PostgreSQL holds")
def test_a_memory_whose_successor_is_lost_stays(tmp_path: Path) -> None:
    with opened(tmp_path) as workspace:
        talk(workspace)
        process_turns(workspace, [NewTurn("s1", "I like chess"), NewTurn("s1", "I hate chess")])
        ((old,),) = workspace.storage.database.read(
            "SELECT id FROM memories WHERE superseded_by IS NOT NULL"
        )
        broken(workspace, "UPDATE memories SET superseded_by = 999 WHERE superseded_by > 0")
        assert not checkup(workspace).healthy
        assert checkup(workspace, fix=True).healthy
        sql = "SELECT superseded_by FROM memories WHERE id = :id"
        assert workspace.storage.database.read(sql, {"id": old}) == [(None,)]


@pytest.mark.sqlite_only(reason="salvages a file")
def test_conversations_are_salvaged(tmp_path: Path) -> None:
    tables = ("sessions", "turns", "memories", "memory_words", "memory_links", "actions", "tallies")
    with opened(tmp_path) as workspace:
        talk(workspace)
        process_turns(workspace, [NewTurn("s2", "I like chess"), NewTurn("s2", "I hate chess")])
    with opened(tmp_path) as workspace:
        before = {name: rows(workspace, name) for name in tables}
        found = texts(workspace, "tea chess oslo")
        again = loaded(tmp_path)
    report = salvage(again, tmp_path / "new" / "memory.db")
    assert (report.incomplete, report.checkup.healthy) == ([], True)
    with opened(tmp_path / "new") as workspace:
        assert {name: rows(workspace, name) for name in tables} == before
        assert texts(workspace, "tea chess oslo") == found != set()


def rows(workspace: Workspace, table: str) -> list[tuple[object, ...]]:
    return sorted(workspace.storage.database.read(f"SELECT * FROM {table}"), key=repr)
