"""One server for many tenants, over real HTTP: a token reaches its own tenant's memory alone."""

import itertools
import re
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from memory.api.app import create_app
from memory.config.loading import LoadedConfig
from memory.operations.jobs.manual_runs import maintain_one
from memory.operations.tenants.managing import open_tenant
from memory.operations.tokens import create_token, revoke_token
from memory.workspace import Workspace
from tests.memory.api.conftest import Serve, bearer
from tests.memory.api.tenants.conftest import (
    BROWSER,
    WORDS,
    clients,
    drop_idle_tenant,
    fill,
    tenant_token,
)
from tests.postgres_server import missing_packages
from tests.waiting import wait_until

if missing_packages():  # pragma: no cover
    pytest.skip("needs " + ", ".join(missing_packages()), allow_module_level=True)

pytestmark = pytest.mark.slow


def asked(client: httpx.Client) -> list[Callable[[], httpx.Response]]:
    """Requests of every way into a memory, whose answers name what is in it."""
    search = {"query": "my animal and its pump", "max_results": 9}
    tool = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "search", "arguments": {"query": "zebra walrus pump"}},
    }
    accept = {"Accept": "application/json, text/event-stream"}
    return [
        lambda: client.post("/memory/search", json=search),
        lambda: client.post("/memory/search", json={**search, "mode": "keyword"}),
        lambda: client.get("/context", params={"session_id": "s1", "query": "zebra walrus"}),
        lambda: client.get("/turns", params={"session_id": "s1"}),
        lambda: client.get("/memories"),
        lambda: client.get("/memory/context", params={"topic": "animal"}),
        lambda: client.get("/memory/open-loops"),
        lambda: client.get("/memory/manage"),
        lambda: client.get("/memory/changes", params={"since": 0}),
        lambda: client.get("/memory/status"),
        lambda: client.get("/memory/health"),
        lambda: client.post("/mcp", json=tool, headers=accept),
    ]


