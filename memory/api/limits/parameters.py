"""The check of what a request says outside its body: path, query and the headers that are used."""

from collections.abc import Iterator

from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from pydantic import BaseModel
from starlette.requests import Request

from contracts import InputError, did_you_mean
from memory.values.text_checks import NAME_LIMIT, checked_text, query_text

USED_HEADERS = ("idempotency-key",)
"""The headers whose text is stored; others are compared, never kept."""

_SEARCHED = ("query", "q", "topic")
"""The parameters that are searched for."""


async def check_parameters(request: Request) -> None:
    """Check every parameter as texts of a body are checked. Raises InputError.

    A misspelt one must not be ignored, nor one that belongs into the body: `POST /gc?dry_run=true`.
    """
    headers = {name: request.headers[name] for name in USED_HEADERS if name in request.headers}
    given = (*request.path_params.items(), *request.query_params.multi_items(), *headers.items())
    for name, value in given:
        checked_text(name, "a parameter's name", most=NAME_LIMIT)
        check = query_text if name in _SEARCHED else checked_text
        check(str(value), name, most=NAME_LIMIT)
    route = request.scope.get("route")
    if request.query_params and isinstance(route, APIRoute) and route.include_in_schema:
        has_body = route.body_field is not None
        _check_known(request, sorted(set(_names(route.dependant))), has_body=has_body)


def _check_known(request: Request, known: list[str], *, has_body: bool) -> None:
    unknown = [name for name in request.query_params if name not in known]
    if not unknown or (request.method == "GET" and not known):
        return  # without parameters nothing can be misspelt; programs add some of their own
    is_for_body = has_body and not known
    hint = (
        "send the fields in the body, as JSON" if is_for_body else did_you_mean(unknown[0], known)
    )
    raise InputError(f"{request.url.path} has no parameter {unknown[0]!r:.80}", hint=hint)


def _names(dependant: Dependant) -> Iterator[str]:
    """Yield the query parameters of a route and of what it depends on."""
    for found in dependant.query_params:
        kind = found.field_info.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from kind.model_fields
        else:
            yield found.alias
    for other in dependant.dependencies:
        yield from _names(other)
