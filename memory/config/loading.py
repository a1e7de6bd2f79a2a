"""The loading of the configuration file into the settings in force.

The steps: find the file, parse it (`parsing`, `commented_json`), check it (`validation`), check its
trust (`trust`), expand and resolve its values (`expansion`).
"""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from contracts import ConfigError, NotFoundError
from contracts.named_tuple import NamedTuple
from memory.config.expansion import expand, resolve_paths
from memory.config.keys import with_values
from memory.config.settings import Config
from memory.values.user_folders import user_config_folder, user_data_folder

if TYPE_CHECKING:
    from memory.config.parsing import ParsedConfig

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
    users_database   the user's own database file; None where it is unknown
    trusts_database  what the database says needs no consent: its remembered folders, its models
    """

    config: Config
    written: Config
    path: Path | None
    base_dir: Path
    origin: Origin
    users_database: Path | None = None
    trusts_database: bool = True

    @property
    def database_path(self) -> Path:
        """The database file, absolute; it need not exist."""
        return Path(self.config.memory.storage_path)

    @property
    def database_name(self) -> str:
        """The name of the database for people; the address of a server is not in it."""
        memory = self.config.memory
        if memory.backend == "postgres":
            return f"postgres:{memory.schema}"
        return ":memory:" if memory.backend == "memory" else str(self.database_path)

    @property
    def other_database(self) -> str | None:
        """The name of the database where it is another than the user's own; `in memory` for one."""
        if self.config.memory.backend == "memory":
            return "in memory"
        if self.config.memory.backend == "postgres":
            return None if self.origin == "user" else self.database_name
        return None if self.database_path == self.users_database else str(self.database_path)

    def of_tenant(self, schema: str) -> "LoadedConfig":
        """Return the settings for another memory of the same database, in that schema.

        They are the same except for the server's own: it knows neither the folders nor the
        tokens of the configuration, nor the place of its file.
        """
        values = (
            ("memory.schema", schema),
            ("memory.files.watch_directories", ()),
            ("memory.server.tokens", ()),
        )
        return self._replace(
            config=with_values(self.config, values),
            written=with_values(self.written, values),
            path=None,
            origin="argument",
            trusts_database=True,  # consent to the address is consent to what the database says
        )

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

    Every folder has one memory, the user's own database, unless the file names another one.
    `database` replaces `memory.storage_path`, relative to `cwd`, and is a file whatever
    `memory.backend` says; the user typed it, so it may be anywhere. What it says itself needs
    consent, though, unless it is in the user's data folder: it may have come from anywhere.

    Raises NotFoundError for a named file that does not exist, ConfigError for one that cannot be
    used, ForbiddenError for an untrusted one that does what needs trust.
    """
    environ = os.environ if environ is None else environ
    cwd = (cwd or Path.cwd()).absolute()
    found = find_config(path, environ=environ, cwd=cwd)
    return load_found(found, environ=environ, cwd=cwd, database=database)


def load_found(
    found: FoundConfig, *, environ: Mapping[str, str], cwd: Path, database: Path | None
) -> LoadedConfig:
    """Load the settings of a file that was found, as `load_config` does."""
    users: Path | None = _default_database()
    database = database and cwd / database.expanduser()
    base_dir = cwd
    if found.path is None:
        written = with_values(Config(), [(_STORAGE, str(users))])
    else:
        from memory.config.parsing import parse_config

        base_dir, parsed = found.path.parent, parse_config(found.path)
        written, users = _with_file(parsed, found, environ, database=database)
    if database is not None:
        written = with_values(written, [(_STORAGE, str(database)), ("memory.backend", "sqlite")])
    expanded, _ = expand(written, environ)
    config = resolve_paths(expanded, base_dir)
    trusts = not (found.merely_found or database) or _is_users(config.memory.storage_path, users)
    return LoadedConfig(config, written, found.path, base_dir, found.origin, users, trusts)


def find_config(
    path: Path | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> FoundConfig:
    """Find the file that applies: the one named by the argument or by MEM_CONFIG, or
    `constitution_config.json` in the working directory or the nearest folder above it that has
    one, else in the user's configuration folder.

    Raises NotFoundError when a named file does not exist.
    """
    environ = os.environ if environ is None else environ
    cwd = (cwd or Path.cwd()).absolute()
    if path is not None:
        return FoundConfig(_existing(cwd / path.expanduser(), "--config"), "argument")
    if named := environ.get(VARIABLE):
        return FoundConfig(_existing(cwd / Path(named).expanduser(), VARIABLE), "environment")
    project = _projects_file(cwd)
    if project is not None and project != users_file():
        return FoundConfig(project, "working directory")
    return users_config()


def users_config() -> FoundConfig:
    """Return the user's own file, whatever the environment and the working directory name."""
    own = users_file()
    return FoundConfig(own, "user") if _is_file(own) else FoundConfig(None, "defaults")


