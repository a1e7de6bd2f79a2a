"""The check of a file that a command is to write: it is not the database, nor a device."""

from pathlib import Path
from typing import Final

from contracts import InputError
from memory.workspace import Workspace

_BESIDE: Final = ("", "-wal", "-shm", "-journal")
"""The endings of the database's files."""


def check_output(file: Path, workspace: Workspace, *, force: bool) -> None:
    """Raise InputError for a file of the database, for a folder or a device, and, unless `force`,
    for a file that exists.
    """
    if workspace.path is not None:
        own = [Path(f"{workspace.path}{ending}") for ending in _BESIDE]
        if any(_is_same(file, one) for one in own):
            raise InputError(f"{file} belongs to the database itself", hint="name another file")
    if file.exists() and not file.is_file():
        raise InputError(f"{file} is not a file", hint="name another one")
    if file.exists() and not force:
        raise InputError(f"{file} already exists", hint="name another file, or add --force")


def _is_same(one: Path, other: Path) -> bool:
    if one.exists() and other.exists():
        return one.samefile(other)
    return one.absolute() == other.absolute()
