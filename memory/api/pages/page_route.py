"""Routes whose errors are shown as pages."""

from collections.abc import Callable
from typing import Any, Final

from fastapi import APIRouter
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import Response

from contracts import MemError
from memory.api.app_state import state_of
from memory.api.pages.rendering import render_problem
from memory.api.problems import ScopeError, invalid_request, problem_of
from memory.workspace import VALUE_ERRORS

_HINT: Final = "correct the address, or follow a link of a page"


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
                return render_problem(request, invalid_request(error, hint=_HINT))
            except ScopeError as error:
                return render_problem(request, error.problem)
            except MemError as error:
                return render_problem(request, problem_of(error))
            except VALUE_ERRORS as error:
                damage = await state_of(request).damage_of(error)
                if damage is None:
                    raise
                return render_problem(request, problem_of(damage))

        return shown
