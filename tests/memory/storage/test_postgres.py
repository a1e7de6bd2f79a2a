"""The PostgreSQL backend where it differs from SQLite: schemas, text, numbers, secrets."""

import json
import re
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from contracts import BusyError, ConfigError, IncompatibleError, NotFoundError, Scope, StorageError
from memory.storage import Storage, Transaction
from memory.storage.portable.backend import FEWEST_READ_IN_PARALLEL
from memory.storage.sqlite import SqliteStorage
from memory.storage.sqlite.scope import scope_sql as sqlite_scope_sql
from memory.storage.values import Row
from tests.memory.storage.oracle import GENERATION, World, add_file, new_chunk
from tests.postgres_server import PostgresServer, drop_schema, missing_packages, open_postgres
from tests.repository import ROOT

if not missing_packages():
    import psycopg
    from psycopg.conninfo import make_conninfo

    from memory.storage.postgres import PostgresStorage
    from memory.storage.postgres.backend import MOST_READ_AHEAD
    from memory.storage.postgres.column_defaults import DEFAULTS
    from memory.storage.postgres.database import PostgresDatabase
    from memory.storage.postgres.definitions import defining_sql
    from memory.storage.postgres.keywords.phrases import Phrase
    from memory.storage.postgres.schema import prepare_schema
    from memory.storage.postgres.scope import scope_sql
    from memory.storage.postgres.statements import ESCAPE, in_postgres
    from memory.storage.postgres.tables import SAME_AS
    from memory.storage.postgres.work_locks import lock_number
    from memory.storage.postgres.writing.transaction import own_transaction
else:  # pragma: no cover
    pytest.skip("needs " + ", ".join(missing_packages()), allow_module_level=True)

OWN_TABLES = {
    *("log_ends", "keyword_entries", "keyword_totals", "posting_blocks", "removed_entries"),
}
TABLES_OF_SQLITE = {"definition_names"}
"""What an index does in PostgreSQL."""

OF_SQLITE = {"embedding_cache_size"}

GLOBS = [
    *("*", "a?c", "[z-a]*", "[]", "[!]", "[^]", "[", "a[", "a[b", "[]]", "[]-c]*", "[a-]*"),
    *("[-a]*", "[!z-a]*", "[^b-]*", "[a-c-x]*", "[\\a]*", "[[]*", "[!!]*", "a%_*", "\\*"),
    *("[é-ü]*", "*.[ch]", "/a/b*", "/a/b/c.md", "/a/[bc]/*", "a/*", "/*", "/a/b/?.md"),
]
"""Shell patterns, some without an end or with a range that falls."""

PATHS = [
    *("", "a", "b", "c", "z", "-", "]", "[", "!", "^", "\\", "é", "ö", "abc", "aBc", "a[", "a[b"),
    *("a%_x", "\\x", "]x", "-x", "x.c", "x.h", "x.cc", "[]", "[!]", "axc", "a/c"),
    *("/a", "/a/b", "/a/bc", "/a/b/c.md", "/a/b/d.md", "/a/c/d", "/a0", "/a.b", "/"),
]


@pytest.fixture(scope="module")
def opened(postgres_server: PostgresServer) -> Iterator[PostgresStorage]:
    storage = open_postgres(postgres_server)
    assert isinstance(storage, PostgresStorage)
    yield storage
    storage.close()


@pytest.fixture
def storage(opened: PostgresStorage, postgres_server: PostgresServer) -> PostgresStorage:
    from tests.postgres_server import empty_schema

    empty_schema(postgres_server)
    return opened


@contextmanager
def another(server: PostgresServer, name: str) -> Iterator[PostgresStorage]:
    """An empty memory in another schema, removed at the end."""
    other = server._replace(schema=f"{server.schema} {name}")
    drop_schema(other)
    with closing(PostgresStorage.open(other.dsn, other.schema, create=True)) as storage:
        yield storage
    drop_schema(other)


def put(storage: Storage, owner: str, *texts: str) -> list[int]:
    return World(storage).put_texts(owner, *texts)


