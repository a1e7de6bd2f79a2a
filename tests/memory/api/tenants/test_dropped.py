"""What a running server does once a tenant is dropped: its memory, its jobs and its streams end."""

import threading
from contextlib import suppress

import httpx
import pytest
from starlette.testclient import TestClient

from memory.api.app import create_app
from memory.api.app_state import AppState
from memory.config.loading import LoadedConfig
from memory.operations.jobs.manual_runs import JobRun, maintain_one
from memory.operations.tenants.managing import create_tenant, drop_tenant, open_tenant
from memory.operations.tokens import revoke_token
from memory.workspace import Workspace
from tests.memory.api.conftest import Serve, bearer
from tests.memory.api.tenants.conftest import (
    BROWSER,
    WORDS,
    clients,
    drop_idle_tenant,
    tenant_token,
)
from tests.postgres_server import missing_packages
from tests.waiting import wait_until

if missing_packages():  # pragma: no cover
    pytest.skip("needs " + ", ".join(missing_packages()), allow_module_level=True)

pytestmark = pytest.mark.slow


class Follower:
    """A client that reads a stream until the server ends it, in a thread."""

    def __init__(self, client: httpx.Client, path: str) -> None:
        self.ended = threading.Event()
        self._began = threading.Event()
        threading.Thread(target=self._read, args=(client, path), daemon=True).start()
        wait_until(self._began.is_set)

    def _read(self, client: httpx.Client, path: str) -> None:
        accept = {"Accept": "text/event-stream"}
        with (
            suppress(httpx.HTTPError),  # the whole server ends with the test
            client.stream("GET", path, headers=accept) as answer,
        ):
            for _ in answer.iter_lines():
                self._began.set()
            self.ended.set()


def replace_by_a_copy(loaded: LoadedConfig, name: str) -> None:
    """Put another schema with the same tokens in a tenant's place, as a restored copy is."""
    columns = "name, hash, scope, is_owner, created_at, expires_at"
    create_tenant(loaded, "copy")
    with Workspace(loaded) as workspace, workspace.storage.database.transaction() as tx:
        into = f"INSERT INTO tenant_copy.tokens ({columns})"
        tx.run(f"{into} SELECT {columns} FROM tenant_{name}.tokens")
        tx.run(f"ALTER SCHEMA tenant_{name} RENAME TO tenant_former")
        tx.run(f"ALTER SCHEMA tenant_copy RENAME TO tenant_{name}")


def test_a_stream_ends_with_its_tenant(
    serve_live: Serve, loaded: LoadedConfig, config: dict[str, object]
) -> None:
    tokens = {name: tenant_token(loaded, name) for name in WORDS}
    server = serve_live(config=config)
    browser = httpx.Client(base_url=server.url, headers=BROWSER, timeout=60)
    with browser, clients(server, tokens) as opened:
        browser.post("/page/sign-in", data={"token": tokens["blue"], "to": "/"})
        page = Follower(browser, "/page/health/events")
        blue = Follower(opened["blue"], "/memory/changes")
        drop_idle_tenant(loaded, "blue")
        wait_until(lambda: page.ended.is_set() and blue.ended.is_set())
        assert opened["blue"].get("/memories").status_code == 401


def test_a_stream_ends_with_its_token(
    serve_live: Serve, loaded: LoadedConfig, config: dict[str, object]
) -> None:
    tokens = {name: tenant_token(loaded, name) for name in WORDS}
    server = serve_live(config=config)
    browser = httpx.Client(base_url=server.url, headers=BROWSER, timeout=60)
    with browser, clients(server, tokens) as opened:
        browser.post("/page/sign-in", data={"token": tokens["acme"], "to": "/"})
        page = Follower(browser, "/page/health/events")
        acme = Follower(opened["acme"], "/memory/changes")
        blue = Follower(opened["blue"], "/memory/changes")
        with open_tenant(loaded, "acme") as workspace:
            revoke_token(workspace, "of-acme")
        wait_until(lambda: page.ended.is_set() and acme.ended.is_set())
        assert not blue.ended.is_set()


def test_a_stream_of_a_tenant_does_not_go_on_with_a_restored_copy(
    serve_live: Serve, loaded: LoadedConfig, config: dict[str, object]
) -> None:
    token = tenant_token(loaded, "acme")
    server = serve_live(config=config)
    browser = httpx.Client(base_url=server.url, headers=BROWSER, timeout=60)
    with browser, clients(server, {"acme": token}) as opened:
        browser.post("/page/sign-in", data={"token": token, "to": "/"})
        page = Follower(browser, "/page/health/events")
        acme = Follower(opened["acme"], "/memory/changes")
        replace_by_a_copy(loaded, "acme")
        wait_until(lambda: page.ended.is_set() and acme.ended.is_set())
        assert opened["acme"].get("/memories").status_code == 200


def test_the_memory_of_a_dropped_tenant_is_closed(loaded: LoadedConfig) -> None:
    """Though no request comes any more; the memories of others stay open."""
    tokens = {name: tenant_token(loaded, name) for name in WORDS}
    app = create_app(Workspace(loaded))
    with TestClient(app, base_url="http://127.0.0.1:8787") as client:
        before = threads("scheduler")
        for token in tokens.values():
            assert client.get("/memory/status", headers=bearer(token)).status_code == 200
        assert (app.state.memories.names(), threads("scheduler")) == (["acme", "blue"], before + 2)
        drop_idle_tenant(loaded, "acme")
        wait_until(lambda: app.state.memories.names() == ["blue"])
        wait_until(lambda: threads("scheduler") == before + 1)  # its jobs have ended
        assert client.get("/memories", headers=bearer(tokens["acme"])).status_code == 401
        assert client.get("/memories", headers=bearer(tokens["blue"])).status_code == 200


def threads(name: str) -> int:
    """The running threads of this name; each memory that runs jobs has one scheduler."""
    return [thread.name for thread in threading.enumerate()].count(name)


def test_the_jobs_of_a_dropped_tenant_tell_of_no_failure(
    loaded: LoadedConfig, capsys: pytest.CaptureFixture[str]
) -> None:
    """A job that looks before the memory is closed finds no tables any more."""
    for name in WORDS:
        tenant_token(loaded, name)
    with TestClient(create_app(Workspace(loaded)), base_url="http://127.0.0.1:8787") as client:
        home: AppState = client.app.state.app_state  # type: ignore[attr-defined]  # as it is made
        tenants = home.workspace.storage.tenants
        assert tenants is not None
        state = home.of_tenant(next(one for one in tenants.all() if one.name == "acme"))
        state.start_tenant()
        drop_idle_tenant(loaded, "acme")
        wait_until(lambda: (last := state.scheduler.last("completion")) and last.error)
        state.scheduler.stop()
        wait_until(lambda: threads("completion") == 0)  # it tells of a failure as the last thing
        assert "tenant acme" not in capsys.readouterr().err
        state.workspace.close()


WAITING_SQL = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"


def test_a_tenant_that_is_dropped_before_its_turn_is_no_failure(loaded: LoadedConfig) -> None:
    for name in WORDS:
        tenant_token(loaded, name)
    runs: list[JobRun] = []
    with Workspace(loaded) as workspace, open_tenant(loaded, "acme") as acme:
        run = threading.Thread(target=lambda: runs.append(maintain_one(workspace, "tenants")))
        with acme.storage.database.transaction():
            run.start()
            wait_until(lambda: workspace.storage.database.read(WAITING_SQL))  # for acme
            drop_tenant(loaded, "blue")
        run.join(60)
    assert [(one.outcome, one.message) for one in runs] == [("ok", "tenants visited: 2")]