@pytest.mark.parametrize("number", [1000])
def test_interleaved_requests_of_two_tenants_never_meet(
    serve_live: Serve, loaded: LoadedConfig, config: dict[str, object], number: int
) -> None:
    tokens = {name: tenant_token(loaded, name) for name in WORDS}
    server = serve_live(config=config)
    told: dict[str, set[str]] = {name: set() for name in WORDS}
    wrong: list[tuple[str, str]] = []
    with clients(server, tokens) as opened:
        for name, client in opened.items():
            fill(client, WORDS[name])
        fill(opened["blue"], WORDS["blue"])  # the counts differ
        ways = {name: asked(client) for name, client in opened.items()}

        def ask(at: int) -> None:
            name = ("acme", "blue")[at % 2]
            other = WORDS["blue" if name == "acme" else "acme"]
            answer = ways[name][at // 2 % len(ways[name])]()
            told[name].add(answer.text if answer.request.url.path.endswith("health") else "")
            # An answer may repeat the question, and say which of its words are nowhere.
            own = re.sub(r"zebra walrus|'\w+' occurs? nowhere", "", answer.text)
            if answer.status_code != 200 or other in own:
                wrong.append((name, f"{answer.request.url} {answer.status_code} {answer.text}"))

        with ThreadPoolExecutor(4) as pool:
            list(pool.map(ask, range(number)))
        assert wrong[:1] == []
        assert len(told["acme"] - {""}) == len(told["blue"] - {""}) == 1
        assert told["acme"] != told["blue"]
        for name, word in WORDS.items():
            assert word in ways[name][0]().text
            assert word in ways[name][-1]().text.replace("zebra walrus", "")
        status = opened["acme"].get("/memory/status").json()
        assert status["database"] == "postgres:tenant_acme"
        assert (status["roots"], status["config_path"]) == ([], None)


def test_a_tenant_reads_no_folder_of_the_server(
    serve_live: Serve, loaded: LoadedConfig, config: dict[str, object], home: Path
) -> None:
    token = tenant_token(loaded, "acme")
    server = serve_live(config=config)
    with clients(server, {"acme": token}) as opened:
        acme = opened["acme"]
        for path in ("docs", "docs/setup.md", str(home / "secret/key.md")):
            refused = acme.post("/memory/ingest", json={"path": path})
            assert refused.status_code == 403, refused.text
            assert "lies outside the known folders" in refused.json()["detail"]
            assert acme.post("/memory/sync", json={"paths": [path]}).status_code == 403
        assert "added" not in acme.post("/memory/sync").json()  # it knows no folder at all
        assert acme.get("/memory/manage").json()["records"] == []


def test_the_home_memory_is_not_the_tenants(
    serve_live: Serve, loaded: LoadedConfig, config: dict[str, object]
) -> None:
    token = tenant_token(loaded, "acme")
    with Workspace(loaded) as workspace:
        own = create_token(workspace, "of-home", scope="admin").token
    server = serve_live(config=config)
    with clients(server, {"acme": token, "home": own}) as opened:
        fill(opened["acme"], "zebra")
        assert opened["home"].get("/memory/status").json()["database"] == "postgres:home"
        assert opened["home"].get("/memories").json()["memories"] == []
        kept = opened["home"].post("/memories", json={"content": "The home has a kettle."})
        assert kept.status_code == 200
        assert "kettle" not in opened["acme"].get("/memories").text


def test_where_there_are_tenants_every_request_needs_a_token(
    serve_live: Serve, loaded: LoadedConfig, config: dict[str, object]
) -> None:
    tenant_token(loaded, "acme")
    server = serve_live(config=config)
    with server.client() as client:
        assert client.get("/memory/status").status_code == 401
        assert client.get("/memory/health").json() == {"status": "ok"}


def test_revoked_dropped_and_unknown_are_told_the_same(
    serve_live: Serve, loaded: LoadedConfig, config: dict[str, object]
) -> None:
    tokens = {name: tenant_token(loaded, name) for name in WORDS}
    server = serve_live(config=config)
    with clients(server, tokens) as opened:
        for name, client in opened.items():
            fill(client, WORDS[name])
        with opened["acme"].stream(
            "GET", "/memory/changes", headers={"Accept": "text/event-stream"}
        ) as stream:
            lines = stream.iter_lines()
            assert next(lines).startswith("retry:")
            with open_tenant(loaded, "acme") as workspace:
                revoke_token(workspace, "of-acme")
            for _ in lines:  # the stream ends with the token
                pass
        refused = opened["acme"].get("/memories")
        assert refused.status_code == 401
        assert "the token of the tenant 'acme' is not known" in refused.json()["detail"]
        assert opened["blue"].get("/memories").status_code == 200

        drop_idle_tenant(loaded, "blue")
        gone = opened["blue"].get("/memories")
        assert (gone.status_code, refused.status_code) == (401, 401)
        assert gone.json()["detail"] == refused.json()["detail"].replace("acme", "blue")
        renamed = tokens["acme"].replace(".acme", ".none")
        unknown = opened["acme"].get("/memories", headers=bearer(renamed))
        assert unknown.json()["detail"] == gone.json()["detail"].replace("blue", "none")


def test_a_tenant_that_is_made_again_has_nothing_of_the_former_one(
    serve_live: Serve, loaded: LoadedConfig, config: dict[str, object]
) -> None:
    former = tenant_token(loaded, "acme")
    server = serve_live(config=config)
    with clients(server, {"acme": former}) as opened:
        fill(opened["acme"], "zebra")
        query = {"query": "zebra", "mode": "keyword"}
        assert opened["acme"].post("/memory/search", json=query).json()["results"]
        drop_idle_tenant(loaded, "acme")
        again = tenant_token(loaded, "acme")
        assert opened["acme"].get("/memories").status_code == 401
        new = bearer(again)
        found = opened["acme"].post("/memory/search", json=query, headers=new)
        assert (found.status_code, found.json()["results"]) == (200, [])


def test_more_tenants_than_places_take_turns(
    serve_live: Serve, loaded: LoadedConfig, config: dict[str, object]
) -> None:
    """Two places for five tenants; all the connections together stay those of one pool."""
    names = [f"t{number}" for number in range(5)]
    tokens = {name: tenant_token(loaded, name) for name in names}
    server = serve_live(config={**config, "server": {"tenants": 2}})
    with clients(server, tokens) as opened:

        def work(at: int) -> None:
            name = names[at % len(names)]
            kept = opened[name].post("/memories", json={"content": f"{name} keeps number {at}."})
            busy.append(kept.status_code == 503)
            if kept.status_code == 503:
                assert kept.headers["Retry-After"]
                assert "raise memory.server.tenants" in kept.json()["hint"]
                return
            assert kept.status_code == 200, kept.text
            stored[name].add(f"{name} keeps number {at}.")

        busy: list[bool] = []
        stored: dict[str, set[str]] = {name: set() for name in names}
        with ThreadPoolExecutor(5) as pool:
            list(pool.map(work, range(60)))
        assert busy.count(False) > 20
        for name in names:
            listed = opened[name].get("/memories", params={"limit": 100}).json()["memories"]
            assert {one["content"] for one in listed} == stored[name]


def test_a_killed_server_is_back_with_its_tenants(
    serve_live: Serve, loaded: LoadedConfig, config: dict[str, object]
) -> None:
    tokens = {name: tenant_token(loaded, name) for name in WORDS}
    server = serve_live(config=config)
    stored: list[tuple[str, str]] = []
    with clients(server, tokens) as opened:
        stop = threading.Event()

        def write() -> None:
            for number in itertools.count():
                name = ("acme", "blue")[number % 2]
                content = f"{name} is number {number}."
                try:
                    kept = opened[name].post("/memories", json={"content": content})
                except httpx.HTTPError:
                    return
                if kept.status_code == 200:
                    stored.append((name, content))
                if stop.is_set():
                    return

        writer = threading.Thread(target=write)
        writer.start()
        wait_until(lambda: len(stored) >= 20)
        server.process.kill()
        writer.join(60)
        stop.set()
    again = serve_live(config=config)
    with clients(again, tokens) as opened:
        for name, client in opened.items():
            listed = client.get("/memories", params={"limit": 200}).json()["memories"]
            found = {one["content"] for one in listed}
            assert {content for whose, content in stored if whose == name} <= found
            assert all(content.startswith(name) for content in found)


def test_workers_serve_tenants_too(
    serve_live: Serve, loaded: LoadedConfig, config: dict[str, object]
) -> None:
    tokens = {name: tenant_token(loaded, name) for name in WORDS}
    server = serve_live(config=config, workers=2)
    for _ in range(4):  # another connection may reach another worker
        with clients(server, tokens) as opened:
            for name, client in opened.items():
                kept = client.post("/memories", json={"content": f"{name} has a {WORDS[name]}."})
                assert kept.status_code == 200
                other = WORDS["blue" if name == "acme" else "acme"]
                text = client.get("/memories").text
                assert WORDS[name] in text
                assert other not in text


def test_a_person_signs_in_to_the_pages_of_a_tenant(
    serve_live: Serve, loaded: LoadedConfig, config: dict[str, object]
) -> None:
    tokens = {name: tenant_token(loaded, name) for name in WORDS}
    server = serve_live(config=config)
    with clients(server, tokens) as opened:
        for name, client in opened.items():
            fill(client, WORDS[name])
    with httpx.Client(base_url=server.url, headers=BROWSER, timeout=60) as browser:
        assert browser.get("/").headers["Location"].startswith("/page/sign-in")
        signed = browser.post("/page/sign-in", data={"token": tokens["acme"], "to": "/"})
        assert signed.status_code == 303, signed.text
        page = browser.get("/page/memories").text
        assert WORDS["acme"] in page
        assert WORDS["blue"] not in page
        assert "tenant_acme" in browser.get("/page/health").text
        assert "claude-code" not in browser.get("/page/begin").text
        agent = browser.get("/page/begin/agent?name=claude-code")
        assert (agent.status_code, str(Path.home()) in agent.text) == (422, False)
        drop_idle_tenant(loaded, "acme")
        assert browser.get("/page/memories").headers["Location"].startswith("/page/sign-in")
        refused = browser.post("/page/sign-in", data={"token": tokens["acme"], "to": "/"})
        assert refused.status_code == 401


def test_a_guess_closes_no_server(
    serve_live: Serve, loaded: LoadedConfig, config: dict[str, object]
) -> None:
    """A server without tokens and tenants stays open to this machine, whatever is sent to it."""
    server = serve_live(config=config)
    with server.client() as client:
        guess = bearer("mem_guess.acme")
        assert client.get("/memory/status", headers=guess).status_code == 200
        assert client.get("/memory/status").status_code == 200


def test_a_server_without_places_serves_none(
    serve_live: Serve, loaded: LoadedConfig, config: dict[str, object]
) -> None:
    token = tenant_token(loaded, "acme")
    server = serve_live(config={**config, "server": {"tenants": 0}})
    with Workspace(loaded) as workspace:
        create_token(workspace, "of-home", scope="admin")
    with clients(server, {"acme": token}) as opened:
        refused = opened["acme"].get("/memory/status")
        assert (refused.status_code, refused.json()["detail"]) == (401, "the token is not known")


def test_the_jobs_of_tenants_run_whether_or_not_they_are_open(loaded: LoadedConfig) -> None:
    for name in WORDS:
        tenant_token(loaded, name)
    old = "2020-01-01T00:00:00.000Z"
    with open_tenant(loaded, "acme") as workspace, workspace.storage.database.transaction() as tx:
        sql = "INSERT INTO actions (at, actor, action, source, record_id)"
        tx.run(f"{sql} VALUES (:at, 'a', 'b', 'c', 1)", {"at": old})
    with Workspace(loaded) as workspace:
        run = maintain_one(workspace, "tenants")
    assert (run.outcome, run.message) == ("ok", "tenants visited: 2")
    with open_tenant(loaded, "acme") as workspace:
        assert workspace.storage.database.read("SELECT count(*) FROM actions") == [(0,)]


def test_an_opened_memory_works_off_what_waits(loaded: LoadedConfig) -> None:
    """A row that another program inserted is completed by the open tenant's own scheduler."""
    from starlette.testclient import TestClient

    token = tenant_token(loaded, "acme")
    with TestClient(create_app(Workspace(loaded)), base_url="http://127.0.0.1:8787") as client:
        assert client.get("/memory/status", headers=bearer(token)).status_code == 200
        with open_tenant(loaded, "acme") as other, other.storage.database.transaction() as tx:
            tx.run("INSERT INTO memories (layer, content) VALUES ('long', 'Otters hold hands')")
        query = {"query": "otters", "mode": "keyword"}

        def is_found() -> bool:
            answer = client.post("/memory/search", json=query, headers=bearer(token))
            return bool(answer.json()["results"])

        wait_until(is_found)
