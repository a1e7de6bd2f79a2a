"""Routes whose errors are shown as pages."""

from collections.abc import Callable
from typing import Any

from fastapi import APIRouter
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import Response

from contracts import InputError, MemError
from memory.api.pages.rendering import render
from memory.api.problems import problem_of


def page_router() -> APIRouter:
    """Return a router for pages, which are not part of the described interface for programs."""
    return APIRouter(include_in_schema=False, route_class=PageRoute)


class PageRoute(APIRoute):
    """A route whose errors are shown as a page."""

    def get_route_handler(self) -> Callable[[Request], Any]:
        handle = super().get_route_handler()

        async def shown(request: Request) -> Response:
            try:
                return await handle(request)
            except RequestValidationError as error:
                return _problem(request, InputError("the address is incomplete", hint=str(error)))
            except MemError as error:
                return _problem(request, error)

        return shown


def _problem(request: Request, error: MemError) -> Response:
    problem = problem_of(error)
    values = {"title": problem.title, "detail": problem.detail, "hint": problem.hint}
    return render(request, "problem.html", values, status=problem.status)
