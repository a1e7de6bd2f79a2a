"""Tokens and sessions of a server: those of its own memory, and those that name a tenant."""

from contextlib import suppress

from contracts import NotFoundError
from memory.operations.page_sessions import (
    SessionUser,
    begin_session,
    end_session,
    find_session,
)
from memory.operations.tokens import FoundToken, TokenStore, find_token, tenant_of, tokens_of
from memory.workspace import Workspace


class Credentials:
    """Finds out whose memory a secret is for, and looks for it there and nowhere else.

    A tenant that is looked for is not opened for that: who guesses names opens nothing.
    """

    def __init__(self, workspace: Workspace) -> None:
        """Know the tokens of the server's own memory, and of its database's tenants."""
        self._workspace = workspace
        self._own = tokens_of(workspace)
        serves_tenants = workspace.config.server.tenants > 0
        self._tenants = workspace.storage.tenants if serves_tenants else None

    def find_token(self, secret: str) -> FoundToken:
        """Return the token with this secret; of a tenant, with the tenant as it is now."""
        name = tenant_of(secret)
        if not name or self._tenants is None:
            found = find_token(self._own, secret)
            return found if found.any_token else FoundToken(self._has_tenants())
        with suppress(NotFoundError):  # it is being dropped at this moment
            store = self._store(name)
            found = FoundToken(False) if store is None else find_token(store, secret)
            if found.token is not None:
                return found
        # The same words for a tenant that is there: nobody learns names from a guess.
        why = f"the token of the tenant {name!r:.60} is not known"
        told = f"{why}; it was revoked, or the tenant was dropped"
        return FoundToken(self.find_token("").any_token, refused=told)

    def find_session(self, secret: str) -> SessionUser | None:
        """Return who signed in with this secret, None if nobody is."""
        if not tenant_of(secret):
            return find_session(self._own, secret, self._workspace.config.server.tokens)
        try:
            store = self._store(tenant_of(secret))
            return None if store is None else find_session(store, secret, ())
        except NotFoundError:
            return None

    def begin_session(self, secret: str) -> str:
        """Return the secret of a new session of a token that was accepted just now."""
        store = self._store_of(secret)
        return begin_session(store, secret, find_token(store, secret))

    def end_session(self, secret: str) -> None:
        """End a session at once."""
        end_session(self._store_of(secret), secret)

    def _store_of(self, secret: str) -> TokenStore:
        """Return where a secret is kept. Raises NotFoundError where its tenant is gone."""
        name = tenant_of(secret)
        store = self._store(name) if name else self._own
        if store is None:
            raise NotFoundError(f"there is no tenant {name!r:.60}", hint="sign in again")
        return store

    def _store(self, name: str) -> TokenStore | None:
        tenant = self._tenants.find(name) if self._tenants else None
        if self._tenants is None or tenant is None:
            return None
        return TokenStore(self._tenants.database(tenant), tenant=tenant)

    def _has_tenants(self) -> bool:
        """Return whether anybody but a program of this machine is to be served."""
        return self._tenants is not None and bool(self._tenants.all())