def put_within(storage: Storage, tx: Transaction, owner: str, text: str) -> None:
    chunks = [new_chunk(text, owner)]
    storage.replace_chunks(tx, "file", owner, generation=GENERATION, chunks=chunks)


# The schema


def test_the_columns_are_those_of_sqlite(storage: PostgresStorage) -> None:
    sql = """SELECT table_name, column_name FROM information_schema.columns
        WHERE table_schema = :schema"""
    here = set(storage.database.read(sql, {"schema": storage.database.schema}))
    with closing(SqliteStorage.in_memory()) as other:
        assert other.database.read("PRAGMA user_version") == [(SAME_AS,)]
        sql = """SELECT t.name, c.name FROM sqlite_schema AS t, pragma_table_xinfo(t.name) AS c
            WHERE t.type IN ('table', 'view') AND t.name NOT LIKE 'sqlite_%'
                AND t.name NOT LIKE 'chunks_fts%'"""
        there = set(other.database.read(sql))
    shared = {one for one in there if one[0] not in TABLES_OF_SQLITE}
    assert {one for one in here if one[0] not in OWN_TABLES} == shared
    assert {one[0] for one in here - there} == OWN_TABLES


def test_a_missing_schema_is_not_made_by_a_reader(postgres_server: PostgresServer) -> None:
    with pytest.raises(NotFoundError, match="no memory in the schema nowhere"):
        PostgresStorage.open(postgres_server.dsn, "nowhere", create=False)


def test_another_program_and_a_newer_version_are_refused(postgres_server: PostgresServer) -> None:
    with another(postgres_server, "v") as storage:
        schema = storage.database.schema
        with psycopg.connect(postgres_server.dsn, autocommit=True) as connection:
            comment = f'COMMENT ON SCHEMA "{schema}" IS '
            connection.execute(comment + "'Symbiosis Memory, version 99'")
            with pytest.raises(IncompatibleError, match="has version 99, this program"):
                PostgresStorage.open(postgres_server.dsn, schema, create=True)
            for another_program in ("another", "Symbiosis Memory, version 1 restored"):
                connection.execute(f"{comment}'{another_program}'")
                with pytest.raises(IncompatibleError, match="belongs to another program"):
                    PostgresStorage.open(postgres_server.dsn, schema, create=True)


def test_a_schema_of_version_2_gets_the_columns_and_indexes_of_a_new_one(
    postgres_server: PostgresServer,
) -> None:
    made_of = """SELECT table_name || '.' || column_name, column_default
        FROM information_schema.columns WHERE table_schema = :schema
        UNION SELECT indexname, replace(indexdef, quote_ident(schemaname) || '.', '')
        FROM pg_indexes WHERE schemaname = :schema"""
    with another(postgres_server, "old") as storage:
        schema = storage.database.schema
        new = set(storage.database.read(made_of, {"schema": schema}))
        with psycopg.connect(postgres_server.dsn, autocommit=True) as connection:
            connection.execute(f'SET search_path = "{schema}"')
            for table, defaults in DEFAULTS.items():
                for column in defaults:
                    connection.execute(f"ALTER TABLE {table} ALTER COLUMN {column} DROP DEFAULT")
                connection.execute(f"DROP INDEX IF EXISTS {table}_inserted")
            connection.execute(f"COMMENT ON SCHEMA \"{schema}\" IS 'Symbiosis Memory, version 2'")
        old = set(storage.database.read(made_of, {"schema": schema}))
        assert len(new - old) == sum(map(len, DEFAULTS.values())) + 5
        PostgresStorage.open(postgres_server.dsn, schema, create=False).close()
        assert set(storage.database.read(made_of, {"schema": schema})) == new


@pytest.mark.parametrize("name", ["", "public", "pg_memory", "x" * 64])
def test_a_name_that_is_no_schema_of_ours_is_refused(name: str) -> None:
    with pytest.raises(ConfigError, match=r"memory\.schema is"):
        PostgresStorage.open("dbname=postgres", name, create=True)


