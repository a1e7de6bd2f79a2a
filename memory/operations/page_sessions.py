"""Sessions of people who signed in to the pages of a server with a token.

A session is a row of `tokens` named after its token, with a random secret of its own that a
browser keeps in a cookie. It expires by itself, ends with its token, and may do what that may do
now. It is not a token: no other route accepts it.
"""

import hmac
import secrets
from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Final

from contracts.named_tuple import NamedTuple
from memory.operations.tokens import (
    SESSION_MARK,
    FoundToken,
    TokenScope,
    TokenStore,
    hash_of,
    new_secret,
)
from memory.storage import utc_now, utc_text
from memory.storage.capabilities.tenants import Tenant

HOURS: Final = 12
"""The hours after which a session ends."""

MOST_SESSIONS: Final = 50
"""The most sessions of a token; the oldest ends for another."""

CONFIGURED: Final = "memory.server.tokens"
"""The name of the owner of a configured token; no named token has a dot."""

_RANDOM_BYTES: Final = 32
_LIKE: Final = f"%{SESSION_MARK}%"
_INSERT_SQL: Final = """
INSERT INTO tokens (name, hash, scope, is_owner, created_at, expires_at)
VALUES (:name, :hash, 'read', 0, :now, :until)
"""
_EXPIRED_SQL: Final = """
DELETE FROM tokens WHERE name LIKE :like AND expires_at <= :now
"""
_SIBLINGS_SQL: Final = """
SELECT name FROM tokens WHERE substr(name, 1, length(:mark)) = :mark ORDER BY created_at DESC, name
"""
_SESSIONS_SQL: Final = """
SELECT hash, name FROM tokens WHERE name LIKE :like AND expires_at > :now
"""
_PARENT_SQL: Final = """
SELECT hash, name, scope, is_owner FROM tokens
WHERE name = :name AND (expires_at IS NULL OR expires_at > :now)
"""


class SessionUser(NamedTuple):
    """A person who signed in: the name of the token, its rights, and its tenant if any."""

    name: str
    scope: TokenScope
    is_owner: bool
    tenant: Tenant | None = None


def begin_session(tokens: TokenStore, secret: str, found: FoundToken) -> str:
    """Return the secret of a new session of a token, named or else configured."""
    parent = _configured_name(secret) if found.token is None else found.token.name
    now = datetime.now(UTC)
    mark = f"{parent}{SESSION_MARK}"
    made = new_secret(_RANDOM_BYTES, tokens.tenant.name if tokens.tenant else "")
    values = {
        "name": mark + secrets.token_hex(8),
        "hash": hash_of(made),
        "now": utc_text(now),
        "until": utc_text(now + timedelta(hours=HOURS)),
    }
    with tokens.database.transaction() as tx:
        tx.run(_EXPIRED_SQL, {"like": _LIKE, "now": utc_text(now)})
        others = [row[0] for row in tx.run(_SIBLINGS_SQL, {"mark": mark})]
        oldest = {"names": others[MOST_SESSIONS - 1 :]}
        tx.run("DELETE FROM tokens WHERE name IN (:names)", oldest)
        tx.run(_INSERT_SQL, values)
    return made


def find_session(
    tokens: TokenStore, secret: str, configured: Collection[str]
) -> SessionUser | None:
    """Return who signed in with this secret, None if nobody is; `configured` are the tokens now."""
    database, given = tokens.database, hash_of(secret)
    values = {"like": _LIKE, "now": utc_now()}
    names = [
        name
        for digest, name in database.read(_SESSIONS_SQL, values)
        if hmac.compare_digest(digest, given)
    ]
    if not names:
        return None
    parent = names[0].rpartition(SESSION_MARK)[0]
    if parent in map(_configured_name, configured):
        return SessionUser(CONFIGURED, "admin", True)
    for digest, name, scope, is_owner in database.read(
        _PARENT_SQL, {"name": parent, "now": utc_now()}
    ):
        if not tokens.refused({name: digest}):
            return SessionUser(name, scope, bool(is_owner), tokens.tenant)
    return None


def end_session(tokens: TokenStore, secret: str) -> None:
    """End a session at once."""
    sql = "DELETE FROM tokens WHERE hash = :hash AND name LIKE :like"
    with tokens.database.transaction() as tx:
        tx.run(sql, {"hash": hash_of(secret), "like": _LIKE})


def _configured_name(secret: str) -> str:
    return f"{CONFIGURED}.{sha256(secret.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"
