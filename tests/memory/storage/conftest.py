"""Every backend, empty, for the suite that holds them to one contract."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from memory.storage import SqliteStorage, Storage
from tests.memory.storage.oracle import World


def open_backend(name: str, folder: Path) -> Storage:
    if name == "memory":
        return SqliteStorage.in_memory()
    return SqliteStorage.open(folder / "memory.db", create=True)


@pytest.fixture(params=["file", "memory"])
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Storage]:
    backend = open_backend(request.param, tmp_path)
    yield backend
    backend.close()


@pytest.fixture
def world(storage: Storage) -> World:
    return World(storage)
