"""The first visit: a folder, chats and an agent, from an empty memory on."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from memory.api import create_app
from memory.operations.tokens import create_token
from memory.workspace import Workspace
from tests.memory.api.conftest import BASE_URL, settings
from tests.memory.api.pages.conftest import ASKED_HERE, CHAT, key_of


@pytest.fixture
def empty(workspace: Workspace) -> Iterator[TestClient]:
    with TestClient(create_app(workspace), base_url=BASE_URL, headers=ASKED_HERE) as opened:
        yield opened


def test_an_empty_memory_leads_through_a_folder(empty: TestClient, home: Path) -> None:
    page = empty.get("/").text
    for title in ("Nothing is remembered yet", "Add a folder", "Import chats", "Connect an agent"):
        assert title in page
    (folder,) = re.findall(r'name="path" value="([^"]+)"', page)
    assert folder == str(home / "docs")
    form = {"form_key": key_of(page), "path": folder}
    assert "2 files are new" in empty.post("/page/begin/folder", data=form).text
    assert "Nothing is remembered yet" not in empty.get("/").text
    form["path"] = str(home / "secret")
    refused = empty.post("/page/begin/folder", data=form)
    assert (refused.status_code, "mem sync FOLDER" in refused.text) == (403, True)


def test_chats_are_imported_from_a_file(empty: TestClient) -> None:
    key = key_of(empty.get("/page/begin").text)
    file = ("../../conversations.json", json.dumps(CHAT).encode(), "application/json")
    for known in (0, 1):
        answer = empty.post("/page/begin/chats", data={"form_key": key}, files={"file": file})
        assert f"{1 - known} turns are new" in answer.text
    assert "I live in Oslo" in empty.get("/page/read?at=turn 1").text


ARCHIVE = b"PK\x05\x06" + bytes(18)
"""A zip archive of nothing."""


@pytest.mark.parametrize(
    "name, data, status, word",
    [
        ("a.json", b"{}", 422, "not an export of chats"),
        ("a.bin", b"\x00\x01", 422, "not an export of chats"),
        ("a.zip", ARCHIVE, 422, "&#39;a.zip&#39; holds no chat history"),
        ("", b"", 422, "Choose a file first."),
    ],
    ids=["another", "binary", "archive", "none"],
)
def test_a_file_that_is_no_chat_is_refused(
    empty: TestClient, name: str, data: bytes, status: int, word: str
) -> None:
    form = {"form_key": key_of(empty.get("/page/begin").text)}
    answer = empty.post("/page/begin/chats", data=form, files={"file": (name, data)})
    assert (answer.status_code, word in answer.text) == (status, True)
    assert "mem-upload" not in answer.text


def test_an_upload_of_another_page_writes_nothing(empty: TestClient) -> None:
    file = ("conversations.json", json.dumps(CHAT).encode())
    for form in ({}, {"form_key": "0" * 64}):
        assert empty.post("/page/begin/chats", data=form, files={"file": file}).status_code == 403
    assert empty.get("/page/read?at=turn 1").status_code == 404


def test_an_agent_is_shown_its_entries_and_nothing_is_written(
    empty: TestClient, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    page = empty.get("/page/begin/agent?name=claude-code").text
    assert "mem setup claude-code" in page
    assert "symbiosis-memory" in page
    assert str(home / ".claude") in page
    assert not (home / ".claude").exists()
    assert not (home / ".claude.json").exists()
    assert empty.get("/page/begin/agent?name=clippy").status_code == 422


def test_a_reader_may_not_begin(home: Path) -> None:
    workspace = Workspace(settings(home))
    token = create_token(workspace, "reader", scope="read").token
    with TestClient(create_app(workspace), base_url=BASE_URL, headers=ASKED_HERE) as client:
        client.post("/page/sign-in", data={"token": token})
        page = client.get("/page/begin").text
        assert "Read it now" not in page
        assert "multipart" not in page
        form = {"form_key": key_of(page), "path": str(home / "docs")}
        assert client.post("/page/begin/folder", data=form).status_code == 403
        assert client.get("/page/begin/agent?name=claude-code").status_code == 403
