"""Access control: bearer tokens, and defences against web pages.

A page in the user's browser reaches loopback too. It cannot forge two headers: `Host`, which after
DNS rebinding still names the page's own host, and `Origin`. So a server on loopback or without
tokens answers only to its own name and those of loopback, and any server refuses requests from
another origin's page.
"""

import hmac
import ipaddress
import re
from collections.abc import Sequence
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from contracts import ForbiddenError
from memory.api.problems import HttpProblem, problem_of, unauthorized

OPEN_PATHS = frozenset({"/memory/health"})
"""Paths that answer without a token, and use `is_known` to tell whether there was one."""

_AUTHORITY = re.compile(r"(?P<host>\[[0-9a-f:.]+\]|[^\[\]:/@\s]+)(?::(?P<port>[0-9]*))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Access:
    """The access rules of one server.

    tokens    the accepted tokens; none: every request that passes the other rules
    host      the name or address that the server listens on
    loopback  whether that name or address means this machine only
    """

    tokens: tuple[str, ...]
    host: str
    loopback: bool

    def is_known(self, authorization: str | None) -> bool:
        """Return whether the header `Authorization` holds one of the tokens; True without tokens.

        It takes the same time for every wrong token.
        """
        if not self.tokens:
            return True
        scheme, _, given = (authorization or "").strip().partition(" ")
        sent = given.strip().encode("latin-1", "replace")
        matches = [hmac.compare_digest(sent, token.encode()) for token in self.tokens]
        return scheme.lower() == "bearer" and any(matches)

    def refusal(self, path: str, headers: Headers) -> HttpProblem | None:
        """Return why a request is refused, or None."""
        host = ", ".join(headers.getlist("host"))  # two values match no name
        if (self.loopback or not self.tokens) and not self._is_own_name(host):
            return problem_of(
                ForbiddenError(
                    f"the request is for the host {host!r}",
                    hint="address the server as localhost, 127.0.0.1, or as it was started",
                )
            )
        origin = headers.get("origin")
        if origin is not None and not self._is_own_origin(origin, host):
            return problem_of(
                ForbiddenError(
                    f"a page of {origin!r} made the request",
                    hint="only pages of this server itself may use it",
                )
            )
        authorization = headers.get("authorization")
        if path in OPEN_PATHS or self.is_known(authorization):
            return None
        return unauthorized("the token is not known" if authorization else "there is no token")

    def _is_own_name(self, host: str) -> bool:
        match = _AUTHORITY.fullmatch(host.lower())
        return match is not None and self._is_local(match["host"])

    def _is_local(self, name: str) -> bool:
        return is_loopback_name(name) or name.strip("[]") == self.host.lower()

    def _is_own_origin(self, origin: str, host: str) -> bool:
        """Return whether it is the request's authority, or on loopback another name of it."""
        scheme, _, authority = origin.lower().partition("://")
        if scheme not in ("http", "https"):
            return False
        if authority == host.lower():
            return True
        theirs, ours = _AUTHORITY.fullmatch(authority), _AUTHORITY.fullmatch(host.lower())
        if not self.loopback or theirs is None or ours is None:
            return False
        return theirs["port"] == ours["port"] and self._is_local(theirs["host"])


def is_loopback_name(name: str) -> bool:
    """Return whether a host name or address (`::1` with or without brackets) is this machine."""
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return False


class Guard:
    """Passes a request to the application, or answers with the refusal."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            refusal = self._access.refusal(scope["path"], Headers(scope=scope))
            if refusal is not None:
                await refusal.response()(scope, receive, send)
                return
        await self._app(scope, receive, send)


def access_of(tokens: Sequence[str], host: str) -> Access:
    """Return the rules of a server with these tokens that listens on `host`."""
    return Access(tuple(tokens), host, is_loopback_name(host.lower()))
