"""List a folder: all of it, or some names without reading the whole list.

A watcher asks about one file in a folder of ten thousand. The answer must equal that of a complete
scan exactly, so whenever looking up a name could differ from the list, the list is read.
"""

import contextlib
import os
import stat
import unicodedata
from collections.abc import Collection
from typing import Final, Protocol

_AS_LISTED: Final = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)


class Entry(Protocol):
    """The part of `os.DirEntry` that a scan needs."""

    @property
    def name(self) -> str: ...

    @property
    def path(self) -> str: ...

    def is_symlink(self) -> bool:
        """Return whether it is a symbolic link."""

    def is_dir(self, *, follow_symlinks: bool = True) -> bool:
        """Return whether it is a folder."""

    def is_file(self, *, follow_symlinks: bool = True) -> bool:
        """Return whether it is a regular file."""

    def stat(self, *, follow_symlinks: bool = True) -> os.stat_result:
        """Return its `os.stat` values."""


def list_folder(path: str, names: Collection[str] | None = None) -> list[Entry]:
    """The entries of a folder by name; at least the existing ones of `names`, if not None.

    Raises OSError when the folder cannot be listed.
    """
    if names is not None:
        with contextlib.suppress(OSError):
            return _looked_up(path, names)
    with os.scandir(path) as listing:
        return sorted(listing, key=_name)


def _looked_up(path: str, names: Collection[str]) -> list[Entry]:
    """The entries of these names. Raises OSError if only the list of the folder can tell."""
    os.close(os.open(path, _AS_LISTED))  # a folder that may not be listed is not entered
    found: list[Entry] = []
    for name in sorted(names):
        place = os.path.join(path, name)  # noqa: PTH118  # paths are text here
        try:
            status = os.lstat(place)
        except (FileNotFoundError, NotADirectoryError, ValueError):
            continue
        if _answers_to_other_spellings(path, name, status):
            raise OSError("the list has the spelling")
        found.append(_Named(name, place, status))
    return found


def _answers_to_other_spellings(path: str, name: str, status: os.stat_result) -> bool:
    """Return whether the system may have found `name` although its actual spelling differs."""
    others = {name.swapcase()}
    if not name.isascii():
        others |= {unicodedata.normalize("NFC", name), unicodedata.normalize("NFD", name)}
    for other in others - {name}:
        with contextlib.suppress(OSError, ValueError):
            if os.path.samestat(os.lstat(os.path.join(path, other)), status):  # noqa: PTH118
                return True
    return False


class _Named:
    """An entry that was looked up by its name."""

    __slots__ = ("_status", "name", "path")

    def __init__(self, name: str, path: str, status: os.stat_result) -> None:
        self.name = name
        self.path = path
        self._status = status

    def is_symlink(self) -> bool:
        return stat.S_ISLNK(self._status.st_mode)

    def is_dir(self, *, follow_symlinks: bool = True) -> bool:
        return stat.S_ISDIR(self._mode(follow_symlinks=follow_symlinks))

    def is_file(self, *, follow_symlinks: bool = True) -> bool:
        return stat.S_ISREG(self._mode(follow_symlinks=follow_symlinks))

    def stat(self, *, follow_symlinks: bool = True) -> os.stat_result:
        return os.stat(self.path) if follow_symlinks else self._status  # noqa: PTH116

    def _mode(self, *, follow_symlinks: bool) -> int:
        if not (follow_symlinks and self.is_symlink()):
            return self._status.st_mode
        try:
            return os.stat(self.path).st_mode  # noqa: PTH116  # paths are text here
        except FileNotFoundError:
            return 0


def _name(entry: Entry) -> str:
    return entry.name
