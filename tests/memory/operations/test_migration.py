"""A memory moved to PostgreSQL and back: every row, its number, and what searches find."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from contracts import InputError
from memory.conversations.pipeline import process_turns
from memory.conversations.turns.values import NewTurn
from memory.files.ingestion import ingest_text, sync_files
from memory.operations.doctor import checkup
from memory.operations.migration.migrating import MIGRATION, migrate
from memory.retrieval.searching import search
from memory.storage import Storage
from memory.storage.meta import read_meta
from memory.storage.opening import tables_to_copy
from memory.storage.sqlite import SqliteStorage
from memory.workspace import Workspace
from tests.memory.databases import document, opened, write
from tests.postgres_server import PostgresServer, drop_schema, missing_packages

if not missing_packages():
    from memory.storage.postgres import PostgresStorage
else:  # pragma: no cover
    pytest.skip("needs " + ", ".join(missing_packages()), allow_module_level=True)

QUERIES = ("lighthouse lamp", "item3x4", "tea", "where do I live", "marmalade oranges")


@pytest.fixture(scope="module")
def memory(new_folder: Callable[[str], Path]) -> Iterator[Workspace]:
    base = new_folder("migration")
    write(base / "docs", {f"{n}.md": document(n, n + 1, n + 2) for n in range(4)})
    with opened(base, backend="sqlite", storage_path=str(base / "memory.db")) as made:
        sync_files(made, [base / "docs"])
        ingest_text(made, "A note about the lighthouse: its lamp was changed \ufffe in March.")
        said = ("I live in Oslo", "I like tea", "I live in Rome now")
        process_turns(made, [NewTurn("s1", text) for text in said])
        yield made


@pytest.fixture
def place(postgres_server: PostgresServer) -> Iterator[PostgresServer]:
    server = postgres_server._replace(schema=f"{postgres_server.schema} moved")
    drop_schema(server)
    yield server
    drop_schema(server)


def at(place: PostgresServer) -> Storage:
    return PostgresStorage.open(place.dsn, place.schema, create=True)


def assert_same_hits(one: Workspace, other: Workspace) -> None:
    """Both find the same in the same order; scores of turns fade with the seconds between."""
    for query in QUERIES:
        here, there = (search(memory, query).results for memory in (one, other))
        assert here
        assert [hit.chunk_id for hit in here] == [hit.chunk_id for hit in there]
        expected = [hit.score for hit in there]
        assert [hit.score for hit in here] == pytest.approx(expected, abs=1e-4)


def test_every_column_is_copied(place: PostgresServer) -> None:
    sql = """SELECT column_name FROM information_schema.columns WHERE table_schema = :schema
        AND table_name = :name AND is_generated = 'NEVER' ORDER BY ordinal_position"""
    with closing(at(place)) as storage:
        for table in tables_to_copy():
            rows = storage.database.read(sql, {"schema": place.schema, "name": table.name})
            assert [row[0] for row in rows] == list(table.columns)
            assert set(table.key) <= set(table.columns)


@pytest.mark.slow
def test_a_memory_moves_there_and_back(
    memory: Workspace, place: PostgresServer, tmp_path: Path
) -> None:
    with closing(at(place)) as there:
        report = migrate(memory.storage, there)
        rows = {table.name: table.rows for table in report.tables}
        assert rows["files"] == 5
        assert rows["turns"] == 3
        assert rows["memories"] >= 2
        assert report.keyword_entries == memory.storage.count_chunks()
        assert read_meta(there.database, MIGRATION) is None
    server = {"backend": "postgres", "dsn": place.dsn, "schema": place.schema}
    with opened(tmp_path, **server) as moved:
        assert_same_hits(moved, memory)
        assert checkup(moved).problems == []
        process_turns(moved, [NewTurn("s1", "I like marmalade")])
        with pytest.raises(InputError, match="holds something already"):
            migrate(memory.storage, moved.storage)
        with closing(SqliteStorage.open(tmp_path / "back.db", create=True)) as back:
            migrate(moved.storage, back)
        with opened(tmp_path, backend="sqlite", storage_path=str(tmp_path / "back.db")) as again:
            assert_same_hits(again, moved)
            assert checkup(again).problems == []


@pytest.mark.slow
@pytest.mark.parametrize("table", ["files", "turns", "vectors of fake", "keyword entries"])
def test_an_interrupted_copy_continues(
    memory: Workspace, place: PostgresServer, table: str
) -> None:
    def interrupt(name: str, _rows: int) -> None:
        if name.startswith(table):
            raise KeyboardInterrupt

    with closing(at(place)) as there:
        with pytest.raises(KeyboardInterrupt):
            migrate(memory.storage, there, progress=interrupt)
        assert migrate(memory.storage, there).continued
        assert there.count_chunks() == memory.storage.count_chunks()


@pytest.mark.slow
def test_a_memory_that_changes_meanwhile_is_noticed(
    memory: Workspace, place: PostgresServer
) -> None:
    def interrupt(name: str, _rows: int) -> None:
        if name == "turns":
            raise KeyboardInterrupt

    with closing(at(place)) as there:
        with pytest.raises(KeyboardInterrupt):
            migrate(memory.storage, there, progress=interrupt)
        process_turns(memory, [NewTurn("s2", "I like coffee")])
        with pytest.raises(InputError, match="has changed since the copy of it began"):
            migrate(memory.storage, there)
