"""Finds the configuration file, reads it and answers with the settings in force.

The way of a file: found, parsed (`config_json`), checked (`config_check`), trusted or refused
(`trust`), expanded and resolved (`config_expand`).
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, TypeAlias

from contracts import ConfigError, NotFoundError
from memory.config import Config
from memory.config_check import Problem, offset_of, read_config
from memory.config_expand import expand, resolve_paths
from memory.config_json import Node, parse, place
from memory.config_keys import with_values
from memory.config_places import user_config_folder, user_data_folder
from memory.config_types import fields_of
from memory.trust import is_trusted, require_trust, restricted_settings

FILE_NAME = "constitution_config.json"
VARIABLE = "MEM_CONFIG"

Origin: TypeAlias = Literal["argument", "environment", "working directory", "user", "defaults"]

_STORAGE = "memory.storage_path"


@dataclass(frozen=True, slots=True)
class FoundConfig:
    """Which file applies, and why that one. `path` is absolute; None: there is none."""

    path: Path | None
    origin: Origin

    @property
    def trusted(self) -> bool:
        """Whether the file may do everything: it was named, is the user's own, or is trusted."""
        return self.path is None or self.origin != "working directory" or is_trusted(self.path)


@dataclass(frozen=True, slots=True)
class LoadedConfig:
    """The settings in force and where they come from.

    config    every `${VAR}` replaced, every path absolute
    written   the same as the file has it, defaults where it says nothing
    path      the file, absolute; None without one
    base_dir  the folder that relative paths start at
    """

    config: Config
    written: Config
    path: Path | None
    base_dir: Path
    origin: Origin

    @property
    def database_path(self) -> Path:
        """The database file, absolute; it need not exist."""
        return Path(self.config.memory.storage_path)

    @property
    def trusted(self) -> bool:
        """Whether the file may do everything; see `memory.trust`."""
        return FoundConfig(self.path, self.origin).trusted


@dataclass(frozen=True, slots=True)
class ParsedConfig:
    """A file as it stands: its text, the places in it, its settings and what is wrong with them."""

    path: Path
    text: str = field(repr=False)  # may hold secrets
    root: Node = field(repr=False)
    config: Config
    problems: tuple[Problem, ...]

    @property
    def foreign_sections(self) -> list[str]:
        """What stands beside `memory` and `privacy` and belongs to the host application."""
        members = self.root.content if isinstance(self.root.content, dict) else {}
        return [
            name for name in members if name not in fields_of(self.config) and name != "$schema"
        ]

    def unset_variables(self, environ: Mapping[str, str] | None = None) -> list[Problem]:
        """What is wrong with the `${VAR}` of the file in this environment."""
        _, problems = expand(self.config, os.environ if environ is None else environ)
        return [replace(problem, offset=offset_of(self.root, problem.key)) for problem in problems]

    def describe(self, problem: Problem) -> str:
        """The problem with the line and column it stands at: `FILE:3:20: ...`."""
        if problem.offset is None:
            return f"{self.path}: {problem.fact}"
        line, column = place(self.text, problem.offset)
        return f"{self.path}:{line}:{column}: {problem.fact}"

    def refuse(self, problems: Sequence[Problem]) -> None:
        """Raise ConfigError for the first problem, if there is one."""
        if not problems:
            return
        first, *others = problems
        more = f" ({len(others)} more: mem config validate)" if others else ""
        raise ConfigError(self.describe(first), hint=first.hint + more)


def load_config(
    path: Path | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    database: Path | None = None,
) -> LoadedConfig:
    """The settings of the file at `path`, or else of the one that `find_config` finds.

    `database` replaces `memory.storage_path`, relative to `cwd`; it was typed by the user, so it
    may lie anywhere.

    Raises NotFoundError for a named file that does not exist, ConfigError for one that cannot be
    used, ForbiddenError for an untrusted one that does what needs trust.
    """
    environ = os.environ if environ is None else environ
    cwd = (cwd or Path.cwd()).absolute()
    found = find_config(path, environ=environ, cwd=cwd)
    if found.path is None:
        base_dir, written = cwd, _without_file()
    else:
        base_dir, written = found.path.parent, _checked(found, environ, database=database)
    if database is not None:
        written = with_values(written, [(_STORAGE, str(cwd / database.expanduser()))])
    expanded, _ = expand(written, environ)
    config = resolve_paths(expanded, base_dir)
    return LoadedConfig(config, written, found.path, base_dir, found.origin)


def find_config(
    path: Path | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> FoundConfig:
    """The file that applies: named by the argument, by MEM_CONFIG, or `constitution_config.json`
    in the working directory, else in the user's configuration folder.

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


def parse_config(path: Path) -> ParsedConfig:
    """The file at `path` with every problem of its settings; needs neither trust nor environment.

    Raises ConfigError when it cannot be read or is no JSON with comments.
    """
    text = _read_text(path)
    root = parse(text, name=str(path))
    config, problems = read_config(root)
    return ParsedConfig(path, text, root, config, tuple(problems))


def _checked(found: FoundConfig, environ: Mapping[str, str], *, database: Path | None) -> Config:
    """What the file says, once nothing of it is wrong, unset or forbidden."""
    assert found.path is not None  # noqa: S101  # the caller has looked; this tells mypy
    parsed = parse_config(found.path)
    parsed.refuse(parsed.problems)
    if found.origin == "working directory":
        ignore = frozenset({_STORAGE} if database else ())
        restricted = restricted_settings(parsed.config, found.path.parent, ignore=ignore)
        require_trust(found.path, restricted)
    parsed.refuse(parsed.unset_variables(environ))
    return parsed.config


def _without_file() -> Config:
    """The defaults, with the database where no project's folder has to be."""
    return with_values(Config(), [(_STORAGE, str(user_data_folder() / "memory.db"))])


def _existing(path: Path, named_by: str) -> Path:
    if not _is_file(path):
        raise NotFoundError(
            f"{named_by} names {path}, which is no file",
            hint=f"name an existing file, or make one: mem --config {path} init",
        )
    return path


def _is_file(path: Path) -> bool:
    # Unlike pathlib's, it takes a folder that may not be looked into for one without the file.
    return os.path.isfile(path)  # noqa: PTH113


def _read_text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        raise ConfigError(
            f"{path} cannot be read: {error.strerror}", hint="make it readable for you"
        ) from error
    except UnicodeDecodeError as error:
        raise ConfigError(
            f"{path} is not UTF-8: byte {error.start} belongs to no character",
            hint="save it again as UTF-8",
        ) from error