def test_a_role_without_further_rights_can_use_the_schema_it_owns(
    postgres_server: PostgresServer,
) -> None:
    page = (ROOT / "docs/postgresql.md").read_text("utf-8")
    (script,) = re.findall(r"```sql\n(.*?)```", page, re.DOTALL)
    role, schema = f"memory {postgres_server.schema}", f"{postgres_server.schema} role"
    script = script.replace("symbiosis_memory", f'"{schema}"')
    script = re.sub(r"\bmemory\b(?! )|(?<=ROLE )memory\b", f'"{role}"', script)
    with psycopg.connect(postgres_server.dsn, autocommit=True) as connection:
        connection.execute(
            f'DROP SCHEMA IF EXISTS "{schema}" CASCADE; DROP ROLE IF EXISTS "{role}"'
        )
        connection.execute(script)
        dsn = make_conninfo(postgres_server.dsn, user=role)
        with closing(PostgresStorage.open(dsn, schema, create=True)) as storage:
            put(storage, "f1", "alpha")
            assert storage.purge()
            assert storage.health.schema_differences() == ([], [], [])
            assert storage.server_status().invalid_indexes == []
        with pytest.raises(StorageError, match="permission denied"):
            PostgresStorage.open(dsn, f"{schema} of another", create=True)
        connection.execute(f'DROP SCHEMA "{schema}" CASCADE; DROP ROLE "{role}"')


