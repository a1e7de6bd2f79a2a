"""The list of all pages, and the files that they load."""

from fastapi import Depends, FastAPI, Request
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from contracts import NotFoundError
from memory.api.pages import contexts, first_steps, memories, plots, records, searching, sign_in
from memory.api.pages.access import STATIC, is_page
from memory.api.pages.health import page as health
from memory.api.pages.reading import citations, pdf_pages
from memory.api.pages.rendering import FOLDER, render_problem
from memory.api.problems import on_http_error, problem_of
from memory.api.scopes import check_scope

PAGES = (
    searching.router,
    citations.router,
    pdf_pages.router,
    memories.router,
    records.router,
    plots.router,
    contexts.router,
    health.router,
    first_steps.router,
)
"""The routers of all pages that need a session where there are tokens."""


_KEPT = "private, max-age=31536000, immutable"


class PageFiles(StaticFiles):
    """The files of the pages: a browser keeps one whose address holds its version."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        if scope["query_string"] and response.status_code in (200, 304):
            response.headers["Cache-Control"] = _KEPT
        return response


def add_pages(app: FastAPI) -> None:
    """Add every page to the application, and the one of unknown addresses."""
    app.include_router(sign_in.router)
    app.mount(STATIC, PageFiles(directory=FOLDER / "static"))
    for router in PAGES:
        app.include_router(router, dependencies=[Depends(check_scope)])
    app.add_exception_handler(404, _on_no_page)
    app.add_exception_handler(405, _on_other_method)


async def _on_no_page(request: Request, error: Exception) -> Response:
    """Tell a person that there is nothing at an address."""
    path = request.scope["path"]
    if not is_page(path):
        return await on_http_error(request, error)
    missing = NotFoundError(f"there is no page {path}", hint="follow a link of a page")
    return render_problem(request, problem_of(missing))


async def _on_other_method(request: Request, error: Exception) -> Response:
    """Refuse a form that is sent to a page; nobody can look at the address of a form."""
    answer = _on_no_page if request.method == "GET" else on_http_error
    return await answer(request, error)
