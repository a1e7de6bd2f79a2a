"""The reading of one configuration file: its text, its settings and their problems.

Separate from `loading`, so that a command without a configuration file loads no parser.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from contracts import ConfigError
from memory.config.commented_json import Node, parse, place
from memory.config.expansion import expand
from memory.config.field_types import fields_of
from memory.config.keys import NO_ADDRESS, ConfigProblem
from memory.config.settings import Config
from memory.config.trust import require_trust, restricted_settings
from memory.config.validation import offset_of, read_config


@dataclass(frozen=True, slots=True)
class ParsedConfig:
    """A parsed file: its text, the positions in it, its settings and their problems."""

    path: Path
    text: str = field(repr=False)  # may hold secrets
    root: Node = field(repr=False)
    config: Config
    problems: tuple[ConfigProblem, ...]

    @property
    def foreign_sections(self) -> list[str]:
        """The sections other than `memory` and `privacy`, which belong to the host application."""
        members = self.root.content if isinstance(self.root.content, dict) else {}
        return [
            name for name in members if name not in fields_of(self.config) and name != "$schema"
        ]

    def sets(self, name: str) -> bool:
        """Return whether the file has the setting with this dotted name."""
        return self.root.at(name) is not None

    def unset_variables(self, environ: Mapping[str, str] | None = None) -> list[ConfigProblem]:
        """Return the problems of the file's `${VAR}` in this environment."""
        _, problems = expand(self.config, os.environ if environ is None else environ)
        return [problem._replace(offset=offset_of(self.root, problem.key)) for problem in problems]

    def missing_address(self) -> list[ConfigProblem]:
        """Return the problem of a database on a server without an address; a database that is named
        otherwise needs none.
        """
        memory = self.config.memory
        if memory.backend != "postgres" or memory.dsn is not None:
            return []
        return [NO_ADDRESS._replace(offset=offset_of(self.root, "memory.backend"))]

    def describe(self, problem: ConfigProblem) -> str:
        """Describe a problem with its line and column: `FILE:3:20: ...`."""
        if problem.offset is None:
            return f"{self.path}: {problem.fact}"
        line, column = place(self.text, problem.offset)
        return f"{self.path}:{line}:{column}: {problem.fact}"

    def refuse(self, problems: Sequence[ConfigProblem]) -> None:
        """Raise ConfigError for the first problem, if there is one."""
        if not problems:
            return
        first, *others = problems
        more = f" ({len(others)} more: mem config validate)" if others else ""
        raise ConfigError(self.describe(first), hint=first.hint + more)


def parse_config(path: Path) -> ParsedConfig:
    """Parse the file at `path`, with every problem of its settings, without trust or environment.

    Raises ConfigError when it cannot be read or is not JSON with comments.
    """
    text = _read_text(path)
    root = parse(text, name=str(path))
    config, problems = read_config(root)
    return ParsedConfig(path, text, root, config, tuple(problems))


def empty_config(path: Path) -> ParsedConfig:
    """Return the content of a file without settings, to be written to `path`."""
    text = "{}\n"
    return ParsedConfig(path, text, parse(text, name=str(path)), Config(), ())


def usable_config(
    parsed: ParsedConfig, environ: Mapping[str, str], *, found: bool, database: Path | None
) -> Config:
    """Return the settings of a file as written, after checks of problems, variables and trust.

    A file that was merely `found` needs consent to some settings; `database` stands in for the one
    that it names. Raises ConfigError and ForbiddenError.
    """
    parsed.refuse(parsed.problems)
    if found:
        folder = parsed.path.parent
        restricted = restricted_settings(parsed.config, folder, database=database)
        require_trust(parsed.path, restricted)
    parsed.refuse(parsed.unset_variables(environ))
    return parsed.config


def _read_text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        raise ConfigError(
            f"{path} cannot be read: {error.strerror}", hint="make it readable for you"
        ) from error
    except UnicodeDecodeError as error:
        raise ConfigError(
            f"{path} is not UTF-8: byte {error.start} is not part of any character",
            hint="save it again as UTF-8",
        ) from error
