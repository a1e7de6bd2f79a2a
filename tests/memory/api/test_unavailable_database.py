"""A server whose PostgreSQL is away or slow: what its clients see meanwhile and afterwards."""

import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from tests.memory.api.conftest import LiveServer, starting
from tests.postgres_server import OwnServer, PostgresServer, drop_schema, missing_packages
from tests.waiting import wait_until

if not missing_packages():
    import psycopg

    from memory.storage.postgres.work_locks import lock_number


@pytest.mark.slow
def test_a_server_answers_503_while_its_database_is_away(own_server: OwnServer, home: Path) -> None:
    place = {"backend": "postgres", "dsn": own_server.dsn, "schema": "served"}
    with starting(home) as start:
        server: LiveServer = start(config=place)
        with server.client() as client:
            client.post("/memory/ingest/text", json={"text": "green tea"}).raise_for_status()
            own_server.stop()
            began_s = time.monotonic()
            for answer in (ask(client) for ask in (search, health, turn, search)):
                assert answer.status_code == 503, answer.text
                assert answer.headers["retry-after"] == "2"
                assert answer.json()["type"].endswith(":database-unavailable")
                assert "PostgreSQL cannot be used" in answer.json()["detail"]
            assert time.monotonic() - began_s < 10
            own_server.start()
            wait_until(lambda: search(client).status_code == 200)
            assert search(client).json()["results"]
            assert health(client).json()["status"] == "ok"
            assert turn(client).status_code in (200, 201)


def search(client: httpx.Client) -> httpx.Response:
    return client.post("/memory/search", json={"query": "green tea", "max_results": 1})


def turn(client: httpx.Client) -> httpx.Response:
    said = {"session_id": "s1", "role": "user", "text": "I love green tea."}
    return client.post("/turns", json=said)


def health(client: httpx.Client) -> httpx.Response:
    return client.get("/memory/health")


@pytest.fixture
def served(postgres_server: PostgresServer) -> Iterator[dict[str, str]]:
    server = postgres_server._replace(schema=f"{postgres_server.schema} slow")
    drop_schema(server)
    yield {"backend": "postgres", "dsn": server.dsn, "schema": server.schema}
    drop_schema(server)


@pytest.mark.slow
def test_a_slow_database_does_not_stop_health(served: dict[str, str], home: Path) -> None:
    with starting(home) as start:
        server: LiveServer = start(config=served)
        with server.client() as client, psycopg.connect(served["dsn"]) as blocker:
            client.post("/memory/ingest/text", json={"text": "green tea"}).raise_for_status()
            names = ("keyword_totals", "log_ends", "tokens", "spaces")
            tables = ", ".join(f'"{served["schema"]}".{name}' for name in names)
            blocker.execute(f"LOCK TABLE {tables} IN ACCESS EXCLUSIVE MODE")
            waiting = [threading.Thread(target=search_until, args=(client,)) for _ in range(12)]
            for thread in waiting:
                thread.start()
            for _ in range(3):
                answer = health(client)
                assert (answer.status_code, answer.json()) == (200, {"status": "slow"})
            blocker.rollback()
            for thread in waiting:
                thread.join()
            assert health(client).json()["status"] == "ok"
            assert search(client).json()["results"]


def search_until(client: httpx.Client) -> None:
    with suppress(httpx.HTTPError):
        search(client)


@pytest.mark.slow
def test_several_servers_answer_from_one_database(served: dict[str, str], home: Path) -> None:
    with starting(home) as start:
        servers = [start(config=served, workers=workers) for workers in (1, 2)]
        with servers[0].client() as first, servers[1].client() as second:
            clients = (first, second)
            for number in range(6):
                text = f"note {number} about a zebra{number}"
                clients[number % 2].post("/memory/ingest/text", json={"text": text})
                answer = clients[1 - number % 2].post(
                    "/memory/search", json={"query": f"zebra{number}", "max_results": 1}
                )
                assert answer.json()["results"][0]["text"] == text
            threads = [
                threading.Thread(target=say_many, args=(client, name))
                for name, client in (("a", first), ("b", second))
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            status = second.get("/memory/status").json()
            assert status["conversations"]["turns"] == 20
            assert status["chunks"]["turn"] == 20
            assert status["chunks"]["text"] == 6


@pytest.mark.slow
def test_workers_take_the_jobs_again_when_their_lock_is_lost(
    served: dict[str, str], home: Path
) -> None:
    number = lock_number(served["schema"], "jobs")
    holders = """SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted
        AND (classid::bigint << 32 | objid::bigint) = %s"""
    with (
        starting(home) as start,
        psycopg.connect(served["dsn"], autocommit=True) as connection,
        start(config=served, workers=2).client() as client,
    ):

        def leaders() -> list[tuple[int]]:
            return connection.execute(holders, (number,)).fetchall()

        for _ in range(2):
            wait_until(leaders)
            (before,) = leaders()
            connection.execute("SELECT pg_terminate_backend(%s)", before)
            wait_until(lambda: leaders() not in ([], [before]))  # noqa: B023
        client.post("/memory/ingest/text", json={"text": "green tea"}).raise_for_status()
        assert search(client).json()["results"]


def say_many(client: httpx.Client, session: str) -> None:
    for number in range(10):
        said = {"session_id": session, "role": "user", "text": f"I saw a bird {number} today."}
        client.post("/turns", json=said).raise_for_status()
