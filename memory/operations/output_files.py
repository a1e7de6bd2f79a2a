"""The check of a file that a command is to write: it is not the database, nor a device."""

from pathlib import Path

from contracts import InputError
from memory.storage.opening import refuse_reserved
from memory.workspace import Workspace


def check_output(file: Path, workspace: Workspace, *, force: bool) -> None:
    """Raise InputError for the database, for the name of a file beside any database, for a folder
    or a device, and, unless `force`, for a file that exists.
    """
    refuse_reserved(file.resolve())
    own = workspace.path
    if own is not None and own.exists() and file.exists() and file.samefile(own):
        raise InputError(f"{file} is the database itself", hint="name another file")
    if file.exists() and not file.is_file():
        raise InputError(f"{file} is not a file", hint="name another one")
    if file.exists() and not force:
        raise InputError(f"{file} already exists", hint="name another file, or add --force")
