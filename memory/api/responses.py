"""JSON responses, rendered once from the values of `memory.values.results`; what may be cached.

FastAPI would validate every hit again; these values are written as they are, and the response
models only document them.
"""

import json
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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


class NotStored:
    """Forbids a browser or a proxy to keep any answer that does not say itself how long it lasts.

    The answers are a person's own; the files of the pages and drawn pages of documents may be kept.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(raw=message["headers"]).setdefault("Cache-Control", "no-store")
            await send(message)

        await self._app(scope, receive, send_marked if scope["type"] == "http" else send)


class HeadAsGet:
    """Answers HEAD as GET without the body: no route has to know of it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return

        async def send_head(message: Message) -> None:
            if message["type"] == "http.response.start":
                await send(message)
                await send({"type": "http.response.body"})  # a stream takes it for its client's end

        await self._app({**scope, "method": "GET"}, receive, send_head)
