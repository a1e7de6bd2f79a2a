"""Reloading of a changed configuration file while the server runs (SIGHUP)."""

import os
from dataclasses import dataclass

from memory.config.keys import Key, all_keys, value_of, with_values
from memory.config.loading import VARIABLE, LoadedConfig, load_config
from memory.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Reloaded:
    """The dotted names of changed settings now in force, and of those that wait.

    Settings of the database, the model and access wait for a restart.
    """

    changed: list[str]
    waiting: list[str]

    def __str__(self) -> str:
        changed = ", ".join(self.changed) or "nothing"
        waiting = f"; at the next start: {', '.join(self.waiting)}" if self.waiting else ""
        return f"configuration read again, changed: {changed}{waiting}"


def reload_config(workspace: Workspace) -> Reloaded:
    """Read the workspace's configuration file again, by the same rules, and apply it.

    Raises what `load_config` raises; the settings in force then stay. The open database stays.
    """
    old = workspace.loaded
    new = _read_again(old)
    different = [key for key in all_keys() if _differs(key, old, new)]
    waiting = [key.name for key in different if _waits(key)]
    kept = [(name, value_of(old.config, name)) for name in waiting]
    config = with_values(new.config, kept)
    workspace.loaded = new._replace(config=config, trusts_database=old.trusts_database)
    workspace.config = config.memory
    return Reloaded([key.name for key in different if key.name not in waiting], waiting)


def _read_again(old: LoadedConfig) -> LoadedConfig:
    """Return the reloaded file; one merely found in the working directory needs trust as before."""
    environ = {name: value for name, value in os.environ.items() if name != VARIABLE}
    database = old.database_path
    if old.path is None:
        return old
    if old.merely_found:
        return load_config(environ=environ, cwd=old.path.parent, database=database)
    return load_config(old.path, environ=environ, database=database)


def _differs(key: Key, old: LoadedConfig, new: LoadedConfig) -> bool:
    return bool(value_of(old.config, key.name) != value_of(new.config, key.name))


def _waits(key: Key) -> bool:
    return key.setting.needs == "restart" or key.name.startswith("memory.embeddings.")
