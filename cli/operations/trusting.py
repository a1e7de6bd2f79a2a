"""Consent to what a configuration file that was found says, and to what its database says."""

import os
from pathlib import Path
from typing import Any

from contracts import NotFoundError
from contracts.named_tuple import NamedTuple
from memory.config.loading import FILE_NAME, VARIABLE, FoundConfig, LoadedConfig, load_config
from memory.config.parsing import parse_config
from memory.config.trust import Restricted, give_consent, restricted_settings


class Trusted(NamedTuple):
    """A file, and what it may do from now on."""

    path: Path
    allowed: list[Restricted]

    def report(self) -> dict[str, Any]:
        """Return it as JSON has it; the values themselves may be secrets."""
        allowed = [{"key": item.key, "effect": item.effect} for item in self.allowed]
        return {"path": str(self.path), "trusted": True, "allowed": allowed}


def trust_all(found: FoundConfig, database: Path | None) -> list[Trusted]:
    """Consent to all that the file, and then its database or the given one, say.

    Raises what reading either does.
    """
    done = []
    if found.path is not None and (database is None or found.origin not in ("environment", "user")):
        config = parse_config(found.path).config
        restricted = restricted_settings(config, found.path.parent, own_database=False)
        give_consent(found.path, restricted)
        done.append(Trusted(found.path, restricted))
    loaded = _loaded(found, database)
    if loaded is not None and not loaded.trusts_database:
        done += _trust_database(loaded, is_named=database is not None)
    return done


def _loaded(found: FoundConfig, database: Path | None) -> LoadedConfig | None:
    """Return the settings in force where that file is found; None if it never is."""
    environ = {name: value for name, value in os.environ.items() if name != VARIABLE}
    if found.path is not None and found.path.name == FILE_NAME:
        return load_config(environ=environ, cwd=found.path.parent, database=database)
    return load_config(found.path, database=database) if database else None


def _trust_database(loaded: LoadedConfig, *, is_named: bool) -> list[Trusted]:
    from memory.index.database_trust import database_claims
    from memory.workspace import Workspace

    try:
        workspace = Workspace(loaded, create=False)
    except NotFoundError:
        if is_named:
            raise
        return []
    with workspace:
        claims = database_claims(workspace)
        give_consent(loaded.database_path, claims)
        return [Trusted(loaded.database_path, claims)]
