"""Errors of the server as problem+json (RFC 9457), each with its hint.

The class of a MemError selects the status; messages are never parsed. Any other exception is a bug:
the log has it, and the client learns nothing internal.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Match

from contracts import (
    BusyError,
    ConfigError,
    ForbiddenError,
    IncompatibleError,
    InputError,
    MemError,
    NotFoundError,
    StorageError,
    UnavailableError,
)
from memory.api.responses import Json
from memory.api.schemas.indexing import UNION_TAGS
from memory.api.schemas.request import UNKNOWN_FIELD
from memory.storage.database import DatabaseUnavailableError
from memory.values.text_checks import shortened

MEDIA_TYPE = "application/problem+json"
TYPE_PREFIX = "urn:problem-type:symbiosis-memory:"
RETRY_AFTER_S = 2

STATUS_OF: Mapping[type[MemError], tuple[int, str]] = {
    ConfigError: (500, "The server's configuration cannot be used"),
    InputError: (422, "The request cannot be used as it is"),
    NotFoundError: (404, "Not found"),
    ForbiddenError: (403, "Not allowed"),
    BusyError: (409, "Another operation is running"),
    UnavailableError: (503, "A required service is unavailable"),
    IncompatibleError: (500, "The database belongs to another version or model"),
    StorageError: (507, "The disk refused"),
    DatabaseUnavailableError: (503, "The database is unavailable"),
}
"""HTTP status and title by class."""

_METHODS = {"GET": "GET, HEAD", "POST": "POST", "PATCH": "PATCH", "DELETE": "DELETE"}
"""The methods that some route has, each with those that are answered there."""

_READ_THE_DOCS = "GET /docs lists every route with its fields"


@dataclass(frozen=True, slots=True)
class HttpProblem:
    """The data of a problem document.

    `code` ends the `type`; `errors` names the invalid fields, each with a message.
    """

    status: int
    code: str
    title: str
    detail: str
    hint: str
    errors: Sequence[Mapping[str, str]] = ()
    headers: Mapping[str, str] = field(default_factory=dict)

    def response(self) -> Response:
        body: dict[str, Any] = {
            "type": TYPE_PREFIX + self.code,
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
            "hint": self.hint,
        }
        if self.errors:
            body["errors"] = self.errors
        return Json(body, self.status, dict(self.headers), MEDIA_TYPE)


def problem_of(error: MemError) -> HttpProblem:
    """Convert an error of the engine to a problem."""
    status, title = next(
        (STATUS_OF[kind] for kind in type(error).__mro__ if kind in STATUS_OF), (500, "Error")
    )
    passes = isinstance(error, BusyError | DatabaseUnavailableError)
    headers = {"Retry-After": str(RETRY_AFTER_S)} if passes else {}
    message, hint = shortened(error.message), shortened(error.hint)
    return HttpProblem(status, error.code, title, message, hint, headers=headers)


def unauthorized(detail: str) -> HttpProblem:
    """Return the problem of a missing or wrong token."""
    return HttpProblem(
        401,
        "unauthorized",
        "A token is needed",
        detail,
        "send 'Authorization: Bearer TOKEN'; the server's owner makes one: mem token create NAME",
        headers={"WWW-Authenticate": 'Bearer realm="memory"'},
    )


def too_many_failures(wait_s: int) -> HttpProblem:
    """Return the problem of an address that has sent too many wrong tokens."""
    return HttpProblem(
        429,
        "too-many-failures",
        "Too many wrong tokens",
        "this address has sent too many tokens that are not known",
        f"check the token, and try again in {wait_s} s",
        headers={"Retry-After": str(wait_s)},
    )


class ScopeError(Exception):
    """A token lacks the scope of a route."""

    def __init__(self, problem: HttpProblem) -> None:
        super().__init__(problem.detail)
        self.problem = problem


def forbidden_scope(name: str, scope: str, needed: str) -> ScopeError:
    """Return the error of a token without the needed scope."""
    challenge = f'Bearer realm="memory", error="insufficient_scope", scope="{needed}"'
    return ScopeError(
        HttpProblem(
            403,
            "scope",
            "The token does not allow this",
            f"the route needs the scope {needed}, and the token {name} has {scope}",
            f"use another token; the owner makes one: mem token create NAME --scope {needed}",
            headers={"WWW-Authenticate": challenge},
        )
    )


def add_handlers(app: FastAPI) -> None:
    """Make the application answer every error with a problem."""
    app.add_exception_handler(MemError, _on_mem_error)
    app.add_exception_handler(ScopeError, _on_scope_error)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    app.add_exception_handler(HTTPException, on_http_error)
    app.add_exception_handler(Exception, _on_surprise)


async def _on_mem_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, MemError)  # noqa: S101  # registered for nothing else; tells mypy
    return problem_of(error).response()


async def _on_scope_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, ScopeError)  # noqa: S101  # registered for nothing else; tells mypy
    return error.problem.response()


async def _on_surprise(_request: Request, _error: Exception) -> Response:
    return HttpProblem(
        500,
        "internal",
        "Internal error",
        "the request caused an unexpected error",
        "read the server's log, and report what it says",
    ).response()


async def on_http_error(request: Request, error: Exception) -> Response:
    """Answer an error of the framework itself, such as an unknown route."""
    assert isinstance(error, HTTPException)  # noqa: S101  # registered for nothing else
    route = f"{request.method} {request.url.path}"
    headers = dict(error.headers or {})
    if error.status_code == 405:
        headers["Allow"] = _methods_at(request)
    known = {
        404: ("no-route", "There is no such route", f"there is no {request.url.path}"),
        405: ("method", "The route has no such method", f"there is no {route}"),
        408: ("slow", "The request did not arrive in time", str(error.detail)),
        503: ("busy-receiving", "The server is receiving too much", str(error.detail)),
        413: ("too-large", "The request is too large", str(error.detail)),
    }
    code, title, detail = known.get(error.status_code, ("malformed", "", str(error.detail)))
    hints = {
        405: f"allowed here: {headers.get('Allow')}",
        413: "send it in parts, or save it as a file and sync that",
        400: "send JSON in UTF-8",
        408: "send it again, without a pause",
        503: "send it again in a few seconds",
    }
    hint = hints.get(error.status_code, _READ_THE_DOCS)
    title = title or "The request cannot be read"
    return HttpProblem(error.status_code, code, title, detail, hint, headers=headers).response()


def _methods_at(request: Request) -> str:
    """Return every method of the path; the router itself names those of the first route only."""

    def is_there(method: str) -> bool:
        asked = {**request.scope, "method": method}
        return any(route.matches(asked)[0] is Match.FULL for route in request.app.routes)

    return ", ".join(_METHODS[method] for method in filter(is_there, _METHODS))


async def _on_invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101  # registered for nothing else
    found = error.errors()
    if any(item["type"] == "json_invalid" for item in found):
        reason = found[0].get("ctx", {}).get("error", "")
        detail = f"the body is not JSON: {reason} (character {found[0]['loc'][-1]})"
        return HttpProblem(
            400, "malformed", "The request cannot be read", detail, "send valid JSON"
        ).response()
    if not _is_json(request) and any(_is_whole_body(item) for item in found):
        sent = request.headers.get("content-type", "none")
        return HttpProblem(
            415,
            "media-type",
            "The body is not JSON",
            f"the request's Content-Type is {sent}",
            "send a JSON object with 'Content-Type: application/json'",
        ).response()
    return invalid_request(error, hint=_READ_THE_DOCS).response()


def invalid_request(error: RequestValidationError, *, hint: str) -> HttpProblem:
    """Return the problem of a request with invalid fields."""
    errors = [{"field": _field(item), "message": str(item["msg"])} for item in error.errors()]
    first, *others = errors
    more = f", and {len(others)} more" if others else ""
    return HttpProblem(
        *(422, InputError.code, STATUS_OF[InputError][1]),
        f"{first['field']}: {first['message']}{more}",
        hint,
        errors,
    )


def _is_whole_body(item: Mapping[str, Any]) -> bool:
    """Return whether a body was sent that is not an object."""
    return _place(item) == ["body"] and item["type"] != "missing"


def _is_json(request: Request) -> bool:
    """Return whether the framework reads a body of this Content-Type as JSON."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().casefold()
    return re.fullmatch(r"application/(.+\+)?json", kind) is not None


def _place(item: Mapping[str, Any]) -> list[str | int]:
    return [name for name in item["loc"] if name not in UNION_TAGS]


def _field(item: Mapping[str, Any]) -> str:
    """Return `max_results`, `tags.0`, an unknown field's name, or `body` for the whole body."""
    where, *names = _place(item)
    if item["type"] == UNKNOWN_FIELD:
        names.append(item["ctx"]["name"])
    return ".".join(map(str, names)) or str(where)
