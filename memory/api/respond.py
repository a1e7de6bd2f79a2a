"""JSON responses, rendered once from the values of `memory.values.results`.

FastAPI would validate every hit again; these values are written as they are, and the response
models only document them.
"""

import json
from typing import Any

from starlette.responses import Response

from memory.values.citations import shown_session


class Json(Response):
    """A JSON body from dictionaries, lists and dataclasses."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return dumps(content)


def dumps(content: Any) -> bytes:
    """Return UTF-8 JSON; half of a surrogate pair, which UTF-8 cannot hold, is escaped."""
    text = json.dumps(
        content,
        ensure_ascii=False,
        allow_nan=False,
        check_circular=False,
        separators=(",", ":"),
        default=fields_of,
    )
    return text.encode("utf-8", "backslashreplace")


def fields_of(value: Any) -> dict[str, Any]:
    """Return the fields of a dataclass by name, one level deep; any other object is a TypeError.

    Ids of sessions that are whole numbers are numbers.
    """
    names = getattr(value, "__dataclass_fields__", None)
    if names is None:
        raise TypeError(f"{type(value).__name__} has no form in JSON")
    found = {name: getattr(value, name) for name in names}
    if isinstance(session_id := found.get("session_id"), str):
        found["session_id"] = shown_session(session_id)
    return found
