"""A folder that came with its own database: what it says is done when the user consents."""

import asyncio
import json
import re
import shutil
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest

from cli.main import run
from cli.sm import sm
from memory.config.loading import FILE_NAME, load_config
from memory.config.parsing import parse_config
from memory.config.trust import consent_list, give_consent, restricted_settings
from memory.manager import MemoryManager
from memory.storage.meta import REINDEX_WANTED, remember_root, write_meta
from memory.values.user_folders import user_config_folder, user_data_folder
from memory.workspace import Workspace
from tests.cli.shell import Mem, start
from tests.providers.wire import openai
from tests.providers.wire.server import WireServer, serving
from tests.waiting import DEADLINE_S, output_of

QUESTION = "installing takes minutes"
PRIVATE = "The private diary mentions zanzibar."


@pytest.fixture
def vendor(monkeypatch: pytest.MonkeyPatch) -> Iterator[WireServer]:
    """The vendor's server, and the user's key for it."""
    monkeypatch.setenv("OPENAI_API_KEY", openai.KEY)
    with serving(openai.answer) as server:
        yield server


def write_config(path: Path, vendor: WireServer, *, database: str, **embeddings: Any) -> None:
    section = {"base_url": f"{vendor.url}/v1", "dimensions": 256}
    memory = {"storage_path": database, "embeddings": {**embeddings, "openai": section}}
    path.write_text(json.dumps({"memory": memory}))


@pytest.fixture
def private(tmp_path: Path) -> Path:
    folder = tmp_path / "private"
    folder.mkdir()
    (folder / "diary.md").write_text(PRIVATE)
    return folder


