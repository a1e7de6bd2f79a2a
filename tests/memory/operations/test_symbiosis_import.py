"""A database of Symbiosis-Memory comes over: turns, memories with what they earned, links."""

from contextlib import closing
from pathlib import Path

import apsw
import pytest

from contracts import IncompatibleError, InputError, NotFoundError, StorageError
from memory.conversations.memories.store import MemoryStore
from memory.conversations.memories.values import Memory
from memory.conversations.pipeline import process_turns
from memory.conversations.turns.store import TurnStore
from memory.conversations.turns.values import NewTurn
from memory.operations.exchange.symbiosis_import import IMPORTED, import_symbiosis
from memory.retrieval.searching import search
from memory.workspace import Workspace
from tests.memory.databases import begin_database
from tests.memory.operations.symbiosis_database import TURNS, database


def everything(memory: Workspace) -> dict[str, Memory]:
    ids = [row[0] for row in memory.storage.database.read("SELECT id FROM memories")]
    found = MemoryStore(memory.storage).get_many(ids).values()
    assert len(found) == len({each.content for each in found})
    return {each.content: each for each in found}


def test_all_that_was_kept_comes_over(memory: Workspace, tmp_path: Path) -> None:
    report = import_symbiosis(memory, database(tmp_path / "symbiosis.db"))
    assert (report.format, report.sessions, report.turns, report.added) == ("symbiosis", 1, 3, 3)
    assert report.memories == {"create": 2, "archive": 1}
    assert report.omitted == {"hidden": 1}
    turns = TurnStore(memory.storage.database).window("s1", size=9)
    assert [(turn.ts, turn.role, turn.text) for turn in turns] == [
        (row[2].replace(" ", "T") + "Z", row[3], row[4]) for row in TURNS
    ]
    assert [turn.metadata["symbiosis_id"] for turn in turns] == [1, 2, 3]

    found = everything(memory)
    games = found["User likes JRPGs"]
    assert (games.layer, games.hits, games.score, games.importance) == ("long", 5, 3.25, 1)
    assert (games.created_at, games.last_seen_at) == (
        "2024-05-01T10:00:00.123Z",
        "2024-05-20T08:00:00.000Z",
    )
    assert (games.status, games.tags, games.origin) == ("active", ("interests",), "import")
    oslo, bergen = found["User lives in Oslo"], found["User lives in Bergen"]
    assert (oslo.status, oslo.hits, bergen.status, bergen.hits) == ("archived", 1, "active", 0)
    assert (bergen.layer, bergen.score) == ("mid", 1.5)
    store = MemoryStore(memory.storage)
    links = {
        each.content: [(link.turn_id, link.reason) for link in store.links(each.id)]
        for each in found.values()
    }
    assert links["User likes JRPGs"] == [(turns[0].id, "source")]
    assert links["User lives in Oslo"] == [(turns[0].id, "source")]
    assert [turn_id for turn_id, _ in links["User lives in Bergen"]] == [turns[2].id]
    hits = search(memory, "JRPGs").results
    assert {hit.source for hit in hits} >= {"memory", "turn"}


def test_the_same_database_again_changes_nothing(memory: Workspace, tmp_path: Path) -> None:
    path = database(tmp_path / "symbiosis.db")
    import_symbiosis(memory, path)
    before = everything(memory)
    again = import_symbiosis(memory, path)
    assert (again.added, again.known, again.memories) == (0, 3, {})
    assert everything(memory) == before
    assert all(len(each.metadata[IMPORTED]) == 1 for each in before.values())


def test_it_joins_what_is_here_already(memory: Workspace, tmp_path: Path) -> None:
    said = NewTurn("now", "I like JRPGs. I live in Lima.", ts="2025-01-01T00:00:00Z")
    process_turns(memory, [said])
    report = import_symbiosis(memory, database(tmp_path / "symbiosis.db"))
    assert report.memories == {"merge": 1, "archive": 2}
    found = everything(memory)
    games = found["User likes JRPGs"]
    assert (games.layer, games.hits, games.importance) == ("long", 5, 1)
    assert found["User lives in Lima"].status == "active"
    assert found["User lives in Bergen"].status == "archived"
    assert found["User lives in Bergen"].superseded_by == found["User lives in Lima"].id


