"""Tokens and sessions of a server: those of its own memory, and those that name a tenant."""

import time
from collections.abc import Callable
from typing import TypeVar

from contracts import NotFoundError, StorageError
from memory.operations.page_sessions import (
    SessionUser,
    begin_session,
    end_session,
    find_session,
)
from memory.operations.tokens import (
    FoundToken,
    TokenStore,
    find_token,
    has_none_at_once,
    tenant_of,
    tokens_of,
)
from memory.storage.database import DatabaseUnavailableError
from memory.workspace import Workspace

T = TypeVar("T")

SLOW_S = 0.1
PAUSE_S = 10.0
"""A look for tokens that took longer than SLOW_S is followed by a pause, in which threads look."""


class Credentials:
    """Finds out whose memory a secret is for, and looks for it there and nowhere else.

    A tenant that is looked for is not opened for that: who guesses names opens nothing. Nor does a
    guess learn names: for a tenant that is missing, the same statements read the server's own
    memory, and their answer is thrown away.
    """

    def __init__(self, workspace: Workspace) -> None:
        """Know the tokens of the server's own memory, and of its database's tenants."""
        self._workspace = workspace
        self._own = tokens_of(workspace)
        serves_tenants = workspace.config.server.tenants > 0
        self._tenants = workspace.storage.tenants if serves_tenants else None
        self._had_tenants = False
        self._not_before = 0.0

    def find_token(self, secret: str) -> FoundToken:
        """Return the token with this secret; of a tenant, with the tenant as it is now."""
        name = tenant_of(secret)
        if not name or self._tenants is None:
            found = find_token(self._own, secret)
            return found if found.any_token else FoundToken(self._has_tenants())
        told_by_tenant = self._ask_tenant(name, lambda store: find_token(store, secret))
        if told_by_tenant is not None and told_by_tenant.token is not None:
            return told_by_tenant
        why = f"the token of the tenant {name!r:.60} is not known"
        told = f"{why}; it was revoked, or the tenant was dropped"
        return FoundToken(self.find_token("").any_token, refused=told)

    def has_none_at_once(self) -> bool:
        """Return whether there is neither a token nor a tenant; False also where finding out takes
        waiting. After a look that took long, none is taken for a while.
        """
        if self._tenants is not None or time.monotonic() < self._not_before:
            return False
        before = time.monotonic()
        has_none = has_none_at_once(self._own)
        after = time.monotonic()
        if after - before > SLOW_S:
            self._not_before = after + PAUSE_S
        return has_none

    def find_session(self, secret: str) -> SessionUser | None:
        """Return who signed in with this secret, None if nobody is."""
        if not tenant_of(secret):
            return find_session(self._own, secret, self._workspace.config.server.tokens)
        return self._ask_tenant(tenant_of(secret), lambda store: find_session(store, secret, ()))

    def begin_session(self, secret: str) -> str:
        """Return the secret of a new session of a token that was accepted just now."""
        found = self.find_token(secret)
        # A configured token may have a dot, too, and is the own memory's.
        store = self._own if found.tenant is None else self._store(found.tenant.name)
        if store is None:
            raise _no_tenant(tenant_of(secret))
        return begin_session(store, secret, found)

    def end_session(self, secret: str) -> None:
        """End a session at once."""
        end_session(self._store_of(secret), secret)

    def _store_of(self, secret: str) -> TokenStore:
        """Return where a secret is kept. Raises NotFoundError where its tenant is gone."""
        name = tenant_of(secret)
        store = self._store(name) if name else self._own
        if store is None:
            raise _no_tenant(name)
        return store

    def _ask_tenant(self, name: str, ask: Callable[[TokenStore], T | None]) -> T | None:
        """Return an answer from a tenant's memory, None where there is none.

        None also for one that is dropped at this moment, or whose role refuses the server.
        """
        try:
            store = self._store(name)
            told = ask(store or self._own)
            return None if store is None else told
        except DatabaseUnavailableError:
            raise
        except (NotFoundError, StorageError):
            return None

    def _store(self, name: str) -> TokenStore | None:
        tenant = self._tenants.find(name) if self._tenants else None
        if self._tenants is None or tenant is None:
            return None
        return TokenStore(self._tenants.database(tenant), tenant=tenant)

    def _has_tenants(self) -> bool:
        """Return whether anybody but a program of this machine is to be served."""
        if self._tenants is not None and not self._had_tenants:
            self._had_tenants = bool(self._tenants.all())
        return self._had_tenants


def _no_tenant(name: str) -> NotFoundError:
    return NotFoundError(f"there is no tenant {name!r:.60}", hint="sign in again")
