"""Writes a file whole or not at all: under another name first, then put in its place."""

import os
from pathlib import Path

from contracts import StorageError


def partial_copy(target: Path) -> Path:
    """The name that a copy has while it is being made, and keeps when its process is killed."""
    return target.with_name(f".{target.name}.partial-{os.getpid()}")


def put_in_place(file: Path, target: Path) -> None:
    """Give a finished file its name, in a way that survives a loss of power."""
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
    """The error for a file that the disk does not take."""
    return StorageError(
        f"{path} cannot be written: {error.strerror}",
        hint="check the folder's permissions and free space, or name another file",
    )
