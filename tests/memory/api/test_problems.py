"""Every error is a problem with a hint, and none shows the inside of the program."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

import contracts.errors
from contracts import MemError
from memory.api import create_app
from memory.api.limits import MAX_BODY_BYTES
from memory.api.problems import STATUS_OF, add_handlers
from memory.api.responses import dumps
from memory.config.loading import LoadedConfig
from memory.config.settings import Config, MemoryConfig
from memory.files.ingestion import MAX_TEXT_BYTES
from memory.files.roots import remember_roots
from memory.storage.process_locks import sync_lock
from memory.workspace import Workspace
from tests.examples import examples
from tests.memory.api.conftest import opened_client

JSON = {"Content-Type": "application/json"}
EVERY_CLASS = [
    kind
    for kind in vars(contracts.errors).values()
    if isinstance(kind, type) and issubclass(kind, MemError) and kind is not MemError
]


@pytest.fixture
def client(home: Path) -> Iterator[TestClient]:
    """Of one backend: an error becomes an answer in the same way."""
    with opened_client(home) as opened:
        yield opened


def raising(error: Exception) -> TestClient:
    app = FastAPI()
    add_handlers(app)

    @app.get("/")
    def route() -> None:
        raise error

    return TestClient(app, raise_server_exceptions=False)


@pytest.mark.parametrize("kind", EVERY_CLASS, ids=lambda kind: kind.__name__)
def test_every_class_has_its_status(kind: type[MemError]) -> None:
    answer = raising(kind("the fact", hint="the hint")).get("/")
    status, title = STATUS_OF[kind]
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert ("retry-after" in answer.headers) == (kind.code == "busy")
    assert answer.json() == {
        "type": f"urn:problem-type:symbiosis-memory:{kind.code}",
        "title": title,
        "status": status,
        "detail": "the fact",
        "hint": "the hint",
    }


def test_a_surprise_shows_nothing_of_the_inside() -> None:
    answer = raising(KeyError("password=swordfish")).get("/")
    assert answer.status_code == 500
    assert answer.json()["type"].endswith(":internal")
    assert "swordfish" not in answer.text
    assert "KeyError" not in answer.text


@pytest.mark.parametrize(
    "content, headers, status, detail",
    [
        pytest.param(b'{"query": "x', JSON, 400, "not JSON: Unterminated", id="cut off"),
        pytest.param(b"", JSON, 422, "body: Field required", id="empty"),
        pytest.param(b'{"query": "\xff"}', JSON, 400, "parsing", id="not UTF-8"),
        pytest.param(b"[" * 100_000, JSON, 400, "", id="deeply nested"),
        pytest.param(b"9" * 100_000, JSON, 400, "", id="a number of 100,000 digits"),
        pytest.param(b"[]", JSON, 422, "body: ", id="a list"),
        pytest.param(b"null", JSON, 422, "body: ", id="null"),
        pytest.param(b'{"query": "x"}', {}, 415, "none", id="no type"),
        pytest.param(
            b'{"query": "x"}',
            {"Content-Type": "text/plain"},
            415,
            "text/plain",
            id="what a page may",
        ),
        *(
            pytest.param(b'{"query": "x"}', {"Content-Type": kind}, 415, kind, id=kind)
            for kind in ("text/json", "application/json-seq", "application/x-json")
        ),
        pytest.param(b'{"query": 1}', JSON, 422, "query: ", id="query is a number"),
        *(
            pytest.param(
                f'{{"query": "x", "{name}": {value}}}'.encode(),
                JSON,
                422,
                f"{name}: Input should be a valid",
                id=f"{name} {value}",
            )
            for name, value in (
                *(("max_results", '"2"'), ("max_results", "true"), ("max_results", "2.5")),
                *(("neighbours", '"1"'), ("min_score", '"0.5"'), ("min_score", "false")),
                *(("explain", "1"), ("rerank", '"yes"'), ("path", "1"), ("since", "2026")),
            )
        ),
        *(
            pytest.param(
                f'{{"query": "x", {given}}}'.encode(), JSON, 422, "is empty", id=f"empty {given}"
            )
            for given in ('"path": ""', '"path": " "')
        ),
        pytest.param(
            b'{"query": "x", "sources": [""]}', JSON, 422, "a source is ''", id="no source"
        ),
        pytest.param(b'{"query": "x", "mode": "all"}', JSON, 422, "mode: ", id="no such mode"),
        pytest.param(b'{"query": "x", "k": 3}', JSON, 422, "k: there is no", id="unknown field"),
        pytest.param(
            b'{"query": "x", "max_result": 3}', JSON, 422, "did you mean 'max_results'", id="near"
        ),
        pytest.param(b'{"query": "x", "max_results": 0}', JSON, 422, "max_results: ", id="0 hits"),
        pytest.param(b'{"query": "x", "max_results": 1001}', JSON, 422, "max_results", id="1001"),
        pytest.param(b'{"query": "x", "min_score": NaN}', JSON, 422, "min_score: ", id="NaN"),
        pytest.param(
            b'{"query": "x", "sources": ["memories"]}', JSON, 422, "memories", id="plural"
        ),
        pytest.param(b'{"query": "x", "since": "soon"}', JSON, 422, "'soon'", id="no time"),
        pytest.param(b'{"query": "x", "tags": "a"}', JSON, 422, "tags: ", id="tags is no list"),
        pytest.param(
            b'{"query": "x", "session_id": 1.5}', JSON, 422, "session_id: Input", id="session 1.5"
        ),
        pytest.param(
            b'{"query": "x", "since": "2026-03", "until": "2026-02"}',
            JSON,
            422,
            "since 2026-03 is after until 2026-02",
            id="ends before it begins",
        ),
        pytest.param(b'{"mode": 1, "tags": 2}', JSON, 422, ", and 2 more", id="several"),
    ],
)
def test_searches_that_cannot_be_read(
    client: TestClient, content: bytes, headers: dict[str, str], status: int, detail: str
) -> None:
    answer = client.post("/memory/search", content=content, headers=headers)
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert detail in problem["detail"]
    assert problem["hint"]
    assert problem["title"]
    assert problem["status"] == status


@pytest.mark.parametrize(
    "method, url, status, allowed",
    [
        ("GET", "/memory/search", 405, {"POST"}),
        ("TRACE", "/memory/search", 405, {"POST"}),
        ("PUT", "/memory/manage/x", 405, {"GET", "HEAD", "PATCH", "DELETE"}),
        ("HEAD", "/memory/search", 405, {"POST"}),
        ("GET", "/memory", 404, None),
        ("GET", "/memory/status/", 404, None),
    ],
)
def test_routes_and_methods_that_are_none(
    client: TestClient, method: str, url: str, status: int, allowed: set[str] | None
) -> None:
    answer = client.request(method, url)
    assert answer.status_code == status
    if allowed is not None:
        assert set(answer.headers["allow"].split(", ")) == allowed
    if method != "HEAD":
        assert answer.json()["type"].endswith(":method" if status == 405 else ":no-route")


@pytest.mark.parametrize(
    "method, path, said",
    [
        ("POST", "/gc?dry_run=true", "/gc has no parameter 'dry_run'; send the fields in the body"),
        ("POST", "/memory/sync?dry_run=1", "send the fields in the body"),
        ("GET", "/memory/files/x?line=1-2", "no parameter 'line'; did you mean 'lines'?"),
        ("GET", "/context?session_id=s&q=x", "/context has no parameter 'q'"),
        ("GET", "/memory/patterns?limits=1", "did you mean 'limit'? there are: limit"),
        ("DELETE", "/memories/1?dry_run=true", "/memories/1 has no parameter 'dry_run'"),
        ("DELETE", "/memory/manage/x?verify=1", "has no parameter 'verify'; there are none"),
    ],
)
def test_an_unknown_parameter_is_not_ignored(
    client: TestClient, method: str, path: str, said: str
) -> None:
    answer = client.request(method, path)
    assert answer.status_code == 422
    assert said in f"{answer.json()['detail']}; {answer.json()['hint']}"


def test_a_route_without_parameters_may_be_asked_with_some(client: TestClient) -> None:
    for path in ("/memory/health", "/metrics", "/openapi.json"):
        assert client.get(path, params={"_": "1"}).status_code == 200


def test_busy_says_when_to_try_again(home: Path) -> None:
    config = Config(memory=MemoryConfig(storage_path=str(home / "m.db")))
    workspace = Workspace(LoadedConfig(config, config, None, home, "argument"))
    remember_roots(workspace, [home / "docs"])
    app = create_app(workspace)
    workspace.wait_s = 0.0
    with (
        TestClient(app, base_url="http://localhost") as client,
        sync_lock(workspace.storage.database, workspace.path),
    ):
        for url, body in (
            ("/memory/sync", {}),
            ("/memory/ingest/file", {"path": "docs/setup.md"}),
        ):
            answer = client.post(url, json=body)
            assert answer.status_code == 409
            assert int(answer.headers["retry-after"]) > 0
        assert "process" in client.get("/memory/status").json()["sync"]
        assert client.post("/memory/search", json={"query": "pump"}).status_code == 200


def test_there_is_nothing_to_sync(home: Path) -> None:
    config = Config(memory=MemoryConfig(storage_path=str(home / "m.db")))
    workspace = Workspace(LoadedConfig(config, config, None, home, "argument"))
    with TestClient(create_app(workspace), base_url="http://localhost") as client:
        answer = client.post("/memory/sync")
    assert answer.status_code == 404
    assert "mem sync" in answer.json()["hint"]


@pytest.fixture
def narrow(home: Path) -> Iterator[TestClient]:
    """A server that takes bodies of 1,000 bytes."""
    config = Config(memory=MemoryConfig(backend="memory"))
    workspace = Workspace(LoadedConfig(config, config, None, home, "argument"))
    app = create_app(workspace, max_body_bytes=1000)
    with TestClient(app, base_url="http://localhost") as client:
        yield client


def body_of(size: int) -> bytes:
    return b'{"query": "%s"}' % (b"x" * (size - 13))


def test_a_body_may_be_as_large_as_the_limit(narrow: TestClient) -> None:
    assert len(body_of(1000)) == 1000
    assert narrow.post("/memory/search", content=body_of(1000), headers=JSON).status_code == 200
    answer = narrow.post("/memory/search", content=body_of(1001), headers=JSON)
    assert answer.status_code == 413
    assert answer.json()["type"].endswith(":too-large")


def test_a_body_that_does_not_say_its_size_is_measured(narrow: TestClient) -> None:
    def in_pieces(size: int) -> Iterator[bytes]:
        yield from (body_of(size)[at : at + 100] for at in range(0, size, 100))

    for size, status in ((1000, 200), (1001, 413)):
        answer = narrow.post("/memory/search", content=in_pieces(size), headers=JSON)
        assert answer.status_code == status


def test_the_limit_holds_the_largest_text() -> None:
    assert MAX_BODY_BYTES > MAX_TEXT_BYTES


def test_half_a_surrogate_pair_is_written_as_its_escape() -> None:
    assert json.loads(dumps({"path": "name\udce9 ☕"})) == {"path": "name\udce9 ☕"}
    with pytest.raises(TypeError, match="set has no form in JSON"):
        dumps({1, 2})


@pytest.fixture(scope="module")
def searched() -> Iterator[TestClient]:
    config = Config(memory=MemoryConfig(backend="memory"))
    workspace = Workspace(LoadedConfig(config, config, None, Path.cwd(), "argument"))
    with TestClient(create_app(workspace), base_url="http://localhost") as client:
        for text in ("The pump in Zürich.", "def pump_rate(x): ...", "田中さん 🔑"):
            client.post("/memory/ingest/text", json={"text": text}).raise_for_status()
        yield client


HOSTILE = [
    "",
    " ",
    '"',
    '"" AND ""',
    "NEAR(a b, 3)",
    "a* -b col:c ^d (e",
    "' OR 1=1 --",
    "🔑" * 1000,
    "\u202e\ufeff\uffff",
    "a" * 1_000_000,
    "x " * 500_000,
    "../../etc/passwd",
    "{}[]%_?&#",
]


@pytest.mark.parametrize("query", HOSTILE, ids=lambda query: ascii(query[:20]))
def test_no_query_is_an_error(searched: TestClient, query: str) -> None:
    answer = searched.post("/memory/search", content=dumps({"query": query}), headers=JSON)
    assert answer.status_code == 200
    assert answer.json()["query"] == query


ANY_TEXT = st.text(st.characters(), max_size=60)
UNICODE = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=60)
MAYBE_TEXT = st.none() | ANY_TEXT


@settings(max_examples=examples(150))
@given(
    query=UNICODE | st.text('"*-:()^ANDORNEAR ', max_size=30),
    mode=st.sampled_from(["hybrid", "keyword", "vector"]),
    explain=st.booleans(),
)
def test_any_query_is_answered(searched: TestClient, query: str, mode: str, explain: bool) -> None:
    body = {"query": query, "mode": mode, "explain": explain, "min_score": 0}
    answer = searched.post("/memory/search", content=dumps(body), headers=JSON)
    assert answer.status_code == 200, answer.text


@settings(max_examples=examples(150))
@given(
    body=st.fixed_dictionaries(
        {"query": ANY_TEXT},
        optional={
            "sources": st.lists(ANY_TEXT, max_size=3),
            "path": MAYBE_TEXT,
            "session_id": MAYBE_TEXT | st.integers(),
            "since": MAYBE_TEXT,
            "until": MAYBE_TEXT,
            "tags": st.lists(ANY_TEXT, max_size=3),
            "max_results": st.integers(),
            "min_score": st.floats(),
        },
    )
)
def test_no_request_meets_a_surprise(searched: TestClient, body: dict[str, object]) -> None:
    content = json.dumps(body).encode()
    answer = searched.post("/memory/search", content=content, headers=JSON)
    assert answer.status_code in (200, 422), answer.text


@settings(max_examples=examples(100))
@given(text=ANY_TEXT, tags=st.lists(ANY_TEXT, max_size=2), key=ANY_TEXT, value=MAYBE_TEXT)
def test_any_text_is_stored_or_refused(
    searched: TestClient, text: str, tags: list[str], key: str, value: str | None
) -> None:
    content = json.dumps({"text": text, "tags": tags, "metadata": {key: value}}).encode()
    answer = searched.post("/memory/ingest/text", content=content, headers=JSON)
    assert answer.status_code in (200, 422), answer.text
    if answer.status_code == 200:
        url = f"/memory/files/{answer.json()['id']}"
        stored = searched.get(url).json()
        assert stored["text"] == text
        assert stored["metadata"] == {key: value}
        searched.delete(f"/memory/manage/{answer.json()['id']}").raise_for_status()
