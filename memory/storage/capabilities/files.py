"""Whatever only a database that is a file can do. A backend without files says so by None.

An operation that needs it asks for it, and refuses clearly where there is none.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeAlias

from contracts import InputError

PagesCallback: TypeAlias = Callable[[int, int], None]
"""Told how many parts are copied, and of how many."""


class StorageFiles(Protocol):
    """The files of an open database; none for one in memory, which can be copied to a file."""

    def names(self) -> list[Path]:
        """Those that are there, the database itself first."""
        ...

    def log(self) -> Path:
        """The file that the newest changes are in, before they reach the database itself."""
        ...

    def empty_log(self) -> None:
        """Move the newest changes into the database itself, unless somebody reads just now."""
        ...

    def copy_to(self, target: Path, *, progress: PagesCallback | None) -> None:
        """Write the database as it is at one moment to a file, which is checked, whoever writes
        meanwhile.

        The file is replaced once the copy is whole. Raises StorageError when the disk refuses.
        """
        ...

    def replace_content(self, source: Path, *, progress: PagesCallback | None) -> None:
        """Make the content of a file that of the database, for all that have it open.

        It is one transaction. `source` is changed for that.
        """
        ...

    def residue(self, words: Sequence[str]) -> dict[str, list[str]]:
        """Which of these words stand in each file, byte for byte as they lie on the disk.

        Files without any are left out.
        """
        ...

    def is_recorded(self, words: str) -> bool:
        """Whether words stand in a row or a name that is there, and so rightly in a file."""
        ...


@dataclass(frozen=True, slots=True)
class SalvagedRows:
    """The rows that were copied, by table, and the tables of which some are lost."""

    rows: dict[str, int]
    incomplete: list[str]


class DatabaseFiles(Protocol):
    """Files that hold databases, open or not."""

    def companions(self, path: Path) -> list[Path]:
        """The files that belong to a database beside its own, whether or not they are there."""
        ...

    def check(self, path: Path) -> None:
        """Raise IncompatibleError for what is no database of ours, StorageError for a damaged
        one.
        """
        ...

    def copy(self, source: Path, target: Path, *, progress: PagesCallback | None) -> None:
        """Copy a sound database to another file, and bring it to this program's version."""
        ...

    def salvage(self, path: Path, target: Path) -> SalvagedRows:
        """Make a new database of what can be read of a damaged one.

        Raises NotFoundError when there is none, IncompatibleError when it is none of ours,
        StorageError when no record of it can be read.
        """
        ...


def required(files: StorageFiles | None) -> StorageFiles:
    """The files of a storage. Raises InputError for a backend that keeps none of its own."""
    if files is None:
        raise InputError(
            "the database is kept by a server, not in a file",
            hint="use the tools of that server to copy it",
        )
    return files
