"""A server of pages for the tests of one module, with what a person might have in it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from memory.api import create_app
from memory.workspace import Workspace
from tests.memory.api.conftest import BASE_URL, settings

ASKED_HERE = {"Sec-Fetch-Site": "same-origin"}
CHAT = [
    {
        "title": "Moving",
        "create_time": 1700000000,
        "mapping": {
            "a": {"id": "a", "parent": None, "children": ["b"], "message": None},
            "b": {
                "id": "b",
                "parent": "a",
                "children": [],
                "message": {
                    "id": "m1",
                    "author": {"role": "user"},
                    "create_time": 1700000001,
                    "content": {"content_type": "text", "parts": ["I live in Oslo."]},
                },
            },
        },
        "current_node": "b",
        "id": "c1",
    }
]
"""A chat as another program exports it."""


@pytest.fixture
def workspace(home: Path) -> Workspace:
    return Workspace(settings(home))


@pytest.fixture
def pages(workspace: Workspace) -> Iterator[TestClient]:
    with TestClient(create_app(workspace), base_url=BASE_URL, headers=ASKED_HERE) as opened:
        assert opened.post("/memory/sync").json()["added"] == 2
        yield opened


def key_of(text: str) -> str:
    """The key that the forms of a page carry."""
    found = re.search(r'name="form_key" value="(\w+)"', text)
    assert found is not None
    return found[1]
