"""The user's folders for data, configuration and running servers, and the one they work in.

platformdirs knows every system's folders and takes 5 ms to import, a twentieth of a search. So on
Linux the XDG base directory specification is read here, where the environment is as it should be.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

_NAME = "symbiosis-memory"

_of_command: ContextVar[Path | None] = ContextVar("working_folder", default=None)


def user_config_folder() -> Path:
    """Return the folder of the user's own configuration file and list of trusted files."""
    known = _xdg_folder("XDG_CONFIG_HOME", ".config")
    if known is not None:
        return known
    from platformdirs import user_config_path

    return user_config_path(_NAME, appauthor=False)


def user_data_folder() -> Path:
    """Return the folder of the database that is used without any configuration file."""
    known = _xdg_folder("XDG_DATA_HOME", ".local/share")
    if known is not None:
        return known
    from platformdirs import user_data_path

    return user_data_path(_NAME, appauthor=False)


def user_runtime_folder() -> Path:
    """Return the folder for what running servers leave, which only the user may enter.

    It is of this machine and, where the system has one, of this login; nothing in it outlives a
    server that ends by itself.
    """
    given = os.environ.get("XDG_RUNTIME_DIR", "")
    return Path(given, _NAME) if given.startswith("/") else user_data_folder() / "run"


def _xdg_folder(variable: str, below_home: str) -> Path | None:
    """Return the folder that the specification names; None where platformdirs has to find it."""
    if sys.platform != "linux":
        return None
    given, home = os.environ.get(variable, ""), os.environ.get("HOME", "")
    if given.startswith("/"):
        return Path(given, _NAME)
    return Path(home, below_home, _NAME) if home.startswith("/") else None


def working_folder() -> Path:
    """Return the working directory, absolute: relative paths and citations start there.

    It is that of the process, except while a server runs a command of the command line: then it is
    the one in which that was typed.
    """
    return _of_command.get() or Path.cwd()


def is_for_command() -> bool:
    """Return whether a server runs a command of the command line in this thread."""
    return _of_command.get() is not None


@contextmanager
def in_folder_of_command(folder: Path) -> Iterator[None]:
    """Run a command in the folder in which it was typed; other threads stay where they are."""
    token = _of_command.set(folder)
    try:
        yield
    finally:
        _of_command.reset(token)
