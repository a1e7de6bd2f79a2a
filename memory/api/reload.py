"""Reloading of a changed configuration file while the server runs.

The server looks at the file every second; SIGHUP reads it at once, changed or not.
"""

import os
from dataclasses import dataclass

from memory.config.keys import Key, all_keys, value_of, with_values
from memory.config.loading import VARIABLE, LoadedConfig, load_config, users_file
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


class FileChanges:
    """Changes of the configuration file that a workspace follows, or of the user's new one."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._read = self._before = self._state()

    def note_read(self) -> None:
        """Remember the file as it is now: it is about to be read."""
        self._read = self._before = self._state()

    def is_waiting(self) -> bool:
        """Return whether the file has changed, and not since the previous look.

        So a file that is still being written is left alone. A removed file changes nothing.
        """
        before, self._before = self._before, self._state()
        return self._before is not None and before == self._before != self._read

    def _state(self) -> tuple[int, ...] | None:
        path = self._workspace.loaded.path or users_file()
        try:
            found = path.stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns, found.st_size


def reload_config(workspace: Workspace) -> Reloaded:
    """Read the workspace's configuration file again, by the same rules, and apply it.

    Raises what `load_config` raises; the settings in force then stay. The open database stays.
    """
    old = workspace.loaded
    new = _read_again(old)
    different = [key for key in all_keys() if _differs(key, old, new)]
    waiting = [key.name for key in different if key.waits_for_restart]
    kept = [(name, value_of(old.config, name)) for name in waiting]
    config = with_values(new.config, kept)
    workspace.loaded = new._replace(config=config, trusts_database=old.trusts_database)
    workspace.config = config.memory
    return Reloaded([key.name for key in different if key.name not in waiting], waiting)


def _read_again(old: LoadedConfig) -> LoadedConfig:
    """Return the reloaded file; one merely found in the working directory needs trust as before."""
    environ = {name: value for name, value in os.environ.items() if name != VARIABLE}
    is_file = old.config.memory.backend == "sqlite"
    database = old.database_path if is_file else None
    if old.path is None:
        new = load_config(environ=environ, cwd=users_file().parent, database=database)
        return new if new.origin == "user" else old
    if old.merely_found:
        return load_config(environ=environ, cwd=old.path.parent, database=database)
    return load_config(old.path, environ=environ, database=database)


def _differs(key: Key, old: LoadedConfig, new: LoadedConfig) -> bool:
    return bool(value_of(old.config, key.name) != value_of(new.config, key.name))