def users_file() -> Path:
    """Return the path of the user's own configuration file; it need not exist."""
    return user_config_folder() / FILE_NAME


def _projects_file(cwd: Path) -> Path | None:
    """Return the file in `cwd` or the nearest folder above; one above must belong to this user.

    Anyone can put a file into a shared folder such as `/tmp`, and what is stored below it would go
    to their database. A link counts by its own owner.
    """
    for folder in (cwd, *cwd.parents):
        path = folder / FILE_NAME
        if _is_file(path) and (folder == cwd or _belongs_to_user(path)):
            return path
    return None


def _belongs_to_user(path: Path) -> bool:
    return sys.platform == "win32" or path.lstat().st_uid == os.geteuid()


def _with_file(
    parsed: "ParsedConfig",
    found: FoundConfig,
    environ: Mapping[str, str],
    *,
    database: Path | None,
) -> tuple[Config, Path | None]:
    """Return the settings of a file as written, and the user's own database; None: unknown.

    A file that names no database has the user's own; `database` replaces either.
    """
    from memory.config.parsing import usable_config

    names_one = parsed.sets(_STORAGE)
    users = _users_database(parsed, found, environ, needed=not (names_one or database))
    stands_in = database or (None if names_one else users)
    written = usable_config(parsed, environ, found=found.merely_found, database=stands_in)
    if not names_one:
        written = with_values(written, [(_STORAGE, str(users))])
    return written, users


def _users_database(
    parsed: "ParsedConfig", found: FoundConfig, environ: Mapping[str, str], *, needed: bool
) -> Path | None:
    """Return the user's own database. An unusable file of theirs matters only if it is `needed`."""
    from memory.config.parsing import parse_config

    own = users_file()
    if found.origin != "user" and not _is_file(own):
        return _default_database()
    try:
        return _database_of(parsed if found.origin == "user" else parse_config(own), environ)
    except ConfigError:
        if needed:
            raise
        return None


def _database_of(parsed: "ParsedConfig", environ: Mapping[str, str]) -> Path:
    """Return the database that a file of the user's own names, else the default one."""
    if not parsed.sets(_STORAGE):
        return _default_database()
    unset = parsed.unset_variables(environ)
    parsed.refuse([problem for problem in (*parsed.problems, *unset) if problem.key == _STORAGE])
    expanded, _ = expand(parsed.config, environ)
    return Path(resolve_paths(expanded, parsed.path.parent).memory.storage_path)


def _default_database() -> Path:
    return user_data_folder() / "memory.db"


def _is_users(database: str, users: Path | None) -> bool:
    from memory.config.trust import is_own  # most commands do not need it

    return database == str(users) or is_own(database)


def _existing(path: Path, named_by: str) -> Path:
    if not _is_file(path):
        hint = "name an existing file"
        if not os.path.isdir(path):  # noqa: PTH112  # no error
            hint += f", or make one: mem --config {path} init"
        raise NotFoundError(f"{named_by} names {path}, which is not a file", hint=hint)
    return path


def _is_file(path: Path) -> bool:
    # Unlike pathlib's, it treats a folder without permission as one without the file.
    return os.path.isfile(path)  # noqa: PTH113
