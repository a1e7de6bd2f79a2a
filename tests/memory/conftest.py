"""An open database beside a folder of documents, for the tests of memory operations."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from memory.workspace import Workspace
from tests.memory.databases import opened


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """An empty folder that a test may fill."""
    folder = tmp_path / "docs"
    folder.mkdir()
    return folder


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Workspace]:
    """A new database with the fake embedding model, four texts a call."""
    with opened(tmp_path) as workspace:
        yield workspace
