"""Access control: bearer tokens, and defences against web pages.

A page in the user's browser reaches loopback too. It cannot forge two headers: `Host`, which after
DNS rebinding still names the page's own host, and `Origin`. So a server on loopback or without
tokens answers only to its own name and those of loopback, and any server refuses requests from
another origin's page.

Tokens are the configured ones, which are the owner's and may do everything, and the named ones of
the database, which are read for each request: one that is created or revoked counts at once.
"""

import hmac
import ipaddress
import re
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from functools import partial
from typing import Any, Final

from anyio import CapacityLimiter, to_thread
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from contracts import ForbiddenError, MemError
from contracts.named_tuple import NamedTuple
from memory.api.limits.bounded_calls import BoundedCalls
from memory.api.limits.failures import FailureLimit
from memory.api.problems import HttpProblem, problem_of, too_many_failures, unauthorized
from memory.operations.page_sessions import CONFIGURED
from memory.operations.tokens import FoundToken, Token, TokenScope
from memory.storage.action_log import Caller, called_by
from memory.storage.capabilities.tenants import Tenant

OPEN_PATHS = frozenset({"/memory/health"})
"""Paths that answer without a token; their routes see from the principal whether there was one."""

LOOKUPS: Final = 4
"""The most lookups of tokens at once; they never wait for requests that are being processed."""

OPEN_WAIT_S: Final = 1.0
"""The longest that a request for an open path waits for the lookup of its token."""

_AUTHORITY = re.compile(r"(?P<host>\[[0-9a-f:.]+\]|[^\[\]:/@\s]+)(?::(?P<port>[0-9]*))?", re.ASCII)


class Principal(NamedTuple):
    """The token that a request came with. `is_owner`: it speaks for the person.

    tenant   whose memory it is for; None: the server's own
    """

    name: str
    scope: TokenScope
    is_owner: bool
    tenant: Tenant | None = None


ANYONE: Final = Principal("", "admin", is_owner=True)
"""The user of a server without tokens: a program of this machine."""


class Admission(NamedTuple):
    """The decision about a request: a refusal, or who made it.

    Neither: the request has no valid token, and its path needs none.
    """

    refusal: HttpProblem | None = None
    principal: Principal | None = None


FindToken = Callable[[str], FoundToken]
"""Look for a named token by its secret, as the database has it now."""


