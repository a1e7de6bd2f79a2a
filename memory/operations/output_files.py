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
        own = {f"{workspace.path.resolve()}{ending}" for ending in _BESIDE}
        is_same = file.exists() and workspace.path.exists() and file.samefile(workspace.path)
        if is_same or str(file.resolve()) in own:
            raise InputError(f"{file} belongs to the database itself", hint="name another file")
    if file.exists() and not file.is_file():
        raise InputError(f"{file} is not a file", hint="name another one")
    if file.exists() and not force:
        raise InputError(f"{file} already exists", hint="name another file, or add --force")
