"""A second database beside the first."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from memory.workspace import Workspace
from tests.memory.databases import opened


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Workspace]:
    """A new database in a folder of its own."""
    (tmp_path / "other").mkdir()
    with opened(tmp_path / "other") as workspace:
        yield workspace
