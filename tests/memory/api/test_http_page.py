"""docs/http.md names every route, field and error, and its examples run as printed."""

import json
import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

import contracts.errors
from contracts import MemError
from memory.api import problems
from memory.api.limits import MAX_BODY_BYTES, THREADS
from memory.api.problems import STATUS_OF
from tests.repository import ROOT
from tests.waiting import wait_until

PAGE = (ROOT / "docs/http.md").read_text("utf-8")
PREFIX = "http://127.0.0.1:8787"


@dataclass(frozen=True)
class Example:
    """A curl line of the page, and the JSON that the page shows as its answer, if any."""

    method: str
    url: str
    headers: dict[str, str]
    body: str | None
    answer: Any


def examples() -> list[Example]:
    pairs = re.findall(r"```sh\n(curl.*?)```\n\n(?:```json\n(.*?)```)?", PAGE, re.DOTALL)
    return [_parsed(line, json.loads(answer) if answer else None) for line, answer in pairs]


def _parsed(line: str, answer: Any) -> Example:
    _, *words = shlex.split(line.replace("\\\n", " "))
    options: dict[str, list[str]] = {"-H": [], "-d": [], "-X": []}
    urls = []
    while words:
        word = words.pop(0)
        if word in options:
            options[word].append(words.pop(0))
        else:
            urls.append(word)
    (url,) = urls
    assert url.startswith(PREFIX)
    body = options["-d"][0] if options["-d"] else None
    method = (options["-X"] or ["GET" if body is None else "POST"])[0]
    headers = dict(header.split(": ", 1) for header in options["-H"])
    return Example(method, url.removeprefix(PREFIX), headers, body, answer)


def section(heading: str) -> str:
    """The text below a heading, up to the next of its level."""
    marker = f"## {heading}\n"
    assert marker in PAGE, f"docs/http.md has no section {heading!r}"
    return PAGE.split(marker, 1)[1].split("\n## ", 1)[0]


def fields_of_schema(document: dict[str, Any], schema: dict[str, Any]) -> set[str]:
    variants = (schema, *schema.get("anyOf", ()), *schema.get("oneOf", ()))
    names = [item["$ref"].rpartition("/")[2] for item in variants if "$ref" in item]
    assert names, f"no fields in {schema}"
    schemas = document["components"]["schemas"]
    return {field for name in names for field in schemas[name]["properties"]}


def test_every_route_and_field_is_documented(client: TestClient) -> None:
    document = client.get("/openapi.json").json()
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            text = section(f"`{method.upper()} {path}`")
            named = set(re.findall(r"`([\w-]+)`", text))
            asked = {item["name"] for item in operation.get("parameters", ())}
            done = "202" if "202" in operation["responses"] else "200"
            bodies = [operation["responses"][done]]
            if "requestBody" in operation:
                bodies.append(operation["requestBody"])
            for body in bodies:
                if json_body := body["content"].get("application/json"):  # metrics are text
                    asked |= fields_of_schema(document, json_body["schema"])
            in_path = set(re.findall(r"{(\w+)}", path))
            assert asked - in_path <= named, (path, asked - in_path - named)
            assert "```sh\ncurl" in text, path


def test_every_hit_field_is_documented(client: TestClient) -> None:
    schemas = client.get("/openapi.json").json()["components"]["schemas"]
    named = set(re.findall(r"`(\w+)`", section("`POST /memory/search`")))
    assert schemas["SearchResult"]["properties"].keys() <= named
    assert schemas["Freshness"]["properties"].keys() <= named


def test_every_error_is_documented() -> None:
    for kind in vars(contracts.errors).values():
        if isinstance(kind, type) and issubclass(kind, MemError) and kind is not MemError:
            row = f"| {STATUS_OF[kind][0]} | `{kind.code}` | `{kind.__name__}` |"
            assert row in PAGE
    source = (Path(problems.__file__)).read_text("utf-8")
    for code in ("no-route", "method", "too-large", "malformed", "unauthorized", "media-type"):
        assert f'"{code}"' in source
        assert f"| `{code}` | - |" in PAGE
    assert problems.TYPE_PREFIX in PAGE


def test_the_limits_are_those_of_the_program() -> None:
    assert f"{MAX_BODY_BYTES // 10**6} MB" in PAGE
    assert THREADS == 8
    assert "Eight requests" in PAGE


def test_the_examples_run_as_they_stand(serve_live: Any) -> None:
    server = serve_live()
    with server.client() as client:
        client.post("/memory/sync").raise_for_status()
        for example in examples():
            if example.url == "/episodes/1":  # a server forms it in the background
                wait_until(lambda: client.get("/episodes").json()["episodes"])
            answer = client.request(
                example.method, example.url, headers=example.headers, content=example.body
            )
            assert answer.is_success, (example, answer.text)
            if example.answer is not None:
                assert shape(answer.json()) == shape(example.answer), example
            if isinstance(example.answer, dict) and example.answer.get("path") is None:
                assert answer.json().get("id") == example.answer.get("id")
    assert len(examples()) >= 17


def test_the_example_of_an_error_is_a_real_one(client: TestClient) -> None:
    shown = json.loads(re.findall(r"```json\n(.*?)```", section("Errors"), re.DOTALL)[0])
    answer = client.post("/memory/search", json={"query": "x", "max_results": 1001})
    assert answer.json() == shown


def shape(value: Any) -> Any:
    """The names in a JSON value, and the kinds of what they stand for."""
    if isinstance(value, dict):
        return {name: shape(item) for name, item in value.items()}
    if isinstance(value, list):
        return [shape(item) for item in value[:1]]
    return "number" if isinstance(value, int | float) else type(value).__name__
