"""Values of rows that a damaged disk has changed: an error with a next step, and a repair."""

from contextlib import closing
from pathlib import Path

import apsw
import pytest

from contracts import StorageError
from memory.config.settings import EmbeddingsConfig
from memory.files.ingestion import ingest_text
from memory.operations.doctor import checkup
from memory.retrieval.searching import search
from memory.workspace import Workspace
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