@pytest.mark.slow
def test_many_processes_may_make_a_schema_at_once(postgres_server: PostgresServer) -> None:
    other = postgres_server._replace(schema=f"{postgres_server.schema} race")
    drop_schema(other)
    failed: list[Exception] = []

    def open_one() -> None:
        try:
            PostgresStorage.open(other.dsn, other.schema, create=True).close()
        except Exception as error:  # noqa: BLE001  # told below
            failed.append(error)

    threads = [threading.Thread(target=open_one) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    drop_schema(other)
    assert failed == []


@pytest.mark.parametrize(
    "held, what", [("{schema}", "the schema"), ("", "a schema of the database")]
)
def test_a_migration_is_not_waited_for_for_ever(
    storage: PostgresStorage, held: str, what: str
) -> None:
    dsn, schema = storage.database.dsn, storage.database.schema
    number = lock_number(held.format(schema=schema), "migrate")
    with psycopg.connect(dsn) as other, closing(PostgresDatabase(dsn, schema)) as database:
        other.execute("SELECT pg_advisory_xact_lock(%s)", (number,))
        with pytest.raises(BusyError, match=f"making or migrating {what}") as caught:
            prepare_schema(database, create=False, wait_s=0.001)
        assert "pg_stat_activity" in caught.value.hint
        other.rollback()
        prepare_schema(database, create=False)


@pytest.mark.slow
def test_two_schemas_on_one_connection_never_meet(
    storage: PostgresStorage, postgres_server: PostgresServer
) -> None:
    with another(postgres_server, "b") as other:
        other.database.close()
        # Both take the one connection of this pool, by turns.
        shared = PostgresDatabase(postgres_server.dsn, storage.database.schema, most=1)
        shared.open(vectors_in="public", halfvec_oid=0)
        mine, theirs = PostgresStorage(shared), PostgresStorage(other.database)
        theirs.database._pool = shared._pool
        put(mine, "f1", "mine alone")
        put(theirs, "f1", "theirs alone")
        sql = "SELECT text FROM chunks"
        for number in range(500):
            assert mine.database.read(sql) == [("mine alone",)]
            assert theirs.database.read(sql) == [("theirs alone",)]
            if number % 25 == 0:
                one = mine if number % 2 else theirs
                fail_within(one)
                put(one, f"n{number}", "alone")
                with one.database.transaction() as tx:
                    tx.run("DELETE FROM chunks WHERE text = 'alone'")
        shared.close()


def fail_within(storage: PostgresStorage) -> None:
    def write() -> None:
        with storage.database.transaction() as tx:
            tx.run("DELETE FROM chunks")
            tx.run("SELECT 1 FROM nowhere")

    with pytest.raises(NotFoundError, match="nowhere"):
        write()


# Facts that many parts of an operation need


def test_what_is_read_once_is_of_its_snapshot_alone(storage: PostgresStorage) -> None:
    sql, database = "SELECT count(*) FROM chunks", storage.database
    put(storage, "f1", "alpha")
    with ThreadPoolExecutor(1) as other:
        with database.snapshot():
            assert database.read_once(sql) == [(1,)]
            other.submit(put, storage, "f2", "beta").result()
            assert database.read_once(sql) == [(1,)]
            assert other.submit(database.read_once, sql).result() == [(2,)]
        assert database.read_once(sql) == [(2,)]
        with database.snapshot():
            assert database.read_once(sql) == [(2,)]
        with database.transaction() as tx:
            tx.run("DELETE FROM chunks")
            assert database.read_once(sql) == [(0,)]


def test_a_fact_is_not_read_again_while_nobody_writes(storage: PostgresStorage) -> None:
    dsn, schema = storage.database.dsn, storage.database.schema
    with closing(PostgresDatabase(dsn, schema, most=1)) as database:
        database.open(vectors_in="public", halfvec_oid=0)

        def rows() -> list[list[Row]]:
            with database.snapshot():
                return [database.read_once("SELECT 1"), database.read_once("SELECT 2")]

        assert rows() == [[(1,)], [(2,)]]
        # Other tests may write to the server meanwhile.
        assert any(rows()[1] is rows()[1] for _ in range(200))


@pytest.mark.parametrize(
    "globs",
    [*((glob,) for glob in GLOBS), ("/a/b/*", "/a/c/*"), ("/a/b/*", "*0"), ("a/c", "/a/c/*")],
)
def test_globs_match_what_they_match_in_sqlite(
    storage: PostgresStorage, globs: tuple[str, ...]
) -> None:
    for number, path in enumerate(PATHS):
        add_file(storage, str(number), path)
        put(storage, str(number), f"text {number}")
    (condition,), values = scope_sql(Scope(globs=globs))
    sql = f"SELECT {condition} FROM chunks AS c ORDER BY owner_id::integer"
    found = storage.database.read(sql, values)
    values = {**sqlite_scope_sql(Scope(globs=globs), None)[1], "paths": json.dumps(PATHS)}
    with closing(SqliteStorage.in_memory()) as other:
        sql = """SELECT max(p.value GLOB g.value)
            FROM json_each(:paths) AS p, json_each(:scope_globs) AS g GROUP BY p.id ORDER BY p.id"""
        true = other.database.read(sql, values)
    assert found == [(bool(one),) for (one,) in true]


def test_some_reads_of_a_large_memory_use_a_second_connection(storage: PostgresStorage) -> None:
    """The names of the threads that read: one that reads ahead, or else this one."""
    here = threading.current_thread().name
    with storage.database.transaction() as tx:
        tx.run("UPDATE keyword_totals SET entries = :n", {"n": FEWEST_READ_IN_PARALLEL - 1})
    with storage.database.snapshot():
        assert storage.start_read(lambda: threading.current_thread().name)() == here
    with storage.database.transaction() as tx:
        tx.run("UPDATE keyword_totals SET entries = :n", {"n": FEWEST_READ_IN_PARALLEL})
    goes_on, free = threading.Event(), range(MOST_READ_AHEAD)

    def read() -> str:
        goes_on.wait(10)
        return threading.current_thread().name

    for _ in range(2):  # each gives its place back
        with storage.database.snapshot():
            started = [storage.start_read(read) for _ in free]
            left = storage.start_read(lambda: threading.current_thread().name)
            assert left() == here
            goes_on.set()
            assert [one() for one in started] == ["read-ahead" for _ in free]
        goes_on.clear()


def test_a_read_that_cannot_begin_gives_its_place_back(storage: PostgresStorage) -> None:
    with storage.database.transaction() as tx:
        tx.run("UPDATE keyword_totals SET entries = :n", {"n": FEWEST_READ_IN_PARALLEL})
        tx.run("ALTER TABLE meta RENAME TO away")
    try:
        for _ in range(MOST_READ_AHEAD + 1):
            with storage.database.snapshot(), pytest.raises(NotFoundError):
                storage.start_read(lambda: 0)
    finally:
        with storage.database.transaction() as tx:
            tx.run("ALTER TABLE away RENAME TO meta")
    with storage.database.snapshot():
        name = storage.start_read(lambda: threading.current_thread().name)()
    assert name == "read-ahead"


def test_the_facts_of_one_schema_are_not_those_of_another(
    storage: PostgresStorage, postgres_server: PostgresServer
) -> None:
    put(storage, "f1", "alpha")
    with another(postgres_server, "facts") as other:
        beside = storage.database.beside(other.database.schema)
        for database, number in ((storage.database, 1), (beside, 0)) * 20:
            with database.snapshot():
                assert database.read_once("SELECT count(*) FROM chunks") == [(number,)]


def test_a_fact_that_cannot_be_read_leaves_the_others(storage: PostgresStorage) -> None:
    database = storage.database

    def fail() -> None:
        with database.snapshot():
            database.read_once("SELECT 1 FROM nowhere")

    for _ in range(2):
        with pytest.raises(NotFoundError, match="nowhere"):
            fail()
        with database.snapshot():
            assert database.read_once("SELECT 3") == [(3,)]


# Numbers of the logs


def test_no_reader_sees_a_number_before_a_lower_one(storage: PostgresStorage) -> None:
    """The writer of the lower numbers is held open while another wants to commit higher ones."""
    wants, ended = threading.Event(), threading.Event()

    def write_second() -> None:
        wants.set()
        put(storage, "second", "beta")
        ended.set()

    second = threading.Thread(target=write_second)
    with storage.database.transaction() as tx:
        chunks = [new_chunk("alpha", "first")]
        storage.replace_chunks(tx, "file", "first", generation=GENERATION, chunks=chunks)
        second.start()
        assert wants.wait(10)
        assert not ended.wait(0.3)
        reader = threading.Thread(
            target=lambda: seen.append(storage.record_changes(after=0, limit=9))
        )
        seen: list[object] = []
        reader.start()
        reader.join(10)
    second.join(10)
    assert ended.is_set()
    (before,) = seen
    assert before.changes == []
    assert before.newest == 0
    found = storage.record_changes(after=0, limit=9)
    assert [(one.seq, one.owner_id) for one in found.changes] == [(1, "first"), (2, "second")]


def test_who_does_not_wait_is_told_of_another_writer(storage: PostgresStorage) -> None:
    refused: list[str] = []

    def write() -> None:
        try:
            with storage.database.transaction(wait=False):
                pass
        except BusyError as error:
            refused.append(error.message)

    with storage.database.transaction():
        thread = threading.Thread(target=write)
        thread.start()
        thread.join()
    assert refused == ["another process is writing to the database"]


def test_numbers_chosen_by_a_statement_are_not_given_again(storage: PostgresStorage) -> None:
    sql = """INSERT INTO signals (id, signal_type, value, observed_at, created_at, updated_at)
        VALUES (:id, 's', '1', '', '', '') RETURNING id"""
    with storage.database.transaction() as tx:
        assert [tx.run(sql, {"id": number})[0][0] for number in (7, None, 3, None)] == [7, 8, 3, 9]


def test_a_lock_of_work_is_shared_and_ends_with_its_holder(storage: PostgresStorage) -> None:
    held, wanted = storage.database.work_lock("sync"), storage.database.work_lock("sync")
    assert held.acquire(timeout=0)
    assert wanted.locked()
    assert not wanted.acquire(timeout=0)
    held.release()
    assert wanted.acquire(timeout=5)
    wanted.release()
    assert not held.locked()


# What waits for the end of a transaction


def test_keyword_entries_are_there_for_who_asks_within_the_transaction(
    storage: PostgresStorage,
) -> None:
    with storage.database.transaction() as tx:
        chunks = [new_chunk("alpha", "f1"), new_chunk("beta", "f1")]
        added = storage.replace_chunks(tx, "file", "f1", generation=GENERATION, chunks=chunks)
        assert storage.document_frequencies(["alpha"]) == {"alpha": 1}
        storage.replace_chunks(tx, "file", "f1", generation=GENERATION, chunks=chunks[1:])
        assert storage.document_frequencies(["alpha", "beta"]) == {"alpha": 0, "beta": 1}
    assert storage.count_chunks() == 1
    assert len(added.added) == 2


def test_what_belongs_to_removed_chunks_is_gone_for_who_asks(storage: PostgresStorage) -> None:
    with storage.database.transaction() as tx:
        for table in ("keyword_entries", "refused_texts"):
            put_within(storage, tx, "f1", "alpha")
            tx.run("INSERT INTO refused_texts SELECT hash, 'model', '', '' FROM chunks")
            assert tx.run(f"SELECT count(*) FROM {table}") == [(1,)]
            tx.run("DELETE FROM chunks WHERE owner_id = :id", {"id": "f1"})
            assert tx.run(f"SELECT count(*) FROM {table}") == [(0,)]
        assert tx.run("SELECT entries, words FROM keyword_totals") == [(0, 0)]


def test_a_document_takes_two_messages(storage: PostgresStorage, tmp_path: Path) -> None:
    with storage.database.transaction() as tx, (tmp_path / "trace").open("w+") as trace:
        connection = own_transaction(tx).connection.pgconn
        connection.trace(trace.fileno())
        for number in range(10):
            put_within(storage, tx, f"f{number}", f"alpha {number}")
            tx.run(
                "DELETE FROM chunks WHERE owner_id = :id AND generation = ''", {"id": str(number)}
            )
        connection.untrace()
        trace.seek(0)
        # One more asks whether the generation answers.
        assert sum("\tQuery\t" in line for line in trace) == 2 * 10 + 1


def test_a_transaction_that_fails_leaves_no_entries(storage: PostgresStorage) -> None:
    def write_and_fail() -> None:
        with storage.database.transaction() as tx:
            chunks = [new_chunk("alpha", "f1")]
            storage.replace_chunks(tx, "file", "f1", generation=GENERATION, chunks=chunks)
            raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        write_and_fail()
    put(storage, "f2", "beta")
    assert storage.document_frequencies(["alpha", "beta"]) == {"alpha": 0, "beta": 1}


@pytest.mark.parametrize("number", [1, 99, 100, 101, 250])
def test_rows_sent_together_are_returned_in_their_order(
    storage: PostgresStorage, number: int
) -> None:
    sql = """INSERT INTO signals (signal_type, value, observed_at, created_at, updated_at)
        VALUES (:kind, '(1) VALUES %s', '', '', '') RETURNING id, signal_type"""
    kinds = [f"{one}), (" for one in range(number)]
    with storage.database.transaction() as tx:
        rows = tx.insert_many(sql, [{"kind": kind} for kind in kinds])
        tx.run_many(
            "UPDATE signals SET value = :new WHERE id = :id",
            ({"new": "a;%s", "id": key} for key, _ in rows),
        )
    assert [kind for _, kind in rows] == kinds
    assert [key for key, _ in rows] == sorted(key for key, _ in rows)
    assert storage.database.read("SELECT DISTINCT value FROM signals") == [("a;%s",)]


# Text


@pytest.mark.parametrize("text", ["a\0b", "\0", f"{ESCAPE}0", f"{ESCAPE}\0{ESCAPE}1", "100%s :x"])
def test_any_text_is_read_back_as_it_was(storage: PostgresStorage, text: str) -> None:
    with storage.database.transaction() as tx:
        tx.run("INSERT INTO meta VALUES (:key, :value)", {"key": text, "value": "v"})
    assert storage.database.read("SELECT key FROM meta") == [(text,)]
    assert storage.database.read("SELECT value_json FROM meta WHERE key = :key", {"key": text})
    assert storage.database.read("SELECT 1 FROM meta WHERE key IN (:keys)", {"keys": [text]})


def add_meta(storage: Storage, *keys: str | None) -> None:
    with storage.database.transaction() as tx:
        for number, key in enumerate(keys):
            values = {"key": str(number), "value": key}
            tx.run("INSERT INTO meta VALUES (:key, :value)", values)


SAME_AS_SQLITE = {
    "order": ("SELECT value_json FROM meta WHERE value_json IS NOT NULL ORDER BY value_json", {}),
    "order with NULL": ("SELECT key FROM meta ORDER BY coalesce(value_json, ''), key", {}),
    "NULL is unlike any": ("SELECT key FROM meta WHERE value_json <> 'Z' ORDER BY key", {}),
    "NULL is no match": ("SELECT key FROM meta WHERE NOT value_json LIKE 'a%' ORDER BY key", {}),
    "NULL is not counted": ("SELECT count(value_json), min(value_json) FROM meta", {}),
    "LIKE": ("SELECT key FROM meta WHERE value_json LIKE :x ORDER BY key", {"x": "%ÄB_%"}),
    "LIKE folds ASCII": ("SELECT key FROM meta WHERE value_json LIKE 'äb%' ORDER BY key", {}),
    "lower": (
        "SELECT key FROM meta WHERE lower(value_json) = lower(:x) ORDER BY key",
        {"x": "ÄBC"},
    ),
    "greater": ("SELECT key FROM meta WHERE value_json > 'a' ORDER BY key", {}),
    "not in a list": ("SELECT key FROM meta WHERE key NOT IN (:x) ORDER BY key", {"x": ["1", "2"]}),
    "an empty list": ("SELECT key FROM meta WHERE key IN (:x)", {"x": []}),
    "no list": ("SELECT key FROM meta WHERE key IN (:x)", {"x": "1"}),
    "a mean": ("SELECT avg(length(value_json)), sum(length(value_json)) FROM meta", {}),
    "a truth": ("SELECT count(*) FROM meta WHERE :x OR key = '1'", {"x": False}),
}


@pytest.mark.parametrize("sql, values", SAME_AS_SQLITE.values(), ids=SAME_AS_SQLITE)
def test_a_statement_means_what_it_means_in_sqlite(
    storage: PostgresStorage, sql: str, values: dict[str, object]
) -> None:
    keys = ("ÄBC", "äbc", "Äbc", "abc", "Abc", "_", "Z", None, "a b", "ab", "😀", "ﬀ")
    with closing(SqliteStorage.in_memory()) as other:
        for one in (storage, other):
            add_meta(one, *keys)
        assert storage.database.read(sql, values) == other.database.read(sql, values)


TAGS = ["red", '"', ", ", "ünï", "a\0b", "\\", "😀"]


@pytest.mark.parametrize("tag", [*TAGS, "re", '", "'])
def test_a_list_of_tags_holds_whole_tags(storage: PostgresStorage, tag: str) -> None:
    add_meta(storage, json.dumps(TAGS))
    sql = "SELECT count(*) FROM meta WHERE list_holds(value_json, :tag)"
    assert storage.database.read(sql, {"tag": tag}) == [(int(tag in TAGS),)]


def plan(
    storage: PostgresStorage, sql: str, values: dict[str, object], *, scans: str = "on"
) -> str:
    """How the server would run a statement; with `scans` off, over tables worth an index."""
    statement, bound = in_postgres(f"EXPLAIN {sql}", values)
    schema = storage.database.schema
    with psycopg.connect(storage.database.dsn, cursor_factory=psycopg.ClientCursor) as connection:
        connection.execute(f'SET search_path = "{schema}"')
        connection.execute(f"SET enable_seqscan = {scans}")
        return "\n".join(row[0] for row in connection.execute(statement, bound))


def test_tags_and_the_episodes_of_facts_are_looked_up(storage: PostgresStorage) -> None:
    conditions, values = scope_sql(Scope(tags=("red", 'a "quoted" one')))
    tagged = plan(
        storage, f"SELECT c.id FROM chunks AS c WHERE {conditions[0]}", values, scans="off"
    )
    assert "Index Scan on chunks_tags" in tagged
    facts = "SELECT id FROM semantic_memory WHERE source_episodic_ids @> :ids"
    assert "Index Scan on semantic_memory_episodes" in plan(
        storage, facts, {"ids": "[7]"}, scans="off"
    )


def test_definitions_are_looked_up(storage: PostgresStorage) -> None:
    sql, values = defining_sql(["_parse_args"], Scope(), None)
    found = plan(storage, sql, {**values, "limit": 300}, scans="off")
    assert "Index Scan on chunks_defines" in found


def test_the_words_of_a_phrase_are_looked_up(storage: PostgresStorage) -> None:
    few, many = Phrase(["pars", "arg"], False, {"pars": 1, "arg": 100}), {"pars": 1, "arg": 1}
    for phrase in (few, few._replace(held=many), few._replace(held=many, tokens=["pars"] * 3)):
        sql, values = phrase.sql(0, "of")
        ends = {"first_entry": 1, "last_entry": 70_000}
        found = plan(storage, sql, {**values, **ends}, scans="off")
        assert found.count("Index Cond: ((term = ") == found.count(" on posting_blocks ") > 1


def test_a_column_of_jsonb_is_read_as_it_was_written(storage: PostgresStorage) -> None:
    sql = """INSERT INTO semantic_memory (entity, relation, target, confidence, source_episodic_ids,
            last_accessed_at, created_at, updated_at, occurred_at, stability, difficulty,
            retrievability)
        VALUES ('a', 'b', 'c', 1, :ids, '', '', '', '', 1, 1, 1) RETURNING source_episodic_ids"""
    for ids in ([], [7], [1, 2, 9_000_000_000]):
        with storage.database.transaction() as tx:
            assert tx.run(sql, {"ids": json.dumps(ids)}) == [(json.dumps(ids),)]


def test_a_colon_in_a_text_is_no_parameter() -> None:
    sql, _ = in_postgres("SELECT ':x %', a::text FROM t WHERE b LIKE '%:y' AND c = :z", {"z": 1})
    assert sql == "SELECT ':x %%', a::text FROM t WHERE b ILIKE '%%:y' AND c = %(z)s"


# The server and its address

SECRET = "hunter2secret"


@pytest.mark.parametrize(
    "dsn",
    [
        pytest.param(f"postgresql://me:{SECRET}@127.0.0.1:1/none", id="nobody listens"),
        pytest.param(f"postgresql://me:{SECRET}@nowhere.invalid/none", id="no such host"),
        pytest.param(f"password={SECRET} nonsense", id="not readable"),
        pytest.param(f"{SECRET}", id="no address"),
        pytest.param(f"postgresql://me:{SECRET}@h:port/none", id="no port"),
    ],
)
def test_no_error_repeats_the_address(dsn: str) -> None:
    with pytest.raises((ConfigError, StorageError)) as caught:
        PostgresStorage.open(dsn, "s", create=True)
    assert SECRET not in f"{caught.value} {caught.value.hint} {caught.value.__cause__}"


def test_a_lost_connection_is_replaced(storage: PostgresStorage) -> None:
    put(storage, "f1", "alpha")
    sql = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = %s"

    def write_and_lose() -> None:
        with storage.database.transaction() as tx:
            chunks = [new_chunk("beta", "f2")]
            storage.replace_chunks(tx, "file", "f2", generation=GENERATION, chunks=chunks)
            with psycopg.connect(storage.database.dsn, autocommit=True) as connection:
                connection.execute(sql, (storage.database.name,))
            tx.run("SELECT 1")

    with pytest.raises(StorageError, match="PostgreSQL cannot be used"):
        write_and_lose()
    assert storage.count_chunks() == 1
    put(storage, "f2", "beta")
    assert storage.count_chunks() == 2
