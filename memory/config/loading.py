"""The loading of the configuration file into the settings in force.

The steps: find the file, parse it (`parsing`, `commented_json`), check it (`validation`), check its
trust (`trust`), expand and resolve its values (`expansion`).
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from contracts import NotFoundError
from memory.config.expansion import expand, resolve_paths
from memory.config.keys import with_values
from memory.config.settings import Config
from memory.values.user_folders import user_config_folder, user_data_folder

FILE_NAME = "constitution_config.json"
VARIABLE = "MEM_CONFIG"

Origin: TypeAlias = Literal["argument", "environment", "working directory", "user", "defaults"]

_STORAGE = "memory.storage_path"


class FoundConfig(NamedTuple):
    """The file that applies and the reason. `path` is absolute; None: there is no file."""

    path: Path | None
    origin: Origin

    @property
    def merely_found(self) -> bool:
        """Return whether nobody named the file, which may have come with a cloned repository."""
        return self.origin == "working directory"


class LoadedConfig(NamedTuple):
    """The settings in force and where they come from.

    config    every `${VAR}` replaced, every path absolute
    written   the same as the file has it, defaults where it says nothing
    path      the file, absolute; None without one
    base_dir  the folder that relative paths start at
    trusts_database  what the database says needs no consent: its remembered folders, its models
    """

    config: Config
    written: Config
    path: Path | None
    base_dir: Path
    origin: Origin
    trusts_database: bool = True

    @property
    def database_path(self) -> Path:
        """The database file, absolute; it need not exist."""
        return Path(self.config.memory.storage_path)

    @property
    def merely_found(self) -> bool:
        """Return whether nobody named the file; see `memory.config.trust`."""
        return FoundConfig(self.path, self.origin).merely_found


def load_config(
    path: Path | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    database: Path | None = None,
) -> LoadedConfig:
    """Load the settings of the file at `path`, or else of the one that `find_config` finds.

    `database` replaces `memory.storage_path`, relative to `cwd`, and is a file whatever
    `memory.backend` says; the user typed it, so it may be anywhere. What it says itself needs
    consent, though, unless it is in the user's data folder: it may have come from anywhere.

    Raises NotFoundError for a named file that does not exist, ConfigError for one that cannot be
    used, ForbiddenError for an untrusted one that does what needs trust.
    """
    environ = os.environ if environ is None else environ
    cwd = (cwd or Path.cwd()).absolute()
    found = find_config(path, environ=environ, cwd=cwd)
    database = database and cwd / database.expanduser()
    if found.path is None:
        base_dir, written = cwd, _without_file()
    else:
        from memory.config.parsing import usable_config

        base_dir = found.path.parent
        written = usable_config(found.path, environ, found=found.merely_found, database=database)
    if database is not None:
        written = with_values(written, [(_STORAGE, str(database)), ("memory.backend", "sqlite")])
    expanded, _ = expand(written, environ)
    config = resolve_paths(expanded, base_dir)
    trusts = not (found.merely_found or database) or _is_own(config.memory.storage_path)
    return LoadedConfig(config, written, found.path, base_dir, found.origin, trusts)


def find_config(
    path: Path | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> FoundConfig:
    """Find the file that applies: the one named by the argument or by MEM_CONFIG, or
    `constitution_config.json` in the working directory, else in the user's configuration folder.

    Raises NotFoundError when a named file does not exist.
    """
    environ = os.environ if environ is None else environ
    cwd = (cwd or Path.cwd()).absolute()
    if path is not None:
        return FoundConfig(_existing(cwd / path.expanduser(), "--config"), "argument")
    if named := environ.get(VARIABLE):
        return FoundConfig(_existing(cwd / Path(named).expanduser(), VARIABLE), "environment")
    if _is_file(beside := cwd / FILE_NAME):
        return FoundConfig(beside, "working directory")
    if _is_file(own := user_config_folder() / FILE_NAME):
        return FoundConfig(own, "user")
    return FoundConfig(None, "defaults")


def _is_own(database: str) -> bool:
    from memory.config.trust import is_own  # most commands do not need it

    return is_own(database)


def _without_file() -> Config:
    """Return the defaults, with the database in the user's data folder."""
    return with_values(Config(), [(_STORAGE, str(user_data_folder() / "memory.db"))])


def _existing(path: Path, named_by: str) -> Path:
    if not _is_file(path):
        raise NotFoundError(
            f"{named_by} names {path}, which is not a file",
            hint=f"name an existing file, or make one: mem --config {path} init",
        )
    return path


def _is_file(path: Path) -> bool:
    # Unlike pathlib's, it treats a folder without permission as one without the file.
    return os.path.isfile(path)  # noqa: PTH113
