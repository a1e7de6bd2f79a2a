"""A value that another program, or a disk, has changed: an answer with the next step, never 500."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import apsw
import pytest
from starlette.testclient import TestClient

from memory.workspace import Workspace
from tests.memory.api.conftest import opened_client, settings
from tests.memory.mcp.messages import ACCEPT, calling, result_of

ROUTES = (
    *("/memory/manage", "/turns?session_id=s1", "/turns/1", "/memories", "/memories/1"),
    *("/memory/context?topic=Oslo", "/memory/person/Ida", "/context?session_id=s1", "/gc"),
    *("/memory/audit", "/memory/status", "/metrics", "/memories/1/why"),
)
PAGES = ("/?q=Oslo", "/page/memories", "/page/people", "/page/timeline", "/page/health")
OWN_PAGE = {"Sec-Fetch-Site": "none"}


@pytest.fixture
def client(home: Path) -> Iterator[TestClient]:
    with opened_client(home) as opened:
        for text in ("I moved to Oslo in May, and my sister Ida is a painter", "I like tea"):
            answer = opened.post("/turns", json={"session_id": "s1", "text": text, "role": "user"})
            assert answer.status_code == 200
        kept = {"name": "Ida", "relationship": "sister"}
        assert opened.post("/memory/person", json=kept).status_code == 200
        fact = {"category": "biographical", "key": "home", "value": "Oslo"}
        assert opened.post("/memory/fact", json=fact).status_code == 200
        yield opened


@pytest.mark.parametrize(
    "sql, told",
    [
        ("UPDATE memories SET hits = 'many'", "memories.hits"),
        ("UPDATE memories SET slot = x'ff'", "memories.slot"),
        ("UPDATE facts SET value = x'ff'", "facts.value"),
        ("UPDATE people SET name = x'ff'", "people.name"),
        ("UPDATE files SET mtime_ns = 'x'", "files.mtime_ns"),
        ("UPDATE files SET updated_at = x'ff'", "files.updated_at"),
        ("UPDATE chunks SET hidden_from = x'ff'", "chunks.hidden_from"),
        ("UPDATE chunks SET start_line = 'x'", "chunks.start_line"),
        ("UPDATE turns SET speaker = x'ff'", "turns.speaker"),
        ("UPDATE actions SET numbers = 'x'", "a damaged value"),
        ("UPDATE spaces SET chunking = '7'", "a damaged value: it is not an object"),
        ("UPDATE spaces SET request = 'x'", "a damaged value"),
    ],
)
def test_every_route_says_that_the_database_is_damaged(
    client: TestClient, home: Path, sql: str, told: str
) -> None:
    with closing(apsw.Connection(str(home / "data/memory.db"))) as connection:
        connection.setbusytimeout(10_000)
        connection.execute(sql)
        assert connection.changes() >= 1

    answers = [client.get(route) for route in ROUTES]
    answers += [client.post("/memory/search", json={"query": word}) for word in ("Oslo", "pump")]
    pages = [client.get(page, headers=OWN_PAGE) for page in PAGES]
    call = client.post("/mcp", json=calling("search", query="Oslo"), headers=ACCEPT)

    assert {answer.status_code for answer in (*answers, *pages)} <= {200, 404, 507}
    refused = [answer.json() for answer in answers if answer.status_code == 507]
    assert any(told in problem["detail"] for problem in refused)
    assert all("mem doctor" in problem["hint"] for problem in refused)
    assert all("mem doctor" in page.text for page in pages if page.status_code == 507)
    result = result_of(call)
    assert not result["isError"] or "mem doctor" in result["content"][0]["text"]


@pytest.mark.parametrize("error", [TypeError("x"), KeyError("x")], ids=str)
def test_an_error_of_the_program_is_not_called_damage(home: Path, error: Exception) -> None:
    """Nor are texts that another program wrote as bytes."""
    with Workspace(settings(home)) as workspace:
        with workspace.storage.database.transaction() as tx:
            tx.run(
                "INSERT INTO facts (category, key, value, confidence, created_at, updated_at) "
                "VALUES ('a', 'tea', x'746561', 0.5, '2026-03-02', '2026-03-02')"
            )
        assert workspace.damage_of(error) is None


def test_the_error_behind_damage_is_printed(
    client: TestClient, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(apsw.Connection(str(home / "data/memory.db"))) as connection:
        connection.setbusytimeout(10_000)
        connection.execute("UPDATE memories SET slot = x'ff'")
    assert 507 in [client.get(route).status_code for route in ROUTES]
    assert "Traceback" in capsys.readouterr().err


def test_one_error_at_a_time_is_looked_into(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A look reads every row: many requests at once must not."""
    with Workspace(settings(home)) as workspace:
        looks: list[object] = []

        def look(*, of_others: bool) -> dict[str, int]:
            looks.append(workspace.damage_of(KeyError("x")) if of_others else None)
            return {"facts.value": 1}

        monkeypatch.setattr(workspace.storage.health, "misplaced", look)
        assert workspace.damage_of(TypeError("x")) is not None
        assert looks == [None]
