"""SQLite's errors about files and disks, as errors with a next step."""

from pathlib import Path
from typing import Final, Generic, TypeVar

import apsw

from contracts import BusyError, IncompatibleError, InputError, MemError, StorageError
from memory.storage.sqlite.header import is_ours

BUSY_TIMEOUT_MS = 10_000

T = TypeVar("T")

_OF_STORED_VALUES: Final = (
    "JSON array parsing error: Input does not start with '['",
    "Unknown type for int8 vector.",
    "Vector dimension ",
    "malformed JSON",
    "zero-length vectors are not supported.",
)
"""The beginnings of messages of functions that cannot read a value of a row, which is damaged."""

_OF_TABLES: Final = ("no such column: ", "no such table: ", " has no column named ")
"""Parts of messages about tables that are not there, or are others."""

_FORMAT: Final = "unsupported file format"
"""The message about a number in the header that no version of SQLite writes."""

DAMAGED: Final = "put a backup back with `mem restore FILE`, or see what `mem doctor` finds"

CHECK_PERMISSIONS: Final = (
    "check the permissions of the file and its folder, or name another with --db"
)
_LOG_INDEX_BYTES: Final = 32_768
"""The least size of the index of a write-ahead log, which every process with a database shares."""

_NO_VECTORS: Final = ("no such table: vectors_", "no such table: vector_codes_")


def translate(error: BaseException, path: str) -> MemError | None:
    """Return the error a caller can react to, or None for any other, as a mistake of this program
    is.
    """
    if isinstance(error, apsw.BusyError | apsw.LockedError | apsw.ProtocolError):
        return BusyError(
            f"another process has been writing to {path} for over {BUSY_TIMEOUT_MS // 1000} s",
            hint="try again, or see which process it is with `mem status`",
        )
    if isinstance(error, apsw.NotADBError):
        if is_ours(path):
            return StorageError(f"{path} is damaged: its header cannot be read", hint=DAMAGED)
        return IncompatibleError(
            f"{path} is not a SQLite database", hint="name another file, or move it away"
        )
    if isinstance(error, apsw.SQLError) and str(error).startswith(_NO_VECTORS):
        return BusyError(
            f"a table of {path} is missing: {error}",
            hint="try again: another process may have removed a model's vectors; else run "
            "`mem doctor --fix`",
        )
    if isinstance(error, apsw.SQLError) and any(part in str(error) for part in _OF_TABLES):
        return StorageError(
            f"the tables of {path} are not those of this program: {error}",
            hint="restart it if a newer version has been used; else put a backup back with "
            "`mem restore FILE`, or see what `mem doctor` finds",
        )
    is_of_value = isinstance(error, apsw.SQLError) and str(error).startswith(
        (*_OF_STORED_VALUES, _FORMAT)
    )
    if isinstance(error, apsw.CorruptError) or is_of_value:
        return StorageError(f"{path} is damaged: {error}", hint=DAMAGED)
    if isinstance(error, apsw.FullError) or (isinstance(error, apsw.IOError) and _is_full(path)):
        return StorageError(
            f"the disk that holds {path} is full", hint="free some space; nothing was damaged"
        )
    if isinstance(error, apsw.ReadOnlyError | apsw.CantOpenError | apsw.PermissionsError):
        return StorageError(
            f"{path} cannot be opened for writing: {error}",
            hint=CHECK_PERMISSIONS,
        )
    if isinstance(error, apsw.IOError):
        return StorageError(
            f"the disk failed on {path}: {error}", hint="check the disk, then retry"
        )
    return _of_unicode(error, path)


def _is_full(path: str) -> bool:
    """Return whether there is no space for the index of a log, which reading needs, too: SQLite
    reports that as a failure of the disk.
    """
    from shutil import disk_usage  # only after an error

    try:
        return disk_usage(Path(path).parent).free < _LOG_INDEX_BYTES
    except OSError:
        return False


def _of_unicode(error: BaseException, path: str) -> MemError | None:
    if isinstance(error, UnicodeDecodeError):
        return StorageError(
            f"{path} is damaged: a stored text is not UTF-8",
            hint="find it with `mem doctor`, and fix it with `mem doctor --fix`",
        )
    if isinstance(error, UnicodeEncodeError):
        return InputError(
            f"a text cannot be stored: {error.reason} at character {error.start}",
            hint="send valid Unicode; rename a file or folder whose name is not Unicode",
        )
    return None


class Translating(Generic[T]):
    """Gives a value for a block, whose errors of SQLite become errors with a next step.

    It is not a generator: every read of a search uses one, and that would take three times as long.
    """

    def __init__(self, path: str, value: T) -> None:
        self._path = path
        self._value = value

    def __enter__(self) -> T:
        return self._value

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        known = None if error is None else translate(error, self._path)
        if known is not None:
            raise known from error


def translated(path: str) -> Translating[None]:
    """Turn SQLite's errors about files and disks into errors with a next step."""
    return Translating(path, None)
