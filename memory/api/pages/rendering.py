"""Pages from templates, with headers that let them load nothing but their own files."""

import hmac
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from functools import cache
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from memory.api.auth import ANYONE, Principal
from memory.api.problems import HttpProblem
from memory.operations.page_sessions import CONFIGURED
from memory.operations.tokens import SCOPES, TokenScope

if TYPE_CHECKING:
    from jinja2 import Environment

FOLDER: Final = Path(__file__).parent

SECURITY_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
R = TypeVar("R", bound=Response)

HEADERS: Final[Mapping[str, str]] = {
    "Content-Security-Policy": SECURITY_POLICY,
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
"""The headers of every answer of the pages, which the guard adds."""

FORM_FIELD: Final = "form_key"
"""The field of every form that writes; see `form_key`."""

_IN_ADDRESS: Final = "/?&=%:;,+@!$'()*~"
"""Characters of an address that stay; one with a line break would end a header."""

_MINUTE: Final = len("2026-03-04T10:30")


def cookie_name(request: Request) -> str:
    """Return the name of this server's cookie: browsers share cookies across ports."""
    return f"mem_page_{request.url.port or 80}"


def form_key(secret: str) -> str:
    """Return what a form must bring along: only a page of this server, in this browser, knows it.

    HMAC-SHA-256 of a constant with the cookie as key.
    """
    return hmac.new(secret.encode(), b"form", "sha256").hexdigest()


def is_part(request: Request) -> bool:
    """Return whether a script asks for a part of a page."""
    return request.headers.get("hx-request") == "true"


def render(
    request: Request, template: str, values: Mapping[str, Any] | None = None, *, status: int = 200
) -> HTMLResponse:
    """Return a page, or a part of one, made of a template and values, all of which are escaped."""
    principal: Principal | None = request.state.principal
    page = _environment().get_template(template)
    text = page.render(
        {
            **(values or {}),
            "path": request.url.path,
            "may": _rights(principal),
            "is_signed_in": principal not in (None, ANYONE),
            "who": _shown_name(principal),
            "form_input": _form_input(request.state.page_secret),
        }
    )
    return with_cookie(request, HTMLResponse(text, status))


def render_problem(request: Request, problem: HttpProblem) -> HTMLResponse:
    """Return a page that tells what is wrong."""
    values = {"title": problem.title, "detail": problem.detail, "hint": problem.hint}
    return render(request, "problem.html", values, status=problem.status)


def redirect(request: Request, path: str) -> Response:
    """Return a redirection to another page, which a browser follows with GET."""
    address = quote(path, safe=_IN_ADDRESS)
    if is_part(request):
        return with_cookie(request, Response(headers={"HX-Redirect": address}))
    return with_cookie(request, Response(status_code=303, headers={"Location": address}))


def with_cookie(request: Request, response: R) -> R:
    """Return the response, which sets the cookie if the browser has another one or none."""
    secret = request.state.page_secret
    if secret and request.cookies.get(cookie_name(request)) != secret:
        response.set_cookie(
            cookie_name(request),
            secret,
            httponly=True,
            samesite="strict",
            secure=request.url.scheme == "https",
        )
    return response


def _shown_name(principal: Principal | None) -> str:
    name = principal.name if principal else ""
    return "the configured token" if name == CONFIGURED else name


def _rights(principal: Principal | None) -> Mapping[TokenScope, bool]:
    held = -1 if principal is None else SCOPES.index(principal.scope)
    return {scope: held >= rank for rank, scope in enumerate(SCOPES)}


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # the first page needs it

    made = Environment(
        loader=FileSystemLoader(FOLDER / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "link_to": link_to,
        "minute": _minute,
        "marked": _marked,
        "ago": _ago,
        "sentence": _sentence,
        "megabytes": _megabytes,
    }
    made.globals |= {"query": _query, "static": _static}
    return made


def link_to(citation: str) -> str:
    """Return the address of the page that shows what a citation names."""
    return f"/page/read?at={quote(citation, safe='')}"


@cache
def _static(name: str) -> str:
    """Return the address of a file of the pages, which changes with its content."""
    digest = sha256((FOLDER / "static" / name).read_bytes()).hexdigest()
    return f"/page/static/{name}?v={digest[:12]}"


def _query(**values: Any) -> str:
    given = {name: value for name, value in values.items() if value not in (None, "", ())}
    return f"?{urlencode(given, doseq=True)}" if given else "?"


def _form_input(secret: str) -> Any:
    from markupsafe import Markup

    field = Markup('<input type="hidden" name="{}" value="{}">')
    return field.format(FORM_FIELD, form_key(secret))


def _minute(moment: str | None) -> str:
    return (moment or "").replace("T", " ")[:_MINUTE]


def _sentence(text: str) -> str:
    """Return a message as a sentence: with a capital, and a full stop if it ends in a word."""
    return f"{text[:1].upper()}{text[1:]}{'.' if text[-1:].isalnum() else ''}"


def _megabytes(size_bytes: int) -> str:
    return f"{size_bytes / 1_000_000:,.1f} MB"


def _ago(moment: str) -> str:
    """Return how long ago a moment was, in words of one unit."""
    days = (datetime.now(UTC) - datetime.fromisoformat(moment)) / timedelta(days=1)
    if days < 0:
        return "to come"
    for least, unit in ((365, "year"), (30, "month"), (1, "day"), (1 / 24, "hour")):
        if days >= least:
            number = int(days / least)
            return f"{number} {unit}{'s' if number > 1 else ''} ago"
    return "just now"


def _marked(
    text: str, spans: Iterable[tuple[int, int]], colours: Iterable[tuple[int, int, str]] = ()
) -> Any:
    """Return a text, all of it escaped, with these spans in <mark> and others in their colours."""
    from markupsafe import Markup, escape

    spans, colours = list(spans), list(colours)
    if not (spans or colours):
        return escape(text)
    both = [*spans, *((first, last) for first, last, _ in colours)]
    edges = sorted({0, len(text), *(edge for span in both for edge in span)})
    parts = []
    for start, end in pairwise(edge for edge in edges if edge <= len(text)):
        part = str(escape(text[start:end]))
        style = next((each[2] for each in colours if each[0] <= start < each[1]), "")
        if style:
            part = f'<span class="{escape(style)}">{part}</span>'
        if any(first <= start < last for first, last in spans):
            part = f"<mark>{part}</mark>"
        parts.append(part)
    return Markup("".join(parts))  # noqa: S704  # every part was escaped
