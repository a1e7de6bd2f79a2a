"""GET /memory/audit, and the same in Python."""

import asyncio
from pathlib import Path

from starlette.testclient import TestClient

from memory import MemoryManager
from tests.memory.databases import loaded


def test_a_server_tells_what_should_not_be_remembered(client: TestClient) -> None:
    said = {"session_id": "s1", "text": "my password is swordfish42"}
    assert client.post("/turns", json=said).status_code == 200
    report = client.get("/memory/audit", params={"kind": ["secret", "echo"], "limit": 1}).json()
    assert report["counts"] == {"secret": 1, "echo": 0}
    (finding,) = report["findings"]
    assert finding == {
        "kind": "secret",
        "ids": ["turn:1"],
        "citation": "session s1 turn 1",
        "excerpt": "my password is [password]",
        "why": "it holds a password",
        "commands": ['mem forget "turn 1"'],
    }
    assert report["clean"] is False


def test_an_unknown_kind_is_refused(client: TestClient) -> None:
    answer = client.get("/memory/audit", params={"kind": "echos"})
    assert answer.status_code == 422
    assert "did you mean 'echo'" in answer.json()["hint"]


def test_python_has_the_same(tmp_path: Path) -> None:
    async def audited() -> bool:
        async with MemoryManager(loaded(tmp_path)) as manager:
            await manager.remember("User likes tea")
            return (await manager.audit(kinds=["duplicate"])).clean

    assert asyncio.run(audited())
