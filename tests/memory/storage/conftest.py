"""Every backend, empty, for the suite that holds them to one contract."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from memory.retrieval.memory_index import MemoryIndex
from memory.storage import Storage
from memory.storage.sqlite import SqliteStorage
from tests.memory.databases import begin_database
from tests.memory.storage.oracle import World
from tests.postgres_server import open_postgres

ON_POSTGRES = pytest.param("postgres", marks=pytest.mark.slow)


def open_backend(name: str, folder: Path, request: pytest.FixtureRequest) -> Storage:
    if name == "postgres":
        return open_postgres(request.getfixturevalue("postgres_server"))
    if name == "memory":
        return SqliteStorage.in_memory()
    begin_database(folder / "memory.db")
    return SqliteStorage.open(folder / "memory.db", create=True)


@pytest.fixture(params=["file", "memory", ON_POSTGRES])
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Storage]:
    backend = open_backend(request.param, tmp_path, request)
    yield backend
    backend.close()


@pytest.fixture(params=["storage", "derived"])
def world(request: pytest.FixtureRequest, storage: Storage) -> Iterator[World]:
    """A backend alone, and with what a server has before it."""
    with opened_world(storage, derived=request.param == "derived") as opened:
        yield opened


@contextmanager
def opened_world(storage: Storage, *, derived: bool) -> Iterator[World]:
    if not derived:
        yield World(storage)
        return
    index = MemoryIndex(storage, fewest=0, counted_every_s=0)
    index.start()
    index.wait()
    yield World(storage, derived=index)
    index.close()