def test_a_dry_run_counts(memory: Workspace, tmp_path: Path) -> None:
    path = database(tmp_path / "symbiosis.db")
    for workspace in (None, memory):
        report = import_symbiosis(workspace, path, dry_run=True)
        assert (report.added, report.memories) == (3, {"create": 2, "archive": 1})
    assert everything(memory) == {}


def test_odd_values_are_reported(memory: Workspace, tmp_path: Path) -> None:
    turns = [
        (1, "s", "never", "user", b"caf\xe9 \x00"),
        (2, b"\xff", "2024-05-01", "user", "x"),
        (3, "s", 5, "user", "  "),
        (4, 12, "2024-05-01", "user", "a number is a session too"),
    ]
    odd = (None, "huge", "x", -1)
    memories = [
        (1, "mid", "User likes tea", "never", None, 0, 0, 0, "active", "[]"),
        (2, "short", "User likes tea", "2024-05-01", None, 0, 0, 0, "active", "[]"),
        (3, "mid", "", "2024-05-01", None, 0, 0, 0, "active", "[]"),
        (4, "mid", "User likes tea", "2024-05-01", *odd, "active", '{"a": 1}'),
        (5, "mid", "User likes rain", "2024-05-01", None, 1 << 60, 1e300, 7, "x", '[1, "a"]'),
    ]
    path = database(tmp_path / "odd.db", turns=turns, memories=memories, links=[(4, 1, None)])
    report = import_symbiosis(memory, path)
    assert (report.added, report.undated) == (2, 1)
    assert report.omitted == {"broken": 3, "empty": 2}
    found = everything(memory)
    assert (found["User likes tea"].hits, found["User likes tea"].tags) == (0, ())
    assert (found["User likes rain"].hits, found["User likes rain"].tags) == (0, ("a",))
    assert len(MemoryStore(memory.storage).links(found["User likes tea"].id)) == 1


def test_a_secret_stays_behind_and_is_counted(memory: Workspace, tmp_path: Path) -> None:
    said = "My password is Tr0ub4dor&3x, please keep it."
    turns = [(1, "s", "2024-05-01 10:00:00", "user", said)]
    content = "User's password is Tr0ub4dor&3x"
    row = (1, "mid", content, "2024-05-01 10:00:00", None, 0, 0.0, 0, "active", "[]")
    path = database(tmp_path / "s.db", turns=turns, memories=[row], links=[(1, 1, "source")])
    report = import_symbiosis(memory, path)
    assert (report.added, report.memories, report.omitted) == (1, {}, {"secret": 1})
    assert everything(memory) == {}


def test_what_is_no_such_database(memory: Workspace, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="there is no file"):
        import_symbiosis(memory, tmp_path / "gone.db")
    begin_database(tmp_path / "own.db")
    with pytest.raises(InputError, match="is a database of this program"):
        import_symbiosis(None, tmp_path / "own.db")
    other = tmp_path / "other.db"
    with closing(apsw.Connection(str(other))) as connection:
        connection.execute("CREATE TABLE turns (id)")
    with pytest.raises(InputError, match="has no tables"):
        import_symbiosis(memory, other)
    text = tmp_path / "text.db"
    text.write_text("hello " * 1000)
    with pytest.raises(IncompatibleError, match="is not a SQLite database"):
        import_symbiosis(memory, text)
    torn = database(tmp_path / "torn.db")
    data = torn.read_bytes()
    torn.write_bytes(data[:4096] + b"\xff" * (len(data) - 4096))
    with pytest.raises(StorageError, match="is damaged"):
        import_symbiosis(memory, torn)


def test_nothing_that_a_schema_does_is_trusted(tmp_path: Path) -> None:
    path = tmp_path / "hostile.db"
    tampered = "CREATE TABLE turns (x, id AS (load_extension(x)))"
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute("CREATE TABLE memories (id); CREATE VIEW turns AS SELECT 1 AS id")
        with pytest.raises(InputError, match="has no tables"):
            import_symbiosis(None, path, dry_run=True)
        connection.execute("DROP VIEW turns; CREATE TABLE turns (x); INSERT INTO turns VALUES (1)")
        connection.config(apsw.SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1)
        sql = "UPDATE sqlite_schema SET sql = ? WHERE name = 'turns'"
        connection.execute(sql, (tampered,))
    with pytest.raises((InputError, StorageError), match=r"cannot be read|is damaged"):
        import_symbiosis(None, path, dry_run=True)
