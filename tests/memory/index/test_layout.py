"""Where the rows of many documents lie in the database file."""

from itertools import pairwise
from pathlib import Path

from memory.config.settings import EmbeddingsConfig
from memory.files.ingestion import sync_files
from tests.memory.databases import opened, write

_PAGES_SQL = "SELECT pageno FROM dbstat WHERE name = :name AND pagetype = 'leaf' ORDER BY pageno"


def test_codes_of_many_documents_lie_beside_each_other(tmp_path: Path) -> None:
    """A new process reads them all, and pages in one run are cheaper to read."""
    notes = {f"{n}.txt": f"Note {n} is about {n} lamps and their light.\n" * 9 for n in range(400)}
    write(tmp_path / "notes", notes)
    place = {"backend": "sqlite", "storage_path": str(tmp_path / "memory.db")}
    static = EmbeddingsConfig(provider="static")
    with opened(tmp_path, embeddings=static, **place) as memory:
        assert sync_files(memory, [str(tmp_path / "notes")]).added == 400
        space = memory.storage.active_space()
        assert space is not None
        name = f"vector_codes_{space.id}"
        pages = [row[0] for row in memory.storage.database.read(_PAGES_SQL, {"name": name})]
    assert len(pages) > 5
    breaks = sum(after - before > 1 for before, after in pairwise(pages))
    assert breaks <= 2, pages
