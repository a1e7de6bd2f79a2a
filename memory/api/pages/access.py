"""Access to the pages: for a person signed in by a token, or anyone on this machine without one.

A browser sends cookies to every server of the same host, whatever its port, and any page may make
it ask. So a page answers only where the browser itself says that one of this server's own pages
asked, or the person.
"""

import secrets
from collections.abc import Callable
from functools import partial
from typing import Final
from urllib.parse import quote

from anyio import to_thread
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from contracts import ForbiddenError, MemError
from memory.api.auth import ANYONE, Access, Guard, Lend, Principal, answer, is_same_memory
from memory.api.pages.rendering import HEADERS, cookie_name, form_key, is_part, render_problem
from memory.api.problems import HttpProblem, problem_of
from memory.operations.page_sessions import SessionUser

SIGN_IN: Final = "/page/sign-in"
STATIC: Final = "/page/static/"
_ASKED_BY_OWN_PAGE: Final = ("same-origin", "none")

FindSession = Callable[[str], SessionUser | None]
"""Look for a session by its secret, as the database has it now."""


def is_page(path: str) -> bool:
    """Return whether a path is one of the pages or of their files."""
    return path == "/" or path.startswith("/page/")


class PageGuard:
    """Passes requests for pages on, or refuses them; a Guard decides about all others."""

    def __init__(self, app: ASGIApp, *, access: Access, find: FindSession, lend: Lend) -> None:
        self._others, self._pages = Guard(app, access, lend), app
        self._access, self._find, self._lend = access, find, lend

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not is_page(scope["path"]):
            await self._others(scope, receive, send)
            return

        async def send_safe(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = MutableHeaders(raw=message["headers"])
                for name, value in HEADERS.items():
                    given.setdefault(name, value)
            await send(message)

        request = Request(scope)
        request.state.principal, request.state.page_secret = None, ""
        try:
            refusal = await self._refusal(request)
        except MemError as error:
            refusal = _refused(request, problem_of(error))
        if refusal is not None:
            await refusal(scope, receive, send_safe)
            return
        principal: Principal | None = request.state.principal
        await answer(self._pages, (scope, receive, send_safe), principal, lend=self._lend)

    async def _refusal(self, request: Request) -> Response | None:
        """Return the refusal of a request; else note who makes it, and its cookie."""
        foreign = self._access.foreign_page(request.headers) or _not_asked_here(request)
        if foreign is not None:
            return _refused(request, foreign)
        cookie = request.cookies.get(cookie_name(request), "")
        request.state.is_still_admitted = partial(self._still_admits, request, cookie)
        request.state.page_secret = cookie
        if not await self._access.needs_token():
            request.state.principal = ANYONE
            request.state.page_secret = cookie or secrets.token_urlsafe(32)
            return None
        user = await to_thread.run_sync(partial(self._find, cookie)) if cookie else None
        if user is not None:
            request.state.principal = Principal(*user)
            return None
        path = request.scope["path"]
        return None if path == SIGN_IN or path.startswith(STATIC) else _to_sign_in(request)

    async def _still_admits(self, request: Request, cookie: str) -> bool:
        """Return whether this browser would be let in again: for an answer that goes on."""
        if not await self._access.needs_token():
            return bool(request.state.principal == ANYONE)
        user = await to_thread.run_sync(partial(self._find, cookie)) if cookie else None
        admitted: Principal | None = request.state.principal
        if user is None or admitted is None:
            return False
        return is_same_memory(user.tenant, admitted.tenant)


def is_own_form(request: Request, key: str) -> bool:
    """Return whether a form came from a page that this browser got from here."""
    secret = request.state.page_secret
    return bool(secret) and secrets.compare_digest(form_key(secret).encode(), key.encode())


def _refused(request: Request, problem: HttpProblem) -> Response:
    """Return a refusal: as a page to a person, as a problem document to a program."""
    if "text/html" not in request.headers.get("accept", ""):
        return problem.response()
    return render_problem(request, problem)


def _not_asked_here(request: Request) -> HttpProblem | None:
    asked_by = request.headers.get("sec-fetch-site")
    if asked_by in _ASKED_BY_OWN_PAGE:
        return None
    told = f"a page of another origin ({asked_by})" if asked_by else "no current browser"
    return problem_of(
        ForbiddenError(
            f"{told} asked for this page",
            hint="type the address into a browser, over https or on this machine itself; "
            "programs use the routes of /docs",
        )
    )


def _to_sign_in(request: Request) -> Response:
    wanted = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    path = f"{SIGN_IN}?to={quote(wanted, safe='')}" if request.method == "GET" else SIGN_IN
    if is_part(request):
        return Response(headers={"HX-Redirect": SIGN_IN})
    return Response(status_code=303, headers={"Location": path})
