"""The list of all pages, and the files that they load."""

from fastapi import Depends, FastAPI, Request
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from contracts import NotFoundError
from memory.api.pages import beginning, contexts, memories, plots, records, searching, sign_in
from memory.api.pages.access import STATIC
from memory.api.pages.health import page as health
from memory.api.pages.page_route import page_router
from memory.api.pages.reading import citations, pdf_pages
from memory.api.pages.rendering import FOLDER
from memory.api.scopes import check_scope

others = page_router()


@others.get("/page/{path:path}")
def show_none(request: Request) -> Response:
    """Tell a person that there is nothing at an address."""
    raise NotFoundError(f"there is no page {request.scope['path']}", hint="follow a link of a page")


PAGES = (
    searching.router,
    citations.router,
    pdf_pages.router,
    memories.router,
    records.router,
    plots.router,
    contexts.router,
    health.router,
    beginning.router,
    others,
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
    """Add every page to the application, the one of unknown addresses last."""
    app.include_router(sign_in.router)
    app.mount(STATIC, PageFiles(directory=FOLDER / "static"))
    for router in PAGES:
        app.include_router(router, dependencies=[Depends(check_scope)])
