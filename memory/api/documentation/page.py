"""GET /docs: the routes on one page of plain HTML.

Swagger's page would load its script from another server, into the one origin that may read this
memory. This page loads nothing.
"""

from collections.abc import Iterator
from html import escape
from typing import Any

SECURITY_POLICY = "default-src 'none'; style-src 'unsafe-inline'"

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
code { font-family: ui-monospace, monospace } h2 { margin-top: 2.5rem; font-size: 1.15rem }
table { border-collapse: collapse; width: 100% }
td, th { text-align: left; padding: .25rem .75rem .25rem 0; vertical-align: top }
tr { border-top: 1px solid #8884 } caption { text-align: left; font-weight: 600; padding: .5rem 0 }
:root { color-scheme: light dark }
"""


def page_of(document: dict[str, Any]) -> str:
    """Return the page for an OpenAPI document: each route with its parameters, body and answer."""
    title = escape(document["info"]["title"])
    parts = [
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{title}</title>",
        f"<style>{_STYLE}</style><h1>{title}</h1>",
        "<p>Errors are <code>application/problem+json</code> with a <code>hint</code>. "
        "The same for programs: <a href=/openapi.json>/openapi.json</a></p>",
    ]
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            parts += _operation(f"{method.upper()} {path}", operation, document)
    return "".join(parts)


def _operation(name: str, operation: dict[str, Any], document: dict[str, Any]) -> Iterator[str]:
    yield f"<h2><code>{escape(name)}</code></h2>"
    yield f"<p>{_prose(operation.get('description', ''))}</p>"
    parameters = {
        item["name"]: {**item["schema"], "description": item.get("description", "")}
        for item in operation.get("parameters", ())
    }
    required = [item["name"] for item in operation.get("parameters", ()) if item["required"]]
    yield _table("Parameters", parameters, required)
    yield _model("Body", operation.get("requestBody"), document)
    answers = operation["responses"]
    yield _model("Answer", answers.get("200") or answers["202"], document)


def _model(caption: str, part: dict[str, Any] | None, document: dict[str, Any]) -> str:
    content = part["content"] if part else {}
    schema = content.get("application/json", {}).get("schema", {})  # metrics are text
    for candidate in (schema, *schema.get("anyOf", ())):
        if reference := candidate.get("$ref"):
            model = document["components"]["schemas"][reference.rpartition("/")[2]]
            return _table(caption, model["properties"], model.get("required", []))
    return ""


def _table(caption: str, fields: dict[str, Any], required: list[str]) -> str:
    if not fields:
        return ""
    rows = "".join(
        f"<tr><td><code>{escape(name)}</code>{'' if name in required else '?'}"
        f"<td><code>{escape(_kind(field))}</code><td>{_prose(field.get('description', ''))}"
        for name, field in fields.items()
    )
    return f"<table><caption>{caption}</caption>{rows}</table>"


def _kind(field: dict[str, Any]) -> str:
    """Return a field's type in words: `string`, `array of SearchResult`, `integer or null`."""
    if options := field.get("anyOf"):
        return " or ".join(map(_kind, options))
    if reference := field.get("$ref"):
        return str(reference.rpartition("/")[2])
    if values := field.get("enum"):
        return " | ".join(map(str, values))
    if field.get("type") == "array":
        return f"array of {_kind(field['items'])}"
    return str(field.get("type", "any"))


def _prose(text: str) -> str:
    """Convert text with `code` in backquotes to HTML."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if n % 2 else part for n, part in enumerate(parts))
