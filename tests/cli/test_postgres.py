"""A memory on PostgreSQL as people and programs use it: by commands and by HTTP."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cli.shell import Answer, Mem
from tests.memory.api.conftest import LiveServer, starting
from tests.postgres_server import PostgresServer, drop_schema

SECRET = "hunter2secret"

Run = Callable[..., Answer]


@pytest.fixture
def place(
    postgres_server: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> Iterator[dict[str, str]]:
    """The settings of an empty place on the server; the password is one that nobody asks for."""
    server = postgres_server._replace(schema=f"{postgres_server.schema} of commands")
    drop_schema(server)
    monkeypatch.setenv("MEM_TEST_ADDRESS", f"{server.dsn}&password={SECRET}")
    yield {"backend": "postgres", "dsn": "${MEM_TEST_ADDRESS}", "schema": server.schema}
    drop_schema(server)


@pytest.fixture
def on_server(mem: Mem, folder: Path, place: dict[str, str]) -> Run:
    """Runs `mem` on that place, and sees that nothing it prints holds the password."""
    config = folder / "own.json"
    config.write_text(json.dumps({"memory": place}), "utf-8")

    def run(*arguments: str, code: int = 0) -> Answer:
        answer = mem("--config", str(config), *arguments)
        assert SECRET not in answer.out + answer.err
        assert answer.code == code, answer.err
        return answer

    return run


@pytest.mark.slow
def test_files_are_synced_found_reindexed_and_forgotten(on_server: Run, folder: Path) -> None:
    assert "make one: mem sync PATH" in on_server("search", "installer", code=4).err
    assert on_server("sync", "docs", "--json").json["added"] == 2
    assert on_server("sync", "docs", "--json").json["unchanged"] == 2
    found = on_server("search", "getUserById", "-k", "1", "--json").json["results"][0]
    assert found["citation"] == "docs/setup.md:1-10"
    near = on_server("search", "pets", "--mode", "vector", "-k", "1", "--json").json["results"][0]
    assert near["file_path"].endswith("animals.md")
    (folder / "docs/animals.md").write_text("An okapi by the river.\n")
    assert on_server("sync", "docs", "--json").json["updated"] == 1
    assert not on_server("search", "cats", "--mode", "keyword", "--json").json["results"]
    assert on_server("search", "OKAPIS", "--mode", "keyword", "--json").json["results"]
    chunks = on_server("status", "--json").json["chunks"]
    assert chunks["file"] >= 2


@pytest.mark.slow
def test_what_is_said_is_remembered_and_forgotten_with_proof(on_server: Run) -> None:
    said = "I live in Berlin and I love green tea."
    on_server("turn", "add", "--session", "s1", said)
    remembered = on_server("memories", "list", "--json").json
    assert {one["content"] for one in remembered} == {
        "User lives in Berlin",
        "User loves green tea",
    }
    assert "green tea" in on_server("context", "s1", "--query", "what do I drink").out
    on_server("fact", "add", "preference/tea", "Assam")
    found = on_server("search", "Assam", "-k", "1", "--json").json["results"][0]
    assert found["citation"] == "fact preference/tea"
    on_server("forget", "--session", "s1", "--yes")
    assert on_server("memories", "list", "--json").json == []
    assert not on_server("search", "Berlin", "--mode", "keyword", "--json").json["results"]


@pytest.mark.slow
def test_a_memory_moves_there_and_back(on_server: Run, mem: Mem, folder: Path) -> None:
    on_server("remember", "The zebra key is under the mat")
    on_server("sync", "docs")
    on_server("export", "there.jsonl")
    assert mem("--db", "here.db", "import", "there.jsonl").code == 0
    assert mem("--db", "here.db", "export", "back.jsonl").code == 0
    assert "zebra" in mem("--db", "here.db", "search", "zebra key").out


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments, code, said",
    [
        (["doctor"], 2, "has no `mem doctor` yet"),
        (["backup", "copy.db"], 2, "is kept by a server, not in a file"),
        (["restore", "copy.db"], 2, "memory.backend is postgres, which has no file"),
        (["serve", "--workers", "2"], 3, 'cannot share a database of memory.backend "postgres"'),
    ],
)
def test_what_is_not_supported_refuses(
    on_server: Run, arguments: list[str], code: int, said: str
) -> None:
    on_server("remember", "The zebra key is under the mat")
    assert said in on_server(*arguments, code=code).err


def test_a_file_that_was_found_may_not_choose_a_server(mem: Mem, folder: Path) -> None:
    memory = {"backend": "postgres", "dsn": f"postgresql://me:{SECRET}@127.0.0.1:1/none"}
    (folder / "constitution_config.json").write_text(json.dumps({"memory": memory}), "utf-8")
    answer = mem("search", "x")
    assert "is not trusted" in answer.err
    assert SECRET not in answer.err
    assert mem("config", "trust").code == 0
    refused = mem("search", "x")
    assert "PostgreSQL cannot be used" in refused.err
    assert SECRET not in refused.err + mem("config", "get").out


@pytest.mark.slow
def test_a_server_answers_from_it(place: dict[str, str], folder: Path) -> None:
    with starting(folder) as start:
        server: LiveServer = start(config={**place})
        with server.client() as client:
            assert client.post("/memory/sync").json()["added"] == 2
            said = {"session_id": "s1", "role": "user", "text": "I love green tea."}
            turn = client.post("/turns", json=said).json()
            assert turn["extracted_memories"][0]["content"] == "User loves green tea"
            found = client.post("/memory/search", json={"query": "green tea"}).json()["results"]
            assert found[0]["source"] in ("memory", "turn")
            context = client.get("/context", params={"session_id": "s1", "query": "tea"}).json()
            assert context["short_term"][0]["text"] == "I love green tea."
            changed = client.get("/memory/changes", params={"since": 0}).json()["changes"]
            assert {one["source"] for one in changed} >= {"file", "turn", "memory"}
            forgotten = client.post(
                "/memory/forget", json={"session_id": "s1", "verify": True}
            ).json()
            assert forgotten["ok"]
            assert {one["name"] for one in forgotten["checks"]} >= {
                "records",
                "keywords",
                "vectors",
            }
            assert not client.get("/memories").json()["memories"]
            assert client.get("/memory/status").json()["backend"] == "postgres"
