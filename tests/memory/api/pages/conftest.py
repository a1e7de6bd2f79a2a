"""A server of pages for the tests of one module, with what a person might have in it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from memory.api import create_app
from memory.workspace import Workspace
from tests.memory.api.conftest import BASE_URL, settings

ASKED_HERE = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture
def workspace(home: Path) -> Workspace:
    return Workspace(settings(home))


@pytest.fixture
def pages(workspace: Workspace) -> Iterator[TestClient]:
    with TestClient(create_app(workspace), base_url=BASE_URL, headers=ASKED_HERE) as opened:
        assert opened.post("/memory/sync").json()["added"] == 2
        yield opened
