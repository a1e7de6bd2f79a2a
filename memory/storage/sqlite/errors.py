"""SQLite's errors about files and disks, as errors with a next step."""

import contextlib
from collections.abc import Iterator
from typing import Final

import apsw

from contracts import BusyError, IncompatibleError, InputError, MemError, StorageError

BUSY_TIMEOUT_MS = 10_000

_OF_STORED_VALUES: Final = (
    "JSON array parsing error: Input does not start with '['",
    "Unknown type for int8 vector.",
    "Vector dimension ",
    "malformed JSON",
    "zero-length vectors are not supported.",
)
"""The beginnings of messages of functions that cannot read a value of a row, which is damaged."""

_OF_TABLES: Final = ("no such column: ", "no such table: ", "table ")
"""The beginnings of messages about tables: `table files has no column named path` is one, too."""

_NO_VECTORS: Final = ("no such table: vectors_", "no such table: vector_codes_")


def translate(error: apsw.Error, path: str) -> MemError | None:
    """Return the error a caller can react to, or None for a mistake of this program."""
    if isinstance(error, apsw.BusyError | apsw.LockedError | apsw.ProtocolError):
        return BusyError(
            f"another process has been writing to {path} for over {BUSY_TIMEOUT_MS // 1000} s",
            hint="try again, or see which process it is with `mem status`",
        )
    if isinstance(error, apsw.NotADBError):
        return IncompatibleError(
            f"{path} is not a SQLite database", hint="name another file with --db, or move it away"
        )
    if isinstance(error, apsw.SQLError) and str(error).startswith(_NO_VECTORS):
        return BusyError(
            f"a table of {path} is missing: {error}",
            hint="try again: another process may have removed a model's vectors; else run "
            "`mem doctor --fix`",
        )
    if isinstance(error, apsw.SQLError) and str(error).startswith(_OF_TABLES):
        return StorageError(
            f"the tables of {path} are not those of this program: {error}",
            hint="restart it if a newer version has been used; else put a backup back with "
            "`mem restore FILE`, or see what `mem doctor` finds",
        )
    is_of_value = isinstance(error, apsw.SQLError) and str(error).startswith(_OF_STORED_VALUES)
    if isinstance(error, apsw.CorruptError) or is_of_value:
        return StorageError(
            f"{path} is damaged: {error}",
            hint="put a backup back with `mem restore FILE`, or see what `mem doctor` finds",
        )
    if isinstance(error, apsw.FullError):
        return StorageError(
            f"the disk that holds {path} is full", hint="free some space; nothing was damaged"
        )
    if isinstance(error, apsw.ReadOnlyError | apsw.CantOpenError | apsw.PermissionsError):
        return StorageError(
            f"{path} cannot be opened for writing: {error}",
            hint="check the permissions of the file and its folder, or name another with --db",
        )
    if isinstance(error, apsw.IOError):
        return StorageError(
            f"the disk failed on {path}: {error}", hint="check the disk, then retry"
        )
    return None


@contextlib.contextmanager
def translated(path: str) -> Iterator[None]:
    """Turn SQLite's errors about files and disks into errors with a next step."""
    try:
        yield
    except apsw.Error as error:
        known = translate(error, path)
        if known is None:
            raise
        raise known from error
    except UnicodeDecodeError as error:
        raise StorageError(
            f"{path} is damaged: a stored text is not UTF-8",
            hint="find it with `mem doctor`, and fix it with `mem doctor --fix`",
        ) from error
    except UnicodeEncodeError as error:
        raise InputError(
            f"a text cannot be stored: {error.reason} at character {error.start}",
            hint="send valid Unicode; rename a file or folder whose name is not Unicode",
        ) from error
