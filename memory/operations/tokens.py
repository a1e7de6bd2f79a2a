"""Named tokens: who may use the server, for what, and until when.

A token is 256 random bits, printed once. The database keeps its hash alone: who reads the database
or a backup cannot use the token. One round of SHA-256 is enough for that. Slow hashes protect
passwords, which can be guessed; nobody can try 2**256 tokens, and a slow hash would cost every
request.

The token of a tenant ends in the tenant's name and is kept in the tenant's own schema, so that it
ends with the tenant and fits no other one.
"""

import hmac
import re
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from typing import Final, Literal, TypeAlias, get_args

from contracts import BusyError, InputError, NotFoundError, StorageError
from contracts.named_tuple import NamedTuple
from memory.index.database_trust import consent_to_token, refused_tokens
from memory.storage import Database, Transaction, utc_now, utc_text
from memory.storage.capabilities.tenants import Tenant
from memory.values.scope_parsing import read_deadline
from memory.workspace import Workspace

TokenScope: TypeAlias = Literal["read", "write", "admin"]
"""The permissions of a token; each scope includes those before it."""

SCOPES: Final[tuple[TokenScope, ...]] = get_args(TokenScope)

PREFIX: Final = "mem_"
"""The beginning of every token, by which people and scanners for secrets know one."""

_RANDOM_BYTES: Final = 32
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,62}")
_FIELDS: Final = "name, scope, is_owner, created_at, expires_at, last_used_on"
_INSERT_SQL: Final = """
INSERT INTO tokens (name, hash, scope, is_owner, created_at, expires_at)
VALUES (:name, :hash, :scope, :is_owner, :created_at, :expires_at)
ON CONFLICT (name) DO NOTHING RETURNING name
"""
_USED_SQL: Final = "UPDATE tokens SET last_used_on = :day WHERE hash = :hash"

SESSION_MARK: Final = ".page."
"""The middle of the name of a session of the pages, after the name of its token; see
`memory.operations.page_sessions`. No token has a dot in its name.
"""

_TOKENS: Final = f"FROM tokens WHERE name NOT LIKE '%{SESSION_MARK}%'"


@dataclass(frozen=True, slots=True)
class Token:
    """A named token, without its secret.

    `owner`: what it writes counts as the person's own words; else as an agent's, from which no
    standing instruction is taken. `last_used_on` is a day.
    """

    name: str
    scope: TokenScope
    owner: bool
    created_at: str
    expires_at: str | None
    last_used_on: str | None = None


@dataclass(frozen=True, slots=True)
class NewToken(Token):
    """A token that has just been created, with the secret that is shown this once."""

    token: str = ""


class FoundToken(NamedTuple):
    """The answer about a secret: whether there is any token at all, and the token if known.

    `refused` says why a known token is not accepted.
    """

    any_token: bool
    token: Token | None = None
    refused: str = ""
    tenant: Tenant | None = None


class TokenStore(NamedTuple):
    """The tokens and sessions of one memory.

    refused  returns the names of those of these tokens, given with their hashes, that need consent
    tenant   the tenant whose memory it is; None: the server's own
    """

    database: Database
    refused: Callable[[Mapping[str, bytes]], list[str]] = lambda _hashes: []
    tenant: Tenant | None = None


def tokens_of(workspace: Workspace) -> TokenStore:
    """Return the tokens of an open memory that is not a tenant's."""
    return TokenStore(workspace.storage.database, partial(refused_tokens, workspace))


def new_secret(random_bytes: int, tenant: str) -> str:
    """Return a random text, which ends with the name of its tenant if it has one."""
    return secrets.token_urlsafe(random_bytes) + (f".{tenant}" if tenant else "")


def tenant_of(secret: str) -> str:
    """Return the name of the tenant in a token or a session's secret, empty if there is none."""
    return secret.rpartition(".")[2] if "." in secret else ""


def create_token(
    workspace: Workspace,
    name: str,
    *,
    scope: TokenScope,
    owner: bool = False,
    expires: str | None = None,
    tenant: str = "",
) -> NewToken:
    """Create a token that running servers accept at once; `tenant` is whose memory it is, if any.

    `expires` is a day, a time, or so long from now (`30d`). Raises InputError for an invalid or
    used name, an unknown scope, and a time that is past.
    """
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InputError(
            f"the name is {name!r:.80}", hint="give 1 to 63 letters, digits, - and _, as in claude"
        )
    if scope not in SCOPES:
        raise InputError(f"there is no scope {scope!r}", hint=f"scopes are {', '.join(SCOPES)}")
    until = None if expires is None else utc_text(read_deadline(expires))
    secret = PREFIX + new_secret(_RANDOM_BYTES, tenant)
    made = NewToken(name, scope, owner, utc_now(), until, token=secret)
    values = {
        "name": name,
        "hash": hash_of(secret),
        "scope": scope,
        "is_owner": int(owner),
        "created_at": made.created_at,
        "expires_at": until,
    }
    with workspace.storage.database.transaction() as tx:
        if not tx.run(_INSERT_SQL, values):
            raise InputError(
                f"there is a token {name} already",
                hint=f"choose another name, or revoke that one first: mem token revoke {name}",
            )
        consent_to_token(workspace, name, hash_of(secret))
    return made