class Access:
    """The access rules of one server, which may change while it runs: a first token closes it.

    tokens    the configured tokens
    host      the name or address that the server listens on
    find      looks for named tokens
    has_none  says whether there are neither named tokens nor tenants. It never waits, and says
              False where finding out takes that
    is_closed every request needs a token from the beginning. So does every one after the first
              token was seen, even when the last has been revoked
    failures  counts wrong tokens; by default those of this process alone
    """

    def __init__(
        self,
        tokens: tuple[str, ...],
        host: str,
        *,
        find: FindToken,
        has_none: Callable[[], bool] = lambda: False,
        is_closed: bool = False,
        failures: FailureLimit | None = None,
    ) -> None:
        self._tokens = [token.encode() for token in tokens]
        self._host = host
        self._is_loopback = is_loopback_name(host.lower())
        self._find = find
        self._has_none = has_none
        self._is_closed = is_closed or bool(tokens)
        self._failures = FailureLimit() if failures is None else failures
        self._threads: CapacityLimiter | None = None
        self._open_calls = BoundedCalls(LOOKUPS)

    async def admit(self, path: str, headers: Headers, address: str) -> Admission:
        """Decide about a request from an address. Raises what a failing database does.

        While the database is slow, a request for an open path counts as one without a token.
        """
        secret = bearer_token(headers.get("authorization")) or ""
        if path in OPEN_PATHS:
            try:
                find = partial(self._find, secret)
                found = await self._open_calls.call(find, wait_s=OPEN_WAIT_S)
            except TimeoutError:
                return Admission(self.foreign_page(headers))
        else:
            found = await self._look_up(secret)
        self._is_closed = self._is_closed or found.any_token
        foreign = self.foreign_page(headers)
        if foreign is not None:
            return Admission(foreign)
        if not self._is_closed:
            return Admission(principal=ANYONE)
        if found.token is not None and not found.refused:
            return Admission(principal=_principal_of(found.token, found.tenant))
        admission = self._without_named_token(headers, address, found.refused)
        return Admission() if admission.refusal and path in OPEN_PATHS else admission

    async def still_admits(self, principal: Principal, headers: Headers) -> bool:
        """Return whether who was admitted with these headers would be so again."""
        if principal == ANYONE:
            return not (self._is_closed or (await self._look_up("")).any_token)
        if principal.name == CONFIGURED:
            return True
        found = await self._look_up(bearer_token(headers.get("authorization")) or "")
        is_known = found.token is not None and not found.refused
        return is_known and is_same_memory(found.tenant, principal.tenant)

    async def needs_token(self) -> bool:
        """Return whether a request needs a token now."""
        self._is_closed = self._is_closed or (await self._look_up("")).any_token
        return self._is_closed

    async def refusal_of(self, secret: str, address: str) -> HttpProblem | None:
        """Return why a token is not accepted that somebody types, None for a valid one."""
        found = await self._look_up(secret)
        if found.token is not None and not found.refused:
            return None
        authorization = f"Bearer {secret}".encode("utf-8", "replace")
        headers = Headers(raw=[(b"authorization", authorization)])
        return self._without_named_token(headers, address, found.refused).refusal

    def _without_named_token(self, headers: Headers, address: str, refused: str) -> Admission:
        """Decide about a request without a valid named token.

        A named one cannot be guessed, so it needs no limit, and passes whatever others at the same
        address do. A configured one may be a word, and waits.
        """
        authorization = headers.get("authorization")
        if authorization is None:
            return Admission(unauthorized("there is no token"))
        wait_s = self._failures.retry_after_s(address)
        if wait_s:
            return Admission(too_many_failures(wait_s))
        if self._is_configured(bearer_token(authorization)):
            return Admission(principal=Principal(CONFIGURED, "admin", is_owner=True))
        self._failures.note(address)
        return Admission(unauthorized(refused or "the token is not known"))

    async def _look_up(self, secret: str) -> FoundToken:
        """Look for a named token: in a thread where there are any, since a database may be slow."""
        if self._has_none():
            return FoundToken(any_token=False)
        if self._threads is None:
            self._threads = CapacityLimiter(LOOKUPS)
        return await to_thread.run_sync(self._find, secret, limiter=self._threads)

    def _is_configured(self, secret: str | None) -> bool:
        """Return whether it is a configured token, in the same time for every wrong one."""
        sent = (secret or "").encode("latin-1", "replace")
        matches = [hmac.compare_digest(sent, token) for token in self._tokens]
        return any(matches)

    def foreign_page(self, headers: Headers) -> HttpProblem | None:
        """Return the refusal of a request that a page of another origin made, or None."""
        host = ", ".join(headers.getlist("host"))  # two values match no name
        if (self._is_loopback or not self._is_closed) and not self._is_own_name(host):
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
        return None

    def _is_own_name(self, host: str) -> bool:
        match = _AUTHORITY.fullmatch(host.lower())
        return match is not None and self._is_local(match["host"])

    def _is_local(self, name: str) -> bool:
        return is_loopback_name(name) or name.strip("[]") == self._host.lower()

    def _is_own_origin(self, origin: str, host: str) -> bool:
        """Return whether it is the request's authority, or on loopback another name of it."""
        scheme, _, authority = origin.lower().partition("://")
        if scheme not in ("http", "https"):
            return False
        if authority == host.lower():
            return True
        theirs, ours = _AUTHORITY.fullmatch(authority), _AUTHORITY.fullmatch(host.lower())
        if not self._is_loopback or theirs is None or ours is None:
            return False
        return theirs["port"] == ours["port"] and self._is_local(theirs["host"])


def is_same_memory(found: Tenant | None, admitted: Tenant | None) -> bool:
    """Return whether the memory that a token is for now is the one that it was admitted to."""
    return found.is_same(admitted) if found else admitted is None


def _principal_of(token: Token, tenant: Tenant | None) -> Principal:
    return Principal(token.name, token.scope, token.owner, tenant)


def _caller_of(principal: Principal | None) -> Caller | None:
    if principal is None or principal == ANYONE:
        return None
    return Caller(principal.name, principal.is_owner)


def bearer_token(authorization: str | None) -> str | None:
    """Return the token in a header `Authorization`, None without one."""
    scheme, _, given = (authorization or "").strip().partition(" ")
    return given.strip() if scheme.lower() == "bearer" else None


def is_loopback_name(name: str) -> bool:
    """Return whether a host name or address (`::1` with or without brackets) is this machine."""
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return False


Lend = Callable[[Tenant | None], AbstractAsyncContextManager[Any]]
"""Lends the state of a tenant's memory, or for None of the server's own, for one request."""


class Guard:
    """Passes a request to the application, or refuses it.

    What it passes has its principal in the state, and the state of the memory that it is for.
    """

    def __init__(self, app: ASGIApp, access: Access, lend: Lend) -> None:
        self._app = app
        self._access = access
        self._lend = lend

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        address = (scope.get("client") or ("", 0))[0]
        try:
            admission = await self._access.admit(scope["path"], Headers(scope=scope), address)
        except MemError as error:
            admission = Admission(problem_of(error))
        if admission.refusal is not None:
            await admission.refusal.response()(scope, receive, send)
            return
        scope.setdefault("state", {})["principal"] = admission.principal
        await answer(self._app, (scope, receive, send), admission.principal, lend=self._lend)


async def answer(
    app: ASGIApp,
    request: tuple[Scope, Receive, Send],
    principal: Principal | None,
    *,
    lend: Lend,
) -> None:
    """Have the application answer a request from the memory that its principal is for."""
    async with AsyncExitStack() as held:
        try:
            state = await held.enter_async_context(lend(principal.tenant if principal else None))
        except MemError as error:
            await problem_of(error).response()(*request)
            return
        scope, _, _ = request
        scope["state"]["app_state"] = state
        with called_by(_caller_of(principal)):
            await app(*request)
