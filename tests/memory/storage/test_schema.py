"""The tables of a SQLite database, and the numbered steps from those of one version to the next."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from contracts import IncompatibleError, KeywordQuery, Scope, StorageError
from memory.episodes.triples.store import TripleStore
from memory.storage.sqlite import SqliteStorage
from memory.storage.sqlite.connection import connect
from memory.storage.sqlite.database import SqliteDatabase
from memory.storage.sqlite.files.salvage import salvage_file
from memory.storage.sqlite.header import APPLICATION_ID
from memory.storage.sqlite.migrations.steps import MIGRATIONS
from memory.storage.sqlite.schema import (
    BASE_VERSION,
    VERSION,
    check_version,
    migrate,
)
from memory.storage.vectors import decoded, from_float16, normalised
from tests.memory.storage.old_database import KEPT, SAID, old_database

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
_OF_A_SPACE = re.compile(r"vector(_code)?s_\d+")


def schema_of(connection: apsw.Connection) -> dict[str, str]:
    """The statement that makes each table, index and trigger but those of a space."""
    rows = connection.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
    return {str(n): str(sql).strip() for n, sql in rows if not _OF_A_SPACE.match(str(n))}


def version_of(connection: apsw.Connection) -> int:
    return int(connection.pragma("user_version") or 0)


@pytest.fixture
def connection(tmp_path: Path) -> apsw.Connection:
    (tmp_path / "new.db").touch()
    return connect(str(tmp_path / "new.db"))


@pytest.fixture
def old(tmp_path: Path) -> apsw.Connection:
    """A database of the version that new ones begin with, which holds something."""
    return connect(str(old_database(BASE_VERSION, tmp_path)))


def test_a_new_database_has_the_tables_of_the_base_version(
    connection: apsw.Connection, old: apsw.Connection
) -> None:
    assert check_version(connection, "memory.db") == 0
    migrate(connection, "memory.db", migrations=())
    assert schema_of(connection) == schema_of(old)
    assert version_of(connection) == version_of(old) == BASE_VERSION
    assert connection.pragma("application_id") == old.pragma("application_id") == APPLICATION_ID
    same = "SELECT * FROM embedding_cache_size"
    assert connection.execute(same).fetchall() == [(0, 0)]


def test_the_version_counts_the_steps() -> None:
    assert BASE_VERSION + len(MIGRATIONS) == VERSION


@pytest.mark.parametrize("version", KEPT)
def test_a_database_of_any_version_gets_the_tables_of_a_new_one(
    version: int, tmp_path: Path
) -> None:
    new = SqliteStorage.in_memory()
    storage = SqliteStorage.open(old_database(version, tmp_path), create=False)
    with storage.database.connection() as opened, new.database.connection() as fresh:
        assert schema_of(opened) == schema_of(fresh)
        assert version_of(opened) == version_of(fresh) == VERSION
    storage.close()
    new.close()


def test_older_tables_are_read_without_definitions(tmp_path: Path) -> None:
    storage = SqliteStorage(SqliteDatabase(str(old_database(BASE_VERSION, tmp_path))))
    chunk_id = storage.keyword_candidates(KeywordQuery(words=("the",)), Scope(), limit=1)[
        0
    ].chunk_id
    assert storage.chunk_rows([chunk_id])[chunk_id].defines == ()
    assert storage.defining(["send"], Scope(), limit=9) == []
    storage.close()


def add_table(connection: apsw.Connection) -> None:
    connection.execute("CREATE TABLE added (x)").fetchall()


def fill_table(connection: apsw.Connection) -> None:
    connection.execute("INSERT INTO added SELECT count(*) FROM chunks").fetchall()


def fail(connection: apsw.Connection) -> None:
    connection.execute("DROP TABLE added").fetchall()
    connection.execute("INSERT INTO missing VALUES (1)").fetchall()


def test_every_step_is_made_once_and_recorded(old: apsw.Connection) -> None:
    migrate(old, "memory.db", migrations=(add_table,))
    assert version_of(old) == BASE_VERSION + 1
    for _ in range(2):
        migrate(old, "memory.db", migrations=(add_table, fill_table))
        assert version_of(old) == BASE_VERSION + 2
        assert old.execute("SELECT x FROM added").fetchall() == [(12,)]
    with pytest.raises(IncompatibleError, match="has version 14, this program knows versions up"):
        migrate(old, "memory.db", migrations=(add_table,))


def test_a_new_database_takes_every_step(connection: apsw.Connection) -> None:
    migrate(connection, "memory.db", migrations=(add_table, fill_table))
    assert version_of(connection) == BASE_VERSION + 2
    assert connection.execute("SELECT x FROM added").fetchall() == [(0,)]


def test_a_step_that_another_process_made_meanwhile_is_not_made_again(
    old: apsw.Connection, tmp_path: Path
) -> None:
    other = connect(str(tmp_path / "memory.db"))
    made = []

    def slow(connection: apsw.Connection) -> None:
        made.append(connection)
        add_table(connection)

    def before_the_lock(_: object, sql: str, __: object) -> bool:
        if sql == "BEGIN IMMEDIATE":
            old.exec_trace = None
            migrate(other, "memory.db", migrations=(slow,))
        return True

    old.exec_trace = before_the_lock
    migrate(old, "memory.db", migrations=(slow,))
    assert made == [other]
    assert version_of(old) == BASE_VERSION + 1


def test_a_step_that_fails_leaves_the_version_before_it(old: apsw.Connection) -> None:
    with pytest.raises(apsw.SQLError, match="no such table: missing"):
        migrate(old, "memory.db", migrations=(add_table, fail))
    assert not old.in_transaction
    assert version_of(old) == BASE_VERSION + 1
    assert old.execute("SELECT * FROM added").fetchall() == []


@pytest.mark.parametrize("version", [0, 10_000])
def test_a_database_of_ours_without_a_version_is_damaged_and_stays_so(
    connection: apsw.Connection, version: int
) -> None:
    connection.pragma("application_id", APPLICATION_ID)
    connection.pragma("user_version", version)
    connection.execute("CREATE TABLE chunks (x)").fetchall()
    before = schema_of(connection)
    with pytest.raises(StorageError, match="has lost the version of the tables"):
        migrate(connection, "memory.db")
    assert not connection.in_transaction
    assert schema_of(connection) == before
    assert version_of(connection) == version


def test_settings_that_keep_data_whole(connection: apsw.Connection) -> None:
    assert connection.pragma("foreign_keys") == 1
    assert connection.pragma("synchronous") == 1
    with pytest.raises(apsw.SQLError, match="no such column"):
        connection.execute('SELECT "a misspelled column"').fetchall()
    with pytest.raises(apsw.SQLError, match="not authorized"):
        connection.execute("SELECT load_extension('vec0')").fetchall()


def test_what_a_person_asked_to_remember_is_important_after_the_step(tmp_path: Path) -> None:
    storage = SqliteStorage.open(old_database(12, tmp_path), create=False)
    read = storage.database.read
    assert read("SELECT importance FROM memories WHERE origin = 'user'") == [(1,)]
    assert read("SELECT count(*) FROM memories WHERE importance = 0")[0][0] > 0
    told = """SELECT json_extract(c.metadata, '$.importance') FROM chunks AS c JOIN memories AS m
        ON CAST(m.id AS TEXT) = c.owner_id WHERE c.source = 'memory' AND m.origin = 'user'"""
    assert read(told) == [(1,)]
    assert read("PRAGMA integrity_check") == [("ok",)]
    assert read("PRAGMA writable_schema") == [(0,)]
    storage.close()


def test_rows_go_in_with_as_few_columns_as_a_person_would_name(tmp_path: Path) -> None:
    path = old_database(12, tmp_path)
    SqliteStorage.open(path, create=False).close()
    with closing(sqlite3.connect(path)) as plain, plain:
        plain.execute("INSERT INTO turns (session_id, role, text) VALUES ('s1', 'user', 'Hello.')")
        plain.execute("INSERT INTO memories (layer, content) VALUES ('mid', 'User likes tea')")
        for sql in (
            "SELECT ts, recorded_at FROM turns ORDER BY id DESC LIMIT 1",
            "SELECT created_at, occurred_at FROM memories ORDER BY id DESC LIMIT 1",
        ):
            (times,) = plain.execute(sql)
            assert all(
                re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", one) for one in times
            )


OF_THE_SEED = {
    "people": "(name, relationship, notes) VALUES ('Ida', 'aunt', '')",
    "patterns": "(pattern_type, description) VALUES ('habit', 'Runs')",
    "open_loops": "(topic) VALUES ('Call Bo')",
    "signals": "(signal_type, value) VALUES ('mood', 'Calm')",
    "facts": "(category, key, value, confidence) VALUES ('work', 'desk', 'Oak', 0.9)",
    "semantic_memory": "(entity, relation, target, confidence) VALUES ('Ida', 'is', 'kind', 0.7)",
    "episodic_memory": "(session_id, start_message_id, end_message_id, summary) "
    "VALUES (12, 1, 2, 'Ida sells')",
}


@pytest.mark.parametrize("version", [BASE_VERSION, max(KEPT)])
def test_records_go_in_with_the_columns_that_a_program_knows(version: int, tmp_path: Path) -> None:
    path = old_database(version, tmp_path)
    SqliteStorage.open(path, create=False).close()
    with closing(sqlite3.connect(path)) as plain, plain:
        for table, columns in OF_THE_SEED.items():
            for _ in range(1 if table == "facts" else 2):
                plain.execute(f"INSERT INTO {table} {columns}")
            ((created_at, updated_at),) = plain.execute(
                f"SELECT DISTINCT created_at, max(updated_at) FROM {table} LIMIT 1"
            )
            assert _TIME.fullmatch(created_at)
            assert _TIME.fullmatch(updated_at)
        assert plain.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert plain.execute("PRAGMA writable_schema").fetchall() == [(0,)]


def test_turns_are_messages(tmp_path: Path) -> None:
    path = old_database(13, tmp_path)
    SqliteStorage.open(path, create=False).close()
    with closing(sqlite3.connect(path)) as plain, plain:
        insert = (
            "INSERT INTO turns (session_id, role, text, image_paths) VALUES (?, 'user', 'Hi', ?)"
        )
        for session_id, paths in (("12", "[]"), ("-3", '["a.png"]'), ("012", "[]"), ("1e3", "[]")):
            plain.execute(insert, (session_id, paths))
        found = plain.execute("SELECT session_id, image_paths FROM messages ORDER BY id").fetchall()
        assert found == [
            *[("s1", None)] * 3,
            *[(12, None), (-3, '["a.png"]'), ("012", None), ("1e3", None)],
        ]
        row = plain.execute("SELECT * FROM messages WHERE id = 1")
        assert [column[0] for column in row.description] == [
            *("id", "session_id", "role", "content", "timestamp", "image_paths")
        ]
        ((*_, content, timestamp, _),) = row
        assert (content, timestamp) == (SAID[0], "2026-03-01T10:00:00.000Z")
        with pytest.raises(sqlite3.OperationalError, match="cannot modify messages"):
            plain.execute("DELETE FROM messages")


def test_turns_of_before_have_no_episode(tmp_path: Path) -> None:
    storage = SqliteStorage.open(old_database(13, tmp_path), create=False)
    read = storage.database.read
    assert read("SELECT count(*) FROM turns WHERE episode_id IS NULL") == [(3,)]
    storage.close()


SEED = {
    "messages": "id session_id role content timestamp image_paths",
    "episodic_memory": "id session_id start_message_id end_message_id summary importance_score "
    "surprise_score stability difficulty retrievability retrieval_count last_accessed_at "
    "created_at",
    "semantic_memory": "id entity relation target confidence source_episodic_ids access_count "
    "last_accessed_at created_at",
}
INDEXED = {
    "episodic_memory": {"session_id", "importance_score", "retrievability"},
    "semantic_memory": {"entity", "relation", "confidence"},
}


@pytest.mark.parametrize("table", SEED)
def test_the_tables_of_episodes_have_their_columns_and_indexes(table: str, tmp_path: Path) -> None:
    storage = SqliteStorage.open(old_database(14, tmp_path), create=False)
    read = storage.database.read
    columns = {row[0] for row in read(f"SELECT name FROM pragma_table_info('{table}')")}
    assert set(SEED[table].split()) <= columns
    first = read(
        f"""SELECT i.name FROM pragma_index_list('{table}') AS l
        JOIN pragma_index_info(l.name) AS i WHERE i.seqno = 0"""
    )
    assert INDEXED.get(table, set()) <= {row[0] for row in first}
    storage.close()


def test_episodes_of_before_are_yet_to_be_read(tmp_path: Path) -> None:
    path = old_database(14, tmp_path)
    with closing(sqlite3.connect(path)) as plain, plain:
        plain.execute(
            """INSERT INTO episodic_memory VALUES (7, 's1', 1, 1, 'Alex in Lisbon', 0.6, 1, 2.3,
            2.1, 1, 0, '2026', '2026', '2026', '2026', '2026', 1, 'extract', 0)"""
        )
    storage = SqliteStorage.open(path, create=False)
    assert TripleStore(storage.database).unread(limit=9) == [7]
    storage.close()


@pytest.mark.parametrize("version", KEPT)
def test_vectors_of_before_are_split(version: int, tmp_path: Path) -> None:
    path = old_database(version, tmp_path)
    with closing(sqlite3.connect(path)) as plain:
        before = dict(plain.execute("SELECT chunk_id, v FROM vectors_1"))
        ((most,),) = plain.execute("SELECT max(seq) FROM changes").fetchall()
    storage = SqliteStorage.open(path, create=False)
    space = storage.active_space()
    assert space is not None
    after = {key: v for batch in storage.health.vectors.rows(space) for key, v in batch}
    assert after == {key: row.v for key, row in from_float16(before).items()}
    assert storage.spaces().malformed(space) == 0
    names = {row[0] for row in storage.database.read("SELECT name FROM sqlite_schema")}
    assert {"vectors_1_inserted", "vectors_1_updated"} <= names
    since = storage.database.read("SELECT count(*) FROM changes WHERE seq > :most", {"most": most})
    assert since[0][0] < len(before)  # another step logs one
    storage.close()


def test_a_salvaged_database_of_before_has_split_vectors(tmp_path: Path) -> None:
    path = old_database(14, tmp_path)
    with closing(sqlite3.connect(path)) as plain, plain:
        before = dict(plain.execute("SELECT chunk_id, v FROM vectors_1"))
        plain.execute("DELETE FROM vector_codes_1 WHERE chunk_id = 2")
    salvage_file(path, target := tmp_path / "copy.db")
    storage = SqliteStorage.open(target, create=False)
    space = storage.active_space()
    assert space is not None
    after = {key: v for batch in storage.health.vectors.rows(space) for key, v in batch}
    assert after == {key: row.v for key, row in from_float16(before).items()}
    storage.close()


@pytest.mark.parametrize("version", KEPT)
def test_vectors_of_a_file_of_before_that_may_only_be_read(version: int, tmp_path: Path) -> None:
    path = old_database(version, tmp_path)
    with closing(sqlite3.connect(path)) as plain:
        before = dict(plain.execute("SELECT chunk_id, v FROM vectors_1"))
    storage = SqliteStorage(SqliteDatabase(str(path), immutable=True))
    for chunk_id, v in before.items():
        query = normalised(decoded(v))
        assert query is not None
        found = {
            hit.chunk_id: hit.score for hit in storage.vector_candidates(query, Scope(), limit=3)
        }
        assert max(found.values()) == pytest.approx(found[chunk_id], abs=1e-3)
        assert storage.cosines(query, [chunk_id]) == pytest.approx({chunk_id: 1}, abs=1e-3)
        embedding = storage.embeddings([chunk_id])[chunk_id]
        assert embedding == pytest.approx(decoded(v), abs=1e-3)
    storage.close()


def test_a_damaged_vector_of_before_is_left_out(tmp_path: Path) -> None:
    path = old_database(14, tmp_path)
    with closing(sqlite3.connect(path)) as plain, plain:
        plain.execute(
            "UPDATE vectors_1 SET v = CAST(x'ff7b' || substr(v, 3) AS BLOB) WHERE chunk_id = 2"
        )
        ((number,),) = plain.execute("SELECT count(*) FROM vectors_1").fetchall()
    salvage_file(path, target := tmp_path / "copy.db")
    for file in (path, target):
        storage = SqliteStorage.open(file, create=False)
        assert storage.count_vectors() == number - 1
        storage.close()


def test_the_cache_of_before_keeps_only_what_no_chunk_has(tmp_path: Path) -> None:
    path = old_database(14, tmp_path)
    with closing(sqlite3.connect(path)) as plain, plain:
        plain.execute(
            """INSERT OR IGNORE INTO embedding_cache
                (hash, embedder, kind, provider, model, embedding, created_at, used_at)
            SELECT hash, embedder, 'document', provider, model, v, '2026', '2026' FROM spaces,
                (SELECT x'77' AS hash, v FROM vectors_1 WHERE chunk_id = 1
                UNION SELECT hash, v FROM chunks JOIN vectors_1 ON chunk_id = chunks.id)"""
        )
        ((embedder,),) = plain.execute("SELECT embedder FROM spaces").fetchall()
    storage = SqliteStorage.open(path, create=False)
    read = storage.database.read
    assert read("SELECT hash FROM embedding_cache WHERE kind = 'document'") == [(b"\x77",)]
    assert storage.cache.limits() == {embedder: 512 << 20}
    storage.close()
