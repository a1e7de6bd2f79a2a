"""A database of conversations for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from memory.workspace import Workspace
from tests.memory.databases import opened


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    """A new database with the fake embedding model."""
    with opened(tmp_path) as database:
        yield database
