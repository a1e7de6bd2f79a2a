"""Atomic writing of files: under another name first, then renamed to the target."""

import os
from pathlib import Path

from contracts import StorageError


def partial_copy(target: Path) -> Path:
    """Return the name of a copy in progress, which stays if its process is killed."""
    return target.with_name(f".{target.name}.partial-{os.getpid()}")


def put_in_place(file: Path, target: Path) -> None:
    """Rename a finished file to its target, safely against a loss of power."""
    try:
        for place in (file, file.parent):
            descriptor = os.open(place, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        file.replace(target)
    except OSError as error:
        raise refused(target, error) from error


def refused(path: Path, error: OSError) -> StorageError:
    """Return the error for a file that the disk refuses."""
    return StorageError(
        f"{path} cannot be written: {error.strerror}",
        hint="check the folder's permissions and free space, or name another file",
    )
