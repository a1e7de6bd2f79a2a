"""Sign in with a token, which is looked at once and never stored; and sign out."""

from typing import Final

from anyio import to_thread
from fastapi import Request
from starlette.responses import Response
from starlette.status import HTTP_401_UNAUTHORIZED

from memory.api.app_state import state_of
from memory.api.pages.access import SIGN_IN, is_page
from memory.api.pages.forms import read_form
from memory.api.pages.page_route import page_router
from memory.api.pages.rendering import cookie_name, redirect, render

router = page_router()

SIGN_OUT: Final = "/page/sign-out"


@router.get(SIGN_IN)
def show_sign_in(request: Request, to: str = "/") -> Response:
    """Ask for a token."""
    if request.state.principal is not None:
        return redirect(request, _own(to))
    return render(request, "sign_in.html", {"to": _own(to), "complaint": ""})


@router.post(SIGN_IN)
async def sign_in(request: Request) -> Response:
    """Begin a session for a token, or say what is wrong with it."""
    form = await read_form(request, keyed=False)
    secret, to = form.get("token", "").strip(), _own(form.get("to", "/"))
    state = state_of(request)
    address = request.client.host if request.client else ""
    refusal = await state.access.refusal_of(secret, address)
    if refusal is not None:
        told = refusal.detail  # a hint for programs names a header
        complaint = told if refusal.status == HTTP_401_UNAUTHORIZED else f"{told}: {refusal.hint}"
        values = {"to": to, "complaint": complaint}
        return render(request, "sign_in.html", values, status=refusal.status)
    made = await to_thread.run_sync(state.credentials.begin_session, secret)
    request.state.page_secret = made
    return redirect(request, to)


@router.post(SIGN_OUT)
async def sign_out(request: Request) -> Response:
    """End the session."""
    await read_form(request)
    credentials = state_of(request).credentials
    await to_thread.run_sync(credentials.end_session, request.state.page_secret)
    response = Response(status_code=303, headers={"Location": SIGN_IN})
    is_secure = request.url.scheme == "https"
    response.delete_cookie(cookie_name(request), httponly=True, samesite="strict", secure=is_secure)
    return response


def _own(path: str) -> str:
    """Return the path if it is a page of this server, else the first page."""
    return path if is_page(path.partition("?")[0]) and not path.startswith("//") else "/"
