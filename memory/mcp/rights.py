"""The rights of a caller: the scope of its token, and whether it may delete."""

from typing import Final

from contracts import ForbiddenError
from contracts.named_tuple import NamedTuple
from memory.operations.tokens import SCOPES, TokenScope
from memory.storage.action_log import AGENT


class Rights(NamedTuple):
    """The rights of one request.

    name        who it is logged as, and whom a memory names that it writes
    scope       the scope of its token
    may_delete  it came over stdio, or with a token of the scope `admin`
    """

    name: str
    scope: TokenScope
    may_delete: bool

    def require(self, needed: TokenScope, tool: str) -> None:
        """Raise ForbiddenError where the scope does not include `needed`."""
        if SCOPES.index(self.scope) < SCOPES.index(needed):
            raise ForbiddenError(
                f"{tool} needs the scope {needed}, and the token {self.name} has {self.scope}",
                hint="the owner creates a token: mem token create NAME --scope " + needed,
            )

    def require_deletion(self, citation: str) -> None:
        """Raise ForbiddenError for a caller that may not delete."""
        if not self.may_delete:
            raise ForbiddenError(
                "only a token of the scope admin deletes over HTTP",
                hint="call forget without delete to see what it would remove; the owner deletes "
                f'it: mem forget "{citation}"',
            )


ON_STDIO: Final = Rights(AGENT, "admin", may_delete=True)
"""A program that this user started."""
