"""Access control: names, origins, tokens, paths."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.datastructures import Headers
from starlette.testclient import TestClient

from memory.api.auth import Access, Principal
from memory.operations.tokens import FoundToken
from tests.memory.api.conftest import opened_client

HERE = "127.0.0.1:8787"


@pytest.fixture
def client(home: Path) -> Iterator[TestClient]:
    """Of one backend: no database decides who may ask."""
    with opened_client(home) as opened:
        yield opened


def access_of(tokens: tuple[str, ...], host: str) -> Access:
    """The rules of a server whose database has no token."""
    return Access(tokens, host, find=lambda _secret: FoundToken(any_token=False))


def refused(access: Access, path: str = "/memory/status", **headers: str) -> int | None:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    refusal = asyncio.run(access.admit(path, Headers(sent), "192.0.2.1")).refusal
    return refusal.status if refusal else None


@pytest.mark.parametrize(
    "host, status",
    [
        pytest.param("127.0.0.1:8787", None, id="address"),
        pytest.param("127.8.9.1", None, id="other loopback address"),
        pytest.param("localhost:9999", None, id="forwarded port"),
        pytest.param("LOCALHOST", None, id="upper case"),
        pytest.param("[::1]:8787", None, id="IPv6"),
        pytest.param("garden:8787", None, id="the name it was started with"),
        pytest.param("evil.example", 403, id="rebound name"),
        pytest.param("evil.example:8787", 403, id="rebound name with the port"),
        pytest.param("127.0.0.1.evil.example", 403, id="looks like loopback"),
        pytest.param("localhost.evil.example", 403, id="begins with localhost"),
        pytest.param("evil.example:80@localhost", 403, id="user part"),
        pytest.param("192.168.1.7:8787", 403, id="address of the network"),
        pytest.param("0.0.0.0:8787", 403, id="no address"),
        pytest.param("[::1", 403, id="broken"),
        pytest.param("", 403, id="empty"),
    ],
)
def test_hosts_without_a_token(host: str, status: int | None) -> None:
    assert refused(access_of((), "garden"), host=host) == status


def test_hosts_with_a_token() -> None:
    """On loopback the name is still checked; elsewhere the token protects."""
    token = {"authorization": "Bearer t"}
    assert refused(access_of(("t",), "127.0.0.1"), host="evil.example", **token) == 403
    assert refused(access_of(("t",), "0.0.0.0"), host="memory.example", **token) is None
    assert refused(access_of(("t",), "0.0.0.0"), host="memory.example") == 401


@pytest.mark.parametrize(
    "origin, status",
    [
        pytest.param("http://127.0.0.1:8787", None, id="its own"),
        pytest.param("http://localhost:8787", None, id="another name of its own"),
        pytest.param("http://[::1]:8787", None, id="IPv6 name of its own"),
        pytest.param("HTTP://LocalHost:8787", None, id="upper case"),
        pytest.param("http://localhost:3000", 403, id="another server on this machine"),
        pytest.param("http://evil.example", 403, id="foreign"),
        pytest.param("https://evil.example:8787", 403, id="foreign, same port"),
        pytest.param("null", 403, id="sandboxed page"),
        pytest.param("file://", 403, id="page on the disk"),
        pytest.param("", 403, id="empty"),
        pytest.param("http://127.0.0.1:8787/path", 403, id="no origin"),
    ],
)
def test_origins(origin: str, status: int | None) -> None:
    assert refused(access_of((), "127.0.0.1"), host=HERE, origin=origin) == status


def test_origins_off_loopback_must_be_the_host_itself() -> None:
    access = access_of(("t",), "0.0.0.0")
    sent = {"host": "memory.example", "authorization": "Bearer t"}
    assert refused(access, origin="https://memory.example", **sent) is None
    assert refused(access, origin="http://localhost", **sent) == 403


@pytest.mark.parametrize(
    "authorization, known",
    [
        pytest.param("Bearer first-token", True, id="first"),
        pytest.param("bearer  first-token ", True, id="case and spaces"),
        pytest.param("Bearer zweites-Törchen".encode().decode("latin-1"), True, id="UTF-8"),
        pytest.param("Bearer first-tokens", False, id="longer"),
        pytest.param("Bearer first-toke", False, id="shorter"),
        pytest.param("Bearer FIRST-TOKEN", False, id="case of the token counts"),
        pytest.param("Bearer", False, id="none"),
        pytest.param("Basic first-token", False, id="another scheme"),
        pytest.param("first-token", False, id="no scheme"),
        pytest.param(None, False, id="no header"),
    ],
)
def test_tokens(authorization: str | None, known: bool) -> None:
    access = access_of(("first-token", "zweites-Törchen"), "127.0.0.1")
    given = {} if authorization is None else {"authorization": authorization}
    headers = Headers({"host": HERE, **given})
    for path in ("/memory/status", "/memory/health"):
        admission = asyncio.run(access.admit(path, headers, "192.0.2.1"))
        owner = Principal("memory.server.tokens", "admin", is_owner=True)
        assert admission.principal == (owner if known else None)
    assert refused(access_of((), "127.0.0.1"), host=HERE, **given) is None


EVERY_ROUTE = [
    ("POST", "/memory/search"),
    ("POST", "/memory/ingest"),
    ("POST", "/memory/ingest/file"),
    ("POST", "/memory/ingest/text"),
    ("POST", "/ingest_text"),
    ("POST", "/memory/sync"),
    ("GET", "/memory/files/x"),
    ("GET", "/memory/status"),
    ("GET", "/memory/manage"),
    ("GET", "/memory/manage/x"),
    ("PATCH", "/memory/manage/x"),
    ("DELETE", "/memory/manage/x"),
    ("GET", "/docs"),
    ("GET", "/openapi.json"),
    ("GET", "/nowhere"),
    ("GET", "/memory/health/"),
    ("GET", "//memory/health"),
]


@pytest.mark.parametrize("method, url", EVERY_ROUTE)
def test_every_route_needs_the_token(guarded: TestClient, method: str, url: str) -> None:
    for headers in ({}, {"Authorization": "Bearer wrong"}):
        answer = guarded.request(method, url, headers=headers)
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"].startswith("Bearer")
        assert answer.headers["content-type"] == "application/problem+json"
        assert "wrong" not in answer.text
    known = guarded.request(method, url, headers={"Authorization": "Bearer first-token"})
    assert known.status_code in (200, 404, 422)


def test_health_says_its_status_only_without_the_token(guarded: TestClient) -> None:
    for headers in ({}, {"Authorization": "Bearer wrong"}):
        assert guarded.get("/memory/health", headers=headers).json() == {"status": "ok"}
    known = guarded.get("/memory/health", headers={"Authorization": "Bearer first-token"})
    assert known.json().items() >= {"status": "ok", "files": {}, "chunks": 0}.items()


def test_the_whole_application_refuses_foreign_names(client: TestClient) -> None:
    assert client.get("/memory/health", headers={"Host": "evil.example"}).status_code == 403
    answer = client.post(
        "/memory/search", json={"query": "x"}, headers={"Origin": "http://evil.example"}
    )
    assert answer.status_code == 403
    assert answer.json()["type"].endswith(":forbidden")
    assert answer.headers.get("access-control-allow-origin") is None
    preflight = client.options("/memory/search", headers={"Origin": "http://127.0.0.1:8787"})
    assert preflight.status_code == 405
    assert not [name for name in preflight.headers if name.startswith("access-control")]


@pytest.fixture
def outside(home: Path) -> dict[str, str]:
    """Paths that lead out of the known folder, by name."""
    docs = home / "docs"
    (docs / "link.md").symlink_to(home / "secret/key.md")
    (docs / "linked").symlink_to(home / "secret")
    (home / "docs-too").mkdir()
    (home / "docs-too/x.md").write_text("xylophone", "utf-8")
    return {
        "beside": str(home / "secret/key.md"),
        "folder beside": str(home / "secret"),
        "the folder above": str(home),
        "dots": str(docs / "../secret/key.md"),
        "relative dots": "docs/../secret/key.md",
        "link to a file": str(docs / "link.md"),
        "link to a folder": str(docs / "linked"),
        "through a link": str(docs / "linked/key.md"),
        "dots after a link": str(docs / "linked/../secret/key.md"),
        "namesake": str(home / "docs-too/x.md"),
        "the root": "/",
        "system file": "/etc/passwd",
        "not there": str(home / "secret/nothing"),
        "home, not expanded": "~/.ssh/id_rsa",
    }


NAMES = [
    *("beside", "folder beside", "the folder above", "dots", "relative dots", "link to a file"),
    *("link to a folder", "through a link", "dots after a link", "namesake", "the root"),
    *("system file", "not there", "home, not expanded"),
]


@pytest.mark.parametrize("name", NAMES)
def test_nothing_outside_is_read(client: TestClient, outside: dict[str, str], name: str) -> None:
    assert sorted(outside) == sorted(NAMES)
    body: dict[str, Any]
    for url, body in (
        ("/memory/ingest/file", {"path": outside[name]}),
        ("/memory/sync", {"paths": ["docs", outside[name]]}),
    ):
        answer = client.post(url, json=body)
        assert answer.status_code == 403, answer.text
    assert client.post("/memory/sync").status_code == 200
    found = client.post("/memory/search", json={"query": "xylophone", "mode": "keyword"}).json()
    assert found["results"] == []


@pytest.mark.parametrize(
    "path, status",
    [
        pytest.param("docs/nothing.md", 404, id="not there"),
        pytest.param("docs/setup.md/x", 404, id="below a file"),
        pytest.param("docs/" + "x" * 300, 404, id="longer than any name"),
        pytest.param("docs/" + "x" * 5000, 422, id="longer than any path"),
        pytest.param("docs/a\0b", 422, id="NUL"),
        pytest.param("docs/\ud800", 422, id="half a surrogate pair"),
    ],
)
def test_paths_inside_that_cannot_be_read(client: TestClient, path: str, status: int) -> None:
    content = json.dumps({"path": path})
    answer = client.post(
        "/memory/ingest/file", content=content, headers={"Content-Type": "application/json"}
    )
    assert answer.status_code == status, answer.text


def test_links_inside_the_folder_are_followed(client: TestClient, home: Path) -> None:
    (home / "docs/again.md").symlink_to(home / "docs/setup.md")
    done = client.post("/memory/ingest/file", json={"path": "docs/again.md"}).json()
    assert len(done["file_ids"]) == 1
    assert done["added"] == 0
