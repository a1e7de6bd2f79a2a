"""Tenants of a server over real HTTP, and clients with their tokens."""

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from contracts import BusyError
from memory.config.loading import LoadedConfig, load_config
from memory.operations.tenants.managing import create_tenant, drop_tenant, open_tenant
from memory.operations.tokens import create_token
from memory.workspace import Workspace
from tests.memory.api.conftest import LiveServer, bearer
from tests.postgres_server import PostgresServer, new_database
from tests.waiting import wait_until

WORDS = {"acme": "zebra", "blue": "walrus"}
"""A word that only one tenant's memory has."""

BROWSER = {"Sec-Fetch-Site": "none"}


@pytest.fixture(scope="module")
def database(postgres_server: PostgresServer) -> Iterator[str]:
    with new_database(postgres_server, "served") as dsn:
        yield dsn


@pytest.fixture
def config(database: str) -> dict[str, object]:
    return {"backend": "postgres", "dsn": database, "schema": "home"}


def loaded_from(home: Path, config: dict[str, object]) -> LoadedConfig:
    path = home / "own.json"
    path.write_text(json.dumps({"memory": config}), "utf-8")
    return load_config(path)


@pytest.fixture
def loaded(home: Path, config: dict[str, object]) -> Iterator[LoadedConfig]:
    """The settings of a home memory with a token of its own; its tenants are dropped at the end."""
    settings = loaded_from(home, config)
    yield settings
    with Workspace(settings) as workspace:
        assert workspace.storage.tenants is not None
        wait_until(lambda: all_dropped(workspace))  # a server may still run their jobs
        for name in ("of-home", "claude"):
            with workspace.storage.database.transaction() as tx:
                tx.run("DELETE FROM tokens WHERE name = :name", {"name": name})


def all_dropped(workspace: Workspace) -> bool:
    """Drop the tenants to which nobody writes; return whether none is left."""
    tenants = workspace.storage.tenants
    assert tenants is not None
    for tenant in tenants.all():
        with suppress(BusyError):
            tenants.drop(tenant, works=())
    return not tenants.all()


def drop_idle_tenant(loaded: LoadedConfig, name: str) -> None:
    """Drop a tenant of a server as soon as none of the server's jobs runs for it."""

    def is_dropped() -> bool:
        with suppress(BusyError):
            drop_tenant(loaded, name)
            return True
        return False

    wait_until(is_dropped)


def tenant_token(loaded: LoadedConfig, name: str, scope: Any = "admin") -> str:
    """A token for a tenant, which is made if it is missing."""
    with Workspace(loaded) as workspace:
        assert workspace.storage.tenants is not None
        if workspace.storage.tenants.find(name) is None:
            create_tenant(loaded, name)
    with open_tenant(loaded, name) as workspace:
        return create_token(workspace, f"of-{name}", scope=scope, tenant=name).token


@contextmanager
def clients(server: LiveServer, tokens: dict[str, str]) -> Iterator[dict[str, httpx.Client]]:
    """A client for each token."""
    with ExitStack() as stack:
        yield {
            name: stack.enter_context(
                httpx.Client(base_url=server.url, headers=bearer(token), timeout=60)
            )
            for name, token in tokens.items()
        }


def fill(client: httpx.Client, word: str) -> None:
    """Store records of several kinds that have this word."""
    text = {"text": f"A note about the {word} and its pump."}
    assert client.post("/memory/ingest/text", json=text).status_code == 200
    turn = {"session_id": "s1", "role": "user", "text": f"I love my {word}."}
    assert client.post("/turns", json=turn).status_code == 200
    fact = {"category": "animal", "key": "name", "value": word}
    assert client.post("/memory/fact", json=fact).status_code == 200
    loop = {"topic": f"feed the {word}"}
    assert client.post("/memory/open-loop", json=loop).status_code == 200
