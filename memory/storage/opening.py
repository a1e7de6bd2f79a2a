"""Opens a database by the name of its backend. No other module knows which backends there are."""

from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from memory.storage.base import Storage

if TYPE_CHECKING:
    from memory.storage.capabilities.files import DatabaseFiles
    from memory.storage.capabilities.other_programs import ForeignFile

IN_MEMORY = "memory"
"""The backend of a database that ends with its process."""


def open_storage(backend: str, path: Path | None = None, *, create: bool = True) -> Storage:
    """Open a database, bringing it to this program's version.

    `path` is the file of the backend `sqlite`; the other one has none. Raises NotFoundError when
    there is none and `create` is false, IncompatibleError for a file that is no database, another
    program's, or a newer version's, StorageError when the disk does not allow it. A file that is
    refused is left as it was. One that this user may only read can be read, unless `create` says
    that more is wanted.
    """
    from memory.storage.sqlite.backend import SqliteStorage  # first looked for when it is wanted

    if backend == IN_MEMORY or path is None:
        return SqliteStorage.in_memory()
    return SqliteStorage.open(path, create=create)


def database_files(backend: str) -> "DatabaseFiles | None":
    """Work on the files of a backend that need not be open; None for one that has no files."""
    if backend == IN_MEMORY:
        return None
    from memory.storage.sqlite.files.database_files import SqliteDatabaseFiles

    return SqliteDatabaseFiles()


def open_foreign(path: Path, *, hint: str) -> "AbstractContextManager[ForeignFile]":
    """Open a database file of another program.

    Raises NotFoundError when there is none, IncompatibleError for a file that is no database,
    InputError, with this hint, for one whose tables cannot be read, StorageError for a damaged one.
    """
    from memory.storage.sqlite.files.foreign import open_foreign_file

    return open_foreign_file(path, hint=hint)
