"""`mem doctor` on PostgreSQL: what is broken by hand is named, repaired, and found again."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memory.files.ingestion import ingest_text, sync_files
from memory.operations.doctor import checkup
from memory.operations.status import read_status
from memory.retrieval.searching import search
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.databases import document, opened, write
from tests.postgres_server import PostgresServer, drop_schema, missing_packages

if not missing_packages():
    import psycopg
else:  # pragma: no cover
    pytest.skip("needs " + ", ".join(missing_packages()), allow_module_level=True)

pytestmark = pytest.mark.slow
NOTE = "A note about the lighthouse: its lamp was changed in March."


@pytest.fixture(scope="module")
def healthy(
    postgres_server: PostgresServer, new_folder: Callable[[str], Path]
) -> Iterator[Workspace]:
    server = postgres_server._replace(schema=f"{postgres_server.schema} doctor")
    drop_schema(server)
    base = new_folder("doctor")
    write(base / "docs", {f"{n}.md": document(n, n + 1, n + 2) for n in range(4)})
    place = {"backend": "postgres", "dsn": server.dsn, "schema": server.schema}
    with opened(base, **place) as memory:
        sync_files(memory, [base / "docs"])
        ingest_text(memory, NOTE)
        yield memory
    drop_schema(server)


def test_nothing_is_wrong_with_a_healthy_memory(healthy: Workspace) -> None:
    report = checkup(healthy, files=True)
    assert (report.problems, report.notes) == ([], [])
    assert {check.outcome for check in report.checks} == {"fine"}


@pytest.mark.parametrize(
    "sql, check, fact",
    [
        ("DELETE FROM keyword_entries", "keywords", "chunks that no word finds: "),
        ("DELETE FROM posting_blocks", "keywords", "chunks that no word finds: "),
        ("INSERT INTO keyword_entries (chunk_id, counts) VALUES (9999, '{1}')", "keywords",
         "without a chunk"),
        ("INSERT INTO posting_blocks VALUES ('stray', 9999, 9999, 1, '{655304709}', '{0}')",
         "keywords", "without a chunk"),
        ("UPDATE keyword_totals SET entries = 7", "keywords", "reckoned with 7"),
        ("UPDATE keyword_entries SET counts = '{1,2,3,4}'", "words", "not of their chunk's text"),
        ("DELETE FROM vectors_1", "missing-vectors", "with a lost vector"),
        ("UPDATE vectors_1 SET v = (SELECT array_fill(3.0::real, ARRAY[public.vector_dims(v)])"
         "::public.halfvec)", "vectors", "not unit vectors"),
        ("DROP INDEX chunks_hash", "tables", "chunks_hash"),
        ("DROP VIEW messages", "tables", "messages"),
        ("DROP TABLE vectors_1", "tables", "vectors_1"),
        ("CREATE TABLE vectors_77 ()", "tables", "vectors_77"),
        ("UPDATE log_ends SET last = 1 WHERE log = 'changes'", "counters", "changes"),
        ("SELECT setval(pg_get_serial_sequence('chunks', 'id'), 1)", "counters", "chunks"),
        ("INSERT INTO meta VALUES ('odd', '{')", "counters", "cannot be read"),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else None,
)  # fmt: skip
def test_damage_is_named_and_repaired(healthy: Workspace, sql: str, check: str, fact: str) -> None:
    database = healthy.storage.database
    with psycopg.connect(healthy.config.dsn, autocommit=True) as connection:
        connection.execute(f'SET search_path = "{healthy.config.schema}"')
        connection.execute(sql)
    found = checkup(healthy)
    assert [one.check for one in found.problems][:1] == [check], found.problems
    assert fact in found.problems[0].fact
    repaired = checkup(healthy, fix=True)
    assert repaired.problems == []
    assert database.read("SELECT count(*) FROM keyword_entries")[0][0] == 13
    hits = search(healthy, "lamp changed", SearchOptions(max_results=1)).results
    assert hits[0].text == NOTE


def test_the_status_tells_of_the_server(healthy: Workspace) -> None:
    server = read_status(healthy).server
    assert server is not None
    with psycopg.connect(healthy.config.dsn) as connection:
        assert connection.info.parameter_status("server_version") == server.version
    assert server.vector_version >= "0.7"
    assert 0 < server.connections < server.most_connections
    assert server.invalid_indexes == []
    assert server.oldest_transaction_s >= 0


def test_an_index_that_is_not_valid_is_made_again(healthy: Workspace) -> None:
    with psycopg.connect(healthy.config.dsn, autocommit=True) as connection:
        connection.execute(
            "UPDATE pg_index SET indisvalid = false WHERE indexrelid = %s::regclass",
            (f'"{healthy.config.schema}".chunks_hash',),
        )
    server = read_status(healthy).server
    assert server is not None
    assert server.invalid_indexes == ["chunks_hash"]
    assert "chunks_hash" in checkup(healthy).problems[0].fact
    assert checkup(healthy, fix=True).problems == []
