"""The list of all pages, and the files that they load."""

from fastapi import Depends, FastAPI
from starlette.staticfiles import StaticFiles

from memory.api.pages import contexts, health, memories, reading, records, searching, sign_in
from memory.api.pages.access import STATIC
from memory.api.pages.rendering import FOLDER
from memory.api.scopes import check_scope

PAGES = (
    searching.router,
    reading.router,
    memories.router,
    records.router,
    contexts.router,
    health.router,
)
"""The routers of all pages that need a session where there are tokens."""


def add_pages(app: FastAPI) -> None:
    """Add every page to the application."""
    app.include_router(sign_in.router)
    for router in PAGES:
        app.include_router(router, dependencies=[Depends(check_scope)])
    app.mount(STATIC, StaticFiles(directory=FOLDER / "static"))
