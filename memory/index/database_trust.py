"""Consent to what a database says itself: its models, its tokens, the folders that it remembers.

A remembered folder outside the one that the database came with is not read until the user names it
(`mem sync FOLDER`) or consents (`mem config trust`). A database in the user's data folder, or one
that the user's own configuration names, is the user's, and nothing is asked.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

from contracts import StorageError
from contracts.named_tuple import NamedTuple
from memory.config.trust import Restricted, consent_list, give_consent, is_inside
from memory.index.embedding.model_choice import choose_model, configured_model
from memory.index.embedding.model_trust import model_claims, trust_command, waiting
from memory.storage.meta import REINDEX_WANTED, read_meta, remembered_roots
from memory.workspace import Workspace

_KEY = "remembered folder"
_SHOWN = 3
_SOURCES_SQL = "SELECT path FROM chat_sources ORDER BY path"
_HASHES_SQL = "SELECT name, hash FROM tokens ORDER BY name"


def allowed_roots(workspace: Workspace) -> list[str]:
    """Return the remembered roots that may be read."""
    return allowed_paths(workspace, remembered_roots(workspace.storage.database))


def allowed_paths(workspace: Workspace, paths: Sequence[str]) -> list[str]:
    """Return those of the paths that the database remembers which may be read."""
    if workspace.loaded.trusts_database:
        return list(paths)
    refused = {item.value for item in waiting(workspace, _root_claims(workspace, paths))}
    return [path for path in paths if os.path.realpath(path) not in refused]


def refused_roots(workspace: Workspace) -> list[str]:
    """Return the real paths of remembered roots that need consent and have none."""
    if workspace.loaded.trusts_database:
        return []
    claims = _root_claims(workspace, _remembered(workspace))
    return [str(item.value) for item in waiting(workspace, claims)]


def consent_to_roots(workspace: Workspace, roots: Iterable[str]) -> None:
    """Remember that the user named these folders.

    Without a place to remember it, they are read this time, and the next sync asks.
    """
    if workspace.path is not None:
        with suppress(StorageError):
            give_consent(workspace.path, _root_claims(workspace, roots))


def refused_tokens(workspace: Workspace, hashes: Mapping[str, bytes]) -> list[str]:
    """Return the names of those of these tokens that need consent and have none."""
    claims = _token_claims(workspace, hashes)
    refused = {item.value for item in waiting(workspace, claims)} if claims else ()
    return [name for name, digest in hashes.items() if digest.hex() in refused]


def consent_to_token(workspace: Workspace, name: str, digest: bytes) -> None:
    """Remember that the user made this token. Raises StorageError without a place for it."""
    if workspace.path is not None:
        give_consent(workspace.path, _token_claims(workspace, {name: digest}))


def database_claims(workspace: Workspace) -> list[Restricted]:
    """Return all that the database says and that needs consent, given already or not."""
    embeddings = workspace.config.embeddings
    chosen = [choose_model(space, embeddings) for space in workspace.storage.spaces().all()]
    wanted = read_meta(workspace.storage.database, REINDEX_WANTED)
    if wanted:
        active = workspace.storage.active_space()
        named = wanted["provider"], wanted["model"]
        chosen.append(configured_model(active, embeddings, provider=named[0], model=named[1]))
    roots = _root_claims(workspace, _remembered(workspace))
    hashes: dict[str, bytes] = dict(workspace.storage.database.read(_HASHES_SQL))
    return [*model_claims(workspace, chosen), *roots, *_token_claims(workspace, hashes)]


class _Warned(NamedTuple):
    """The warnings of a database that remembers these paths, by a list of consents as it was."""

    remembered: list[str]
    consents: object
    warnings: list[str]


def trust_warnings(workspace: Workspace) -> list[str]:
    """Return the warning about folders that are not read, if there are any.

    It is looked for again when the database remembers other folders, or the list of consents has
    changed: every search asks for it.
    """
    remembered, consents = _remembered(workspace), _state_of_consents()
    known = workspace.find(_Warned)
    if known is None or (known.remembered, known.consents) != (remembered, consents):
        known = _Warned(remembered, consents, _warnings(workspace))
        workspace.put(known)
    return known.warnings


def _state_of_consents() -> object:
    """Return what changes with the list of consents; None if it cannot be read."""
    try:
        found = consent_list().stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size


def _warnings(workspace: Workspace) -> list[str]:
    refused = refused_roots(workspace)
    if not refused:
        return []
    more = f" and {len(refused) - _SHOWN:,} more" if len(refused) > _SHOWN else ""
    return [
        f"{workspace.path} is not trusted, and remembers folders that are not read therefore: "
        f"{', '.join(refused[:_SHOWN])}{more}; to read them: {trust_command(workspace)}"
    ]


def _remembered(workspace: Workspace) -> list[str]:
    """Return the remembered folders and files: roots, and places of watched conversations."""
    sources: list[str] = [row[0] for row in workspace.storage.database.read_once(_SOURCES_SQL)]
    return [*remembered_roots(workspace.storage.database), *sources]


def _root_claims(workspace: Workspace, roots: Iterable[str]) -> list[Restricted]:
    loaded = workspace.loaded
    if loaded.trusts_database:
        return []
    real = dict.fromkeys(os.path.realpath(root) for root in roots)
    return [
        Restricted(_KEY, f"is {root}", root)
        for root in real
        if not (loaded.merely_found and is_inside(root, loaded.base_dir))
    ]


def _token_claims(workspace: Workspace, hashes: Mapping[str, bytes]) -> list[Restricted]:
    if workspace.loaded.trusts_database:
        return []
    return [
        Restricted("access token", f"lets in who has the token {name}", digest.hex())
        for name, digest in hashes.items()
    ]
