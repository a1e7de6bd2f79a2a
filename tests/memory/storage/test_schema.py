"""The tables of a SQLite database and the numbered steps that make them."""

from pathlib import Path

import apsw
import pytest

from memory.storage.sqlite import SqliteStorage
from memory.storage.sqlite.connection import connect
from memory.storage.sqlite.migrations.steps import MIGRATIONS
from memory.storage.sqlite.schema import APPLICATION_ID, VERSION, check_version, migrate

COLUMNS = {
    "meta": "key value_json",
    "roots": "path added_at",
    "files": (
        "id source path hash size mtime mtime_ns state reason generation tail tags metadata "
        "created_at updated_at loader layout"
    ),
    "chunks": (
        "id uid source owner_id file_id generation ordinal text heading body_offset hash gap "
        "start_char end_char start_line end_line session_id occurred_at recorded_at created_at "
        "tags metadata place"
    ),
    "chunks_fts": "text title neighbours identifiers",
    "spaces": (
        "id provider model revision dimensions metric embedder generation chunking state "
        "created_at request"
    ),
    "cuts": "owner_id generation tail",
    "keywords_beside": "generation",
    "embedding_cache": "id hash embedder kind provider model embedding created_at used_at",
    "embedding_cache_size": "entries size_bytes",
    "tallies": "name number noted_at reason",
    "refused_texts": "hash embedder reason refused_at",
    "changes": "seq chunk_id",
    "latencies": "leg bucket number seconds",
    "sessions": "session_id long_term_opt_in created_at",
    "turns": (
        "id session_id ts role text speaker image_paths metadata tags client_id digest extraction "
        "recorded_at"
    ),
    "memories": (
        "id layer content created_at last_seen_at hits score importance status tags_json "
        "occurred_at updated_at origin slot value words metadata superseded_by"
    ),
    "memory_words": "word memory_id",
    "memory_links": "memory_id turn_id reason rule start_char end_char created_at",
    "enrichments": "turn_id tries not_before by_rules",
    "actions": "id at actor action source record_id code numbers",
}
TRIGGERS = {
    *("chunks_inserted", "chunks_updated", "chunks_deleted", "files_described"),
    *("embedding_cached", "embedding_evicted", "refused_text_gone"),
}


def schema_of(connection: apsw.Connection) -> list[tuple[str, str]]:
    rows = connection.execute("SELECT name, sql FROM sqlite_schema ORDER BY name").fetchall()
    return [(str(name), str(sql)) for name, sql in rows]


@pytest.fixture
def connection(tmp_path: Path) -> apsw.Connection:
    (tmp_path / "memory.db").touch()
    return connect(str(tmp_path / "memory.db"))


def test_a_new_database_has_the_tables_of_the_design(connection: apsw.Connection) -> None:
    migrate(connection, "memory.db")
    tables = {
        str(row[0])
        for row in connection.execute(
            "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type <> 'shadow'"
        )
    }
    assert tables - {"sqlite_schema", "sqlite_sequence"} == set(COLUMNS)
    for table, columns in COLUMNS.items():
        rows = connection.execute(
            "SELECT name FROM pragma_table_xinfo(?) WHERE hidden <> 1", (table,)
        ).fetchall()
        assert [str(name) for (name,) in rows] == columns.split(), table
    triggers = "SELECT name FROM sqlite_schema WHERE type = 'trigger'"
    assert {str(name) for (name,) in connection.execute(triggers)} == TRIGGERS


def test_every_step_is_recorded_with_the_version_it_reaches(connection: apsw.Connection) -> None:
    assert check_version(connection, "memory.db") == 0
    assert len(MIGRATIONS) == VERSION
    for version in range(1, VERSION + 1):
        migrate(connection, "memory.db", target=version)
        assert connection.pragma("user_version") == version
        assert connection.pragma("application_id") == APPLICATION_ID
        assert check_version(connection, "memory.db") == version
    step_by_step = schema_of(connection)
    migrate(connection, "memory.db")
    assert schema_of(connection) == step_by_step
    at_once = SqliteStorage.in_memory()
    with at_once.database.connection() as fresh:
        assert schema_of(fresh) == step_by_step
    at_once.close()


def test_entries_that_an_older_program_left_beside_are_known(connection: apsw.Connection) -> None:
    sql = """INSERT INTO spaces
        (provider, model, revision, dimensions, embedder, generation, chunking, state, created_at)
        VALUES ('p', 'm', '', 1, ?, ?, '', ?, '')"""
    migrate(connection, "memory.db", target=5)
    spaces = [("a", "g2", "retired"), ("b", "g2", "filling"), ("a", "g1", "active")]
    connection.executemany(sql, [*spaces, ("c", "g1", "retired")])
    migrate(connection, "memory.db")
    rows = connection.execute("SELECT generation FROM keywords_beside").fetchall()
    assert rows == [("g2",)]


def test_a_step_that_fails_leaves_the_version_before_it(connection: apsw.Connection) -> None:
    # A table that is in the way, made by nobody, in an empty database that is ours.
    connection.pragma("application_id", APPLICATION_ID)
    connection.execute("CREATE TABLE chunks (x)").fetchall()
    before = schema_of(connection)
    with pytest.raises(apsw.SQLError, match="table chunks already exists"):
        migrate(connection, "memory.db")
    assert not connection.in_transaction
    assert schema_of(connection) == before
    assert connection.pragma("user_version") == 0


def test_settings_that_keep_data_whole(connection: apsw.Connection) -> None:
    assert connection.pragma("foreign_keys") == 1
    assert connection.pragma("synchronous") == 1
    with pytest.raises(apsw.SQLError, match="no such column"):
        connection.execute('SELECT "a misspelled column"').fetchall()
    with pytest.raises(apsw.SQLError, match="not authorized"):
        connection.execute("SELECT load_extension('vec0')").fetchall()
