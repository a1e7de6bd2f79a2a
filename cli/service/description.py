"""The command that runs as a service, and its variables, for any system."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cli.invocation import CliContext
from memory.config.loading import VARIABLE

NAME: Final = "symbiosis-memory"

_FOLDERS: Final = ("XDG_CONFIG_HOME", "XDG_DATA_HOME")
"""Variables that decide which memory is the user's own; a service manager has its own ones."""

VARIABLES_FILE: Final = """\
# Variables of the service of mem, one NAME=VALUE a line, such as OPENAI_API_KEY=...
# Only you may read this file. `mem service install` starts the service again with what is here.
"""


@dataclass(frozen=True, slots=True)
class ServiceDescription:
    """A command with absolute paths, its variables, and the file with those that are secret."""

    command: tuple[str, ...]
    variables: tuple[tuple[str, str], ...]
    variables_file: Path
    home: Path


def describe(
    context: CliContext, *, host: str | None, port: int | None, workers: int
) -> ServiceDescription:
    """Return the service of these options. It uses no file of the present working directory."""
    words = ["serve"]
    for option, value in (("--host", host), ("--port", port)):
        words += [] if value is None else [option, str(value)]
    words += ["--workers", str(workers)] if workers > 1 else []
    home = Path.home()
    return ServiceDescription(
        command=(*_program(), *_files(context), *words),
        variables=tuple(
            (name, os.environ[name])
            for name in _FOLDERS
            if os.environ.get(name, "").startswith("/")
        ),
        variables_file=config_home(home) / NAME / "service.env",
        home=home,
    )


def config_home(home: Path) -> Path:
    """Return the folder of the user's configuration files."""
    given = os.environ.get("XDG_CONFIG_HOME", "")
    return Path(given) if given.startswith("/") else home / ".config"


def _program() -> list[str]:
    """The program beside its interpreter, which stays where it is when the path changes."""
    program = Path(sys.executable).with_name("mem")
    return [str(program)] if program.exists() else [sys.executable, "-P", "-m", "cli.main"]


def _files(context: CliContext) -> list[str]:
    named = context.config_path or os.environ.get(VARIABLE)
    config = ["--config", str(Path(named).absolute())] if named else []
    return config + (["--db", str(context.db.absolute())] if context.db else [])
