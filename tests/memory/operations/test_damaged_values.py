"""Values of rows that a damaged disk has changed: an error with a next step, and a repair."""

from contextlib import closing
from pathlib import Path

import apsw
import pytest

from contracts import BusyError, Scope, StorageError
from memory.config.settings import EmbeddingsConfig
from memory.conversations.memories.listing import MemoryFilter, list_memories
from memory.files.ingestion import ingest_text
from memory.index.document_store import documents_of
from memory.operations.doctor import checkup
from memory.retrieval.searching import search
from memory.storage.sqlite.errors import translate
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.databases import opened

MODEL = EmbeddingsConfig(provider="static")


def damage(memory: Workspace, sql: str) -> None:
    with closing(apsw.Connection(memory.storage.database.path)) as connection:
        connection.execute(sql)
        assert connection.changes() >= 1


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with opened(tmp_path, embeddings=MODEL) as memory:
        ingest_text(memory, "The spare key hangs behind the boiler.")
        ingest_text(memory, "Coffee with oat milk.", metadata={"title": "Coffee"})
    return tmp_path


@pytest.mark.sqlite_only(reason="damages rows of the file")
@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE vector_codes_1 SET q = x'00' WHERE chunk_id = 1",
        "UPDATE vector_codes_1 SET q = x'' WHERE chunk_id = 1",
        "UPDATE vector_codes_1 SET q = 'abc' WHERE chunk_id = 1",
        "UPDATE vector_codes_1 SET q = 7 WHERE chunk_id = 1",
        """UPDATE meta SET value_json = '{"' WHERE key = 'keyword_form'""",
    ],
)
def test_the_doctor_repairs_it(folder: Path, sql: str) -> None:
    with opened(folder, embeddings=MODEL) as memory:
        damage(memory, sql)
        with pytest.raises(StorageError, match="damaged") as error:
            search(memory, "spare key")
        assert "mem doctor" in error.value.hint
        assert not checkup(memory).healthy
        assert checkup(memory, fix=True).healthy
        assert search(memory, "spare key").results[0].text.startswith("The spare key")


@pytest.mark.sqlite_only(reason="damages rows of the file")
def test_the_doctor_reports_it(folder: Path) -> None:
    with opened(folder, embeddings=MODEL) as memory:
        damage(memory, "UPDATE files SET metadata = '[1'")
        with pytest.raises(StorageError, match="holds a damaged value"):
            search(memory, "oat milk")
        assert not checkup(memory, fix=True).healthy


@pytest.mark.sqlite_only(reason="adds a table to the file")
def test_a_table_of_another_program_holds_what_it_likes(folder: Path) -> None:
    with opened(folder, embeddings=MODEL) as memory:
        damage(
            memory, """CREATE TABLE "my ""own" (n INTEGER); INSERT INTO "my ""own" VALUES ('x')"""
        )
        assert checkup(memory).problems == []
    with pytest.raises(KeyError, match="mine"), opened(folder, embeddings=MODEL):
        raise KeyError("mine")


@pytest.mark.sqlite_only(reason="damages rows of the file")
@pytest.mark.parametrize("table", ["chunks", "files"])
@pytest.mark.parametrize(
    "values",
    [
        "tags = '7'",
        "tags = x'ff'",
        "tags = '[] []'",
        "metadata = '[1]'",
        "metadata = replace(hex(zeroblob(100000)), '00', '[')",
    ],
)
def test_a_value_of_another_form_is_damaged(folder: Path, table: str, values: str) -> None:
    with opened(folder, embeddings=MODEL) as memory:
        damage(memory, f"UPDATE {table} SET {values}")
        read = {
            "chunks": lambda: search(memory, "oat milk"),
            "files": lambda: list(documents_of(memory).all_of()),
        }[table]
        with pytest.raises(StorageError, match="holds a damaged value") as error:
            read()
        assert "mem doctor" in error.value.hint


@pytest.mark.sqlite_only(reason="damages rows of the file")
def test_damaged_tags_that_a_search_asks_for(folder: Path) -> None:
    with opened(folder, embeddings=MODEL) as memory:
        damage(memory, "UPDATE chunks SET tags = '[1'")
        with pytest.raises(StorageError, match="damaged: malformed JSON"):
            search(memory, "oat milk", SearchOptions(scope=Scope(tags=("home",))))


@pytest.mark.parametrize("odd", ['"', "\\", "[", '{"a":', "NaN", "\\u0000", "\ufffe0", "%", "a\nb"])
def test_no_filter_counts_as_damage(folder: Path, odd: str) -> None:
    """Filters reach the database as JSON, in which any text has a form."""
    lists = ("paths", "globs", "within", "tags", "without_tags")
    scopes = [Scope(**{name: (odd,)}) for name in lists]
    scopes += [Scope(session_id=odd), Scope(speaker=odd)]
    with opened(folder, embeddings=MODEL) as memory:
        found = [
            [one.text for one in search(memory, "oat milk", SearchOptions(scope=scope)).results]
            for scope in scopes
        ]
        none_left_out = [bool(scope.without_tags) for scope in scopes]
        assert [bool(texts) for texts in found] == none_left_out
        assert list_memories(memory, MemoryFilter(tag=odd, without_tag=odd)).memories == []


@pytest.mark.sqlite_only(reason="damages rows of the file")
@pytest.mark.parametrize("table", ["vectors_1", "vector_codes_1"])
def test_vectors_that_another_process_has_removed(folder: Path, table: str) -> None:
    with opened(folder, embeddings=MODEL) as memory:
        with closing(apsw.Connection(memory.storage.database.path)) as connection:
            connection.execute(f"DROP TABLE {table}")
        with pytest.raises(BusyError, match=f"is missing: no such table: {table}") as error:
            search(memory, "spare key")
        assert "try again" in error.value.hint


@pytest.mark.parametrize(
    "sql",
    ["SELECT vector_length(1)", "SELECT * FROM sqlite_schema WHERE", "SELECT max()"],
)
def test_a_mistake_of_the_program_is_no_damage(sql: str) -> None:
    connection = apsw.Connection(":memory:")
    with closing(connection), pytest.raises(apsw.SQLError) as error:
        connection.execute(sql)
    assert translate(error.value, "memory.db") is None
