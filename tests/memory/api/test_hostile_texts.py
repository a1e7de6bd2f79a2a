"""Texts that no database can hold, at every door of the server."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from memory.values.text_checks import NAME_LIMIT
from tests.memory.api.conftest import opened_client

BAD = {
    "surrogate": "a/\ud800",
    "low": "\udcff.md",
    "nul": "a\0b",
}
LONG = {"long": "x" * 90_000, "pattern": "*" * 90_000, "deep": "a/" * 45_000}


@pytest.fixture
def client(home: Path) -> Iterator[TestClient]:
    """Of one backend: a text is checked before any database sees it."""
    with opened_client(home) as opened:
        yield opened


def strings(schema: dict[str, Any], document: dict[str, Any]) -> bool:
    """Return whether a schema admits a text."""
    if "$ref" in schema:
        return False
    kinds = [schema, *schema.get("anyOf", ())]
    return any(kind.get("type") == "string" and "enum" not in kind for kind in kinds)


def lists(schema: dict[str, Any]) -> bool:
    return any(
        kind.get("type") == "array" and kind.get("items", {}).get("type") == "string"
        for kind in (schema, *schema.get("anyOf", ()))
    )


def objects(schema: dict[str, Any]) -> bool:
    return any(kind.get("type") == "object" for kind in (schema, *schema.get("anyOf", ())))


REQUIRED = {
    "query": "pump",
    "text": "a text",
    "content": "a text",
    "session_id": "s",
    "path": "docs",
    "turns": [],
    "used": [],
    **dict.fromkeys(("category", "key", "value", "name", "topic", "description"), "a text"),
    **{"signal_type": "mood", "pattern_type": "habit"},
}


def bodies(client: TestClient) -> Iterator[tuple[str, str, dict[str, Any], str]]:
    """Every field of every body that takes a text: method, path, the other fields, and its name."""
    document = client.get("/openapi.json").json()
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            content = operation.get("requestBody", {}).get("content", {})
            schema = content.get("application/json", {}).get("schema", {})
            refs = [schema, *schema.get("anyOf", ())]
            names = [ref["$ref"].rpartition("/")[2] for ref in refs if "$ref" in ref]
            for name in names:
                model = document["components"]["schemas"][name]
                needed = {key: REQUIRED[key] for key in model.get("required", ())}
                for key, value in model["properties"].items():
                    if strings(value, document):
                        yield method, path, needed, key
                    if lists(value):
                        yield method, path, needed, f"{key}[]"
                    if objects(value):
                        yield method, path, needed, f"{key}{{}}"


def sent(client: TestClient, method: str, path: str, body: object) -> Any:
    url = path.replace("{record_id}", "nothing").replace("{memory_id}", "1")
    content = json.dumps(body)
    return client.request(
        method, url, content=content, headers={"Content-Type": "application/json"}
    )


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in BAD.items()])
def test_a_body_holds_unicode_alone(client: TestClient, text: str) -> None:
    seen = 0
    for method, path, needed, field in bodies(client):
        name = field.rstrip("[]{}")
        if name == "query" and "\0" in text:
            continue
        values = {"[]": [text], "{}": {"k": [{"deep": text}]}}
        value = values.get(field[len(name) :], text)
        answer = sent(client, method, path, {**needed, name: value})
        told = answer.json()
        assert answer.status_code == 422, (path, field, told)
        assert name in told["detail"], told
        assert "Unicode" in told["hint"], told
        unknown = sent(client, method, path, {**needed, text: 1})
        assert unknown.status_code == 422, (path, unknown.text)
        assert "Unicode" in unknown.json()["hint"], unknown.text
        seen += 1
    assert seen > 40


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in LONG.items()])
def test_a_name_has_a_length(client: TestClient, text: str) -> None:
    for method, path, needed, field in bodies(client):
        name = field.rstrip("[]{}")
        values = {"[]": [text], "{}": {text: 1}}
        answer = sent(client, method, path, {**needed, name: values.get(field[len(name) :], text)})
        is_text = name in ("text", "content", "query")
        assert answer.status_code in ((200, 422) if is_text else (403, 404, 422)), (path, field)
        assert len(answer.content) < 300_000


@pytest.mark.parametrize(
    "text", [pytest.param(text, id=name) for name, text in {**BAD, "long": "x" * 9000}.items()]
)
def test_a_parameter_is_checked_like_a_body(client: TestClient, text: str) -> None:
    document = client.get("/openapi.json").json()
    seen = 0
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            for parameter in operation.get("parameters", ()):
                url = path.replace("{record_id}", "x").replace("{file_id}", "x")
                url = url.replace("{memory_id}", "1").replace("{turn_id}", "1")
                where, name = parameter["in"], parameter["name"]
                raw = text.encode("utf-8", "surrogatepass").decode("latin-1")
                options: dict[str, Any] = {}
                if where == "query":
                    needed = {"session_id": "s"} if path == "/context" else {}
                    options["params"] = {**needed, name: text.encode("utf-8", "surrogatepass")}
                elif where == "path":
                    sign = quote(text.encode("utf-8", "surrogatepass"), safe="")
                    url = path.replace(f"{{{name}}}", sign)
                else:
                    if "\0" in text:
                        continue  # no server receives such a header
                    options["headers"] = {name: raw.encode("latin-1")}
                if method in ("post", "patch"):
                    options["json"] = {"session_id": "s", "text": "a", "turns": []}
                answer = client.request(method, url, **options)
                assert answer.status_code < 500, (path, name, answer.text[:300])
                if len(text) > NAME_LIMIT and name not in ("query", "q"):
                    assert answer.status_code in (404, 422), (path, name)
                seen += 1
    assert seen > 15


def test_a_nul_in_a_query_is_a_blank(client: TestClient) -> None:
    client.post("/turns", json={"session_id": "s", "text": "The pump is blue"})
    for path in ("/memory/search", "/memory/recall"):
        answer = client.post(path, json={"query": "blue\0pump"}).json()
        assert answer["results"][0]["text"] == "The pump is blue", path
    answer = client.get("/context", params={"session_id": "t", "query": "blue\0pump"})
    assert "The pump is blue" in answer.json()["markdown"]
    client.post("/memory/fact", json={"category": "a", "key": "b", "value": "The sea is green"})
    answer = client.get("/memory/context", params={"topic": "green\0sea"})
    assert [one["text"] for one in answer.json()["results"]] == ["b: The sea is green"]
    assert client.get("/memory/context", params={"topic": "\0 \0"}).status_code == 422
    client.post("/memories", json={"content": "The gate is red"})
    for status in ("active", "all"):
        for words, known in (("gate\0red", 1), ("\0", 1), ("fence\0green", 0)):
            asked = {"q": words, "status": status}
            found = client.get("/memories", params=asked).json()["memories"]
            assert len(found) == known, (status, words)
    assert client.get("/memory/manage", params={"path": "a\0b"}).status_code == 422


def test_a_nested_text_is_named(client: TestClient) -> None:
    turns = [{"session_id": "s", "text": "fine"}, {"session_id": "s", "text": "half \ud83d pair"}]
    told = sent(client, "post", "/turns/batch", {"turns": turns}).json()
    assert told["detail"].startswith("the body.turns.1.text has half of a surrogate pair at")
    assert client.get("/memory/manage", params={"source": "turn"}).json()["records"] == []