@pytest.fixture
def clone(
    mem: Mem, vendor: WireServer, private: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """A folder with a configuration that the user trusts, and a database that says more.

    Somebody else made it: nobody consented to anything in it.
    """
    author = folder / "author.json"
    write_config(author, vendor, database="made.db", provider="openai")
    assert mem("--config", str(author), "sync", "docs", str(private)).code == 0
    assert mem("--config", str(author), "backup", "shipped.db").code == 0
    clone = folder / "clone"
    clone.mkdir()
    write_config(clone / FILE_NAME, vendor, database="./m.db")
    config = parse_config(clone / FILE_NAME).config
    give_consent(clone / FILE_NAME, restricted_settings(config, clone))
    shutil.copy("shipped.db", clone / "m.db")
    (clone / "readme.md").write_text("The installer of this project is called zeppelin.\n")
    (private / "diary.md").write_text(f"{PRIVATE} Since yesterday also madagascar.")
    monkeypatch.chdir(clone)
    vendor.requests.clear()
    return clone


DOORS = [
    pytest.param((), id="found"),
    pytest.param(("--db", "m.db"), id="named"),
]


@pytest.mark.parametrize("door", DOORS)
def test_a_search_is_of_words_alone_and_says_so(
    mem: Mem, clone: Path, vendor: WireServer, door: tuple[str, ...]
) -> None:
    found = mem(*door, "search", QUESTION, "--json").json
    assert found["mode_used"] == "keyword"
    assert found["results"]
    warning = next(item for item in found["warnings"] if "words alone" in item)
    assert f"mem --db {clone}/m.db config trust" in warning
    assert "openai text-embedding-3-small" in warning
    assert vendor.requests == []


@pytest.mark.parametrize("door", DOORS)
def test_a_sync_stores_words_and_sends_nothing(
    mem: Mem, clone: Path, vendor: WireServer, door: tuple[str, ...]
) -> None:
    done = mem(*door, "sync", ".")
    assert done.code == 0
    assert "is not trusted" in done.err
    assert mem(*door, "search", "zeppelin", "--json").json["results"]
    assert mem(*door, "turn", "add", "--session", "s", "I live in Oslo").code == 0
    assert mem(*door, "remember", "The cat likes fish").code == 0
    assert mem(*door, "ingest", "readme.md").code == 0
    assert vendor.requests == []


@pytest.mark.parametrize("door", DOORS)
def test_folders_outside_are_not_read(
    mem: Mem, clone: Path, private: Path, door: tuple[str, ...]
) -> None:
    mem(*door, "sync", ".")
    mem(*door, "sync")
    assert not mem(*door, "search", "madagascar", "--json").json["results"]
    status = mem(*door, "status")
    assert (
        f"folders that are not read therefore: {private.parent / 'docs'}, {private}" in status.err
    )
    listed = mem(*door, "files", "--roots").out
    assert f"{private}  (refused, until you type mem --db {clone}/m.db config trust)" in listed


@pytest.mark.parametrize("door", DOORS)
def test_consent_is_to_all_that_the_database_says(
    mem: Mem, clone: Path, private: Path, vendor: WireServer, door: tuple[str, ...]
) -> None:
    done = mem(*door, "config", "trust")
    assert done.out.splitlines()[-4:] == [
        f"{clone}/m.db is trusted",
        "  embedding model is openai text-embedding-3-small",
        f"  remembered folder is {private.parent / 'docs'}",
        f"  remembered folder is {private}",
    ]
    assert mem(*door, "sync").code == 0
    found = mem(*door, "search", "madagascar", "--json").json
    assert found["mode_used"] == "hybrid"
    assert found["results"]
    assert not any("is not trusted" in item for item in found["warnings"])
    assert vendor.requests


def test_consent_ends_where_the_database_says_more(
    mem: Mem, clone: Path, private: Path, vendor: WireServer
) -> None:
    """A pull has brought another file to the same path."""
    mem("config", "trust")
    with Workspace(load_config()) as pulled:
        with pulled.storage.database.transaction() as tx:
            remember_root(tx, str(private.parent / "author.json"), "2026-01-01")
        with pulled.storage.database.transaction() as tx:
            request = {"model": "text-embedding-3-large", "options": {}}
            tx.run("UPDATE spaces SET request = :request", {"request": json.dumps(request)})
    status = mem("status").err
    assert f"not read therefore: {private.parent / 'author.json'}; to read" in status
    vendor.requests.clear()
    assert mem("search", QUESTION, "--json").json["mode_used"] == "keyword"
    assert vendor.requests == []


def test_naming_a_folder_is_consent_to_it(mem: Mem, clone: Path, private: Path) -> None:
    assert mem("sync", str(private)).code == 0
    assert mem("search", "madagascar", "--json").json["results"]
    (private / "diary.md").write_text("Now about greenland.")
    assert mem("sync").code == 0
    assert mem("search", "greenland", "--json").json["results"]
    assert str(private.parent / "docs") in mem("status").err


def test_naming_a_model_is_consent_to_it(mem: Mem, clone: Path, vendor: WireServer) -> None:
    assert mem("reindex", "--provider", "openai").code == 0
    assert mem("search", QUESTION, "--json").json["mode_used"] == "hybrid"
    assert vendor.requests


def test_a_named_model_replaces_a_refused_one(mem: Mem, clone: Path, vendor: WireServer) -> None:
    assert "mem reindex --provider static" in mem("reindex").err
    assert mem("reindex", "--provider", "static").code == 0
    assert mem("search", QUESTION, "--json").json["mode_used"] == "hybrid"
    assert vendor.requests == []


def test_a_configuration_that_follows_the_database_asks_too(
    mem: Mem, clone: Path, vendor: WireServer
) -> None:
    write_config(clone / FILE_NAME, vendor, database="./m.db", provider="auto")
    for command in (["reindex"], ["reindex", "--model", "text-embedding-3-large"]):
        refused = mem(*command)
        assert refused.code == 7
        assert "is not trusted" in refused.err
    assert mem("search", QUESTION, "--json").json["mode_used"] == "keyword"
    assert vendor.requests == []


def test_a_queued_reindex_is_not_a_request_of_the_user(
    mem: Mem, clone: Path, vendor: WireServer
) -> None:
    with Workspace(load_config()) as workspace, workspace.storage.database.transaction() as tx:
        write_meta(tx, REINDEX_WANTED, {"provider": "voyage", "model": None})
    done = mem("maintain", "reindex")
    assert "is not trusted, and names the embedding model voyage" in done.out + done.err
    assert vendor.requests == []


def test_the_other_programs_and_the_library_ask_too(
    clone: Path, vendor: WireServer, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["remember", "--text", "The cat likes fish"], group=sm, name="sm") == 0
    assert run(["add-turn", "--session", "s", "--text", "I live in Oslo"], group=sm, name="sm") == 0
    capsys.readouterr()

    async def ask() -> Any:
        async with MemoryManager() as memory:
            await memory.sync_files(["."])
            return await memory.answer(QUESTION)

    answer = asyncio.run(ask())
    assert answer.mode_used == "keyword"
    assert any("is not trusted" in item for item in answer.warnings)
    assert vendor.requests == []


def test_a_space_cannot_choose_an_address(
    mem: Mem, clone: Path, vendor: WireServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even of a vendor that the user's configuration names."""
    with Workspace(load_config()) as workspace, workspace.storage.database.transaction() as tx:
        options = {"base_url": "http://127.0.0.1:9/v1", "api_key": "theirs", "dimensions": 256}
        request = {"model": "text-embedding-3-small", "options": options}
        tx.run("UPDATE spaces SET request = :request", {"request": json.dumps(request)})
    mem("config", "trust")
    found = mem("search", QUESTION, "--json").json
    assert found["mode_used"] == "hybrid", found["warnings"]
    assert vendor.requests


@pytest.mark.parametrize("provider", ["prices", "provider", "model_of", "a plugin"])
def test_a_space_cannot_name_a_setting_or_load_a_plugin(
    mem: Mem, clone: Path, provider: str
) -> None:
    with Workspace(load_config()) as workspace, workspace.storage.database.transaction() as tx:
        tx.run("UPDATE spaces SET provider = :provider", {"provider": provider})
    found = mem("search", QUESTION, "--json").json
    assert found["mode_used"] == "keyword"
    assert any(f"names the embedding model {provider}" in item for item in found["warnings"])
    assert mem("sync", ".").code == 0


def test_the_users_own_database_asks_nothing(
    mem: Mem, folder: Path, private: Path, vendor: WireServer
) -> None:
    own = user_config_folder() / FILE_NAME
    own.parent.mkdir(parents=True)
    write_config(own, vendor, database=str(user_data_folder() / "memory.db"))
    assert mem("sync", str(private)).code == 0
    assert mem("reindex", "--provider", "openai").code == 0
    (private / "diary.md").write_text("Now about greenland.")
    assert mem("sync").code == 0
    assert mem("search", "greenland", "--json").json["mode_used"] == "hybrid"
    assert "not trusted" not in mem("status").err
    assert not consent_list().exists()


def test_a_setting_that_is_typed_is_consented_to(mem: Mem, folder: Path) -> None:
    path = folder / FILE_NAME
    path.write_text("{}")
    done = mem("config", "set", "memory.server.host", "0.0.0.0")
    assert "not trusted" not in done.err
    assert mem("config", "get", "memory.server.host").code == 0
    path.write_text('{"memory": {"server": {"tokens": ["theirs"]}}}')
    assert (
        "is not trusted: mem config trust"
        in mem("config", "set", "memory.server.host", "0.0.0.0").err
    )
    assert mem("config", "get", "memory.server.host").code == 5


def test_a_strange_folder_deletes_no_memories_elsewhere(
    mem: Mem, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    my = folder / "my.db"
    for text in ("The cat likes fish", "The dog likes bones", "I moved to Oslo"):
        assert mem("--db", str(my), "remember", text).code == 0
    before = mem("--db", str(my), "memories", "list", "--json").json
    clone = folder / "clone"
    clone.mkdir()
    mid = {"capacity": 1, "delete_below": 1000}
    memory = {"storage_path": "./m.db", "mid": mid}
    (clone / FILE_NAME).write_text(json.dumps({"memory": memory}))
    monkeypatch.chdir(clone)
    refused = mem("--db", str(my), "gc")
    assert refused.code == 5
    assert f"hint: read the file, then: mem config trust {clone / FILE_NAME}" in refused.err
    assert mem("remember", "Its own database is another matter").code == 0
    assert mem("gc").code == 0
    monkeypatch.chdir(folder)
    assert mem("--db", str(my), "memories", "list", "--json").json == before


@pytest.mark.slow
def test_a_server_asks_too(clone: Path, vendor: WireServer, private: Path) -> None:
    with Workspace(load_config()) as workspace, workspace.storage.database.transaction() as tx:
        write_meta(tx, REINDEX_WANTED, {"provider": "openai", "model": None})
    process = start("serve", "--port", "0", cwd=clone)
    try:
        assert process.stderr is not None
        address = re.search(r"http://127\.0\.0\.1:\d+", process.stderr.readline())
        assert address

        def post(path: str, **body: Any) -> Any:
            data = json.dumps(body).encode()
            headers = {"Content-Type": "application/json"}
            request = urllib.request.Request(f"{address[0]}{path}", data, headers)
            with urllib.request.urlopen(request, timeout=DEADLINE_S) as answer:
                return json.load(answer)

        found = post("/memory/search", query=QUESTION)
        assert found["mode_used"] == "keyword"
        assert any("is not trusted" in item for item in found["warnings"])
        post("/turns", session_id="s", role="user", text="I live in Oslo")
        with pytest.raises(HTTPError, match="403"):
            post("/memory/reindex", provider="openai")
        with pytest.raises(HTTPError, match="403"):
            post("/memory/sync", paths=[str(private)])
    finally:
        process.terminate()
        output_of(process)
    assert vendor.requests == []