def list_tokens(workspace: Workspace) -> list[Token]:
    """Return every token in the order of the names, expired ones too."""
    sql = f"SELECT {_FIELDS} {_TOKENS} ORDER BY name"
    return [_token(row) for row in workspace.storage.database.read(sql)]


def revoke_token(workspace: Workspace, name: str) -> Token:
    """Remove a token and its sessions, which running servers refuse at once; return what it was.

    Raises NotFoundError for an unknown name.
    """
    sql = f"DELETE FROM tokens WHERE name = :name RETURNING {_FIELDS}"
    sessions = "DELETE FROM tokens WHERE substr(name, 1, length(:mark)) = :mark"
    with workspace.storage.database.transaction() as tx:
        rows = tx.run(sql, {"name": name})
        tx.run(sessions, {"mark": f"{name}{SESSION_MARK}"})
    if not rows:
        raise NotFoundError(f"there is no token {name!r:.80}", hint="list them: mem token list")
    return _token(rows[0])


def find_token(tokens: TokenStore, secret: str) -> FoundToken:
    """Return the token with this secret, as the database has it at this moment.

    Every hash is compared, each in constant time. The day of use is noted, unless another process
    is writing.
    """
    database, tenant = tokens.database, tokens.tenant
    rows = database.read(f"SELECT hash, {_FIELDS} {_TOKENS}")
    given = hash_of(secret)
    matching = [row for row in rows if hmac.compare_digest(row[0], given)]
    if not matching:
        return FoundToken(bool(rows))
    token = _token(matching[0][1:])
    if token.expires_at is not None and token.expires_at <= utc_now():
        why = f"the token {token.name} expired on {token.expires_at[:10]}"
        return FoundToken(True, token, why, tenant)
    if tokens.refused({token.name: given}):
        why = f"the database that holds {token.name} is not trusted"
        return FoundToken(True, token, why, tenant)
    _note_use(database, token, given)
    return FoundToken(True, token, tenant=tenant)


def has_none_at_once(tokens: TokenStore) -> bool:
    """Return whether there is no token; False also where finding out takes waiting."""
    return tokens.database.read_at_once(f"SELECT 1 {_TOKENS} LIMIT 1") == []


def take_over_tokens(live: Database, tx: Transaction) -> None:
    """Replace the tokens of a restored copy by those in force: a backup revives no revoked one."""
    sql = f"SELECT hash, {_FIELDS} FROM tokens"
    names = ["hash", *_FIELDS.split(", ")]
    tx.run("DELETE FROM tokens")
    columns = ", ".join(names)
    tx.run_many(
        f"INSERT INTO tokens ({columns}) VALUES ({', '.join(f':{name}' for name in names)})",
        [dict(zip(names, row, strict=True)) for row in live.read(sql)],
    )


def expire_tokens(tx: Transaction) -> int:
    """Let all tokens and sessions expire now; return the number of tokens that had been valid.

    They stay, since a server without any token answers everybody on this machine.
    """
    sql = """UPDATE tokens SET expires_at = :now
        WHERE expires_at IS NULL OR expires_at > :now RETURNING name"""
    return sum(SESSION_MARK not in name for (name,) in tx.run(sql, {"now": utc_now()}))


def _note_use(database: Database, token: Token, digest: bytes) -> None:
    today = datetime.now(UTC).date().isoformat()
    if token.last_used_on == today:
        return
    with suppress(BusyError, StorageError), database.transaction(wait=False) as tx:
        tx.run(_USED_SQL, {"day": today, "hash": digest})


def _token(row: tuple[object, ...]) -> Token:
    name, scope, is_owner, *rest = row
    return Token(name, scope, bool(is_owner), *rest)  # type: ignore[arg-type]  # as the table has them


def hash_of(secret: str) -> bytes:
    """Return what the database keeps of a secret."""
    return sha256(secret.encode("utf-8", "surrogatepass")).digest()
