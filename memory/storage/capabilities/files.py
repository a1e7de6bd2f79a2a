"""Operations on the files of a database; a backend without files returns None instead.

An operation that needs them asks for them, and refuses clearly without them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeAlias

from contracts import InputError

PagesCallback: TypeAlias = Callable[[int, int], None]
"""Receives the number of parts copied, and their total."""


class StorageFiles(Protocol):
    """The files of an open database; none for one in memory, which can be copied to a file."""

    def names(self) -> list[Path]:
        """Return the existing files, the database itself first."""
        ...

    def log(self) -> Path:
        """Return the file with the newest changes, before they reach the database itself."""
        ...

    def empty_log(self) -> None:
        """Move the newest changes into the database itself, unless somebody reads now."""
        ...

    def copy_to(self, target: Path, *, progress: PagesCallback | None) -> None:
        """Write the database as of one moment to a file and check it; others may write meanwhile.

        The file is replaced once the copy is complete. Raises StorageError when the disk refuses.
        """
        ...

    def replace_content(self, source: Path, *, progress: PagesCallback | None) -> None:
        """Replace the database's content by that of a file, for every process that has it open.

        It is one transaction. `source` is changed for that.
        """
        ...

    def residue(self, words: Sequence[str]) -> dict[str, list[str]]:
        """Return which of these words each file contains, byte for byte as on the disk.

        Files without any are left out.
        """
        ...

    def is_recorded(self, words: str, columns: Mapping[str, Sequence[str]]) -> bool:
        """Return whether words are in these columns, by table, or in a name of the schema.

        Then they are rightly in a file.
        """
        ...


@dataclass(frozen=True, slots=True)
class SalvagedRows:
    """The copied rows, by table, the tables that lost some, and rows that were read and skipped.

    A row is skipped when the program could not read one of its values.
    """

    rows: dict[str, int]
    incomplete: list[str]
    skipped: dict[str, int]


class DatabaseFiles(Protocol):
    """Operations on files that hold databases, open or not."""

    def companions(self, path: Path) -> list[Path]:
        """Return the files that belong to a database beside its own, existing or not."""
        ...

    def check(self, path: Path) -> None:
        """Raise IncompatibleError for a foreign file and StorageError for a damaged database."""
        ...

    def is_damaged(self, path: Path) -> bool:
        """Return whether a file is a damaged database of this program.

        Raises StorageError when it cannot be opened, which says nothing about its content.
        """
        ...

    def copy(self, source: Path, target: Path, *, progress: PagesCallback | None) -> None:
        """Copy a sound database to another file, and migrate it to this program's version."""
        ...

    def salvage(self, path: Path, target: Path) -> SalvagedRows:
        """Create a new database from the readable parts of a damaged one.

        Raises NotFoundError when there is no file, IncompatibleError for another program's file,
        StorageError when no record of it can be read.
        """
        ...


def required(files: StorageFiles | None) -> StorageFiles:
    """Return the files of a storage. Raises InputError for a backend without files of its own."""
    if files is None:
        raise InputError(
            "the database is kept by a server, not in a file",
            hint="use the tools of that server to copy it",
        )
    return files
