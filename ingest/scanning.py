"""Finds the files below some folders, without opening any that the rules leave out.

A scan of thousands of unchanged files happens before every sync, so it is made of what the folder
listing already knows: one `stat` for each wanted file, real paths only for symbolic links, ignore
files only where there are some.

Symbolic links are never walked through. What a link inside the roots points to is found where it
really lies, once, under the rules that hold there; so what an ignore file hides stays hidden,
whichever link leads to it, and no loop can arise. What lies outside the roots is reported.
"""

import errno
import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from contracts import NotFoundError
from ingest.ignore import FOLDER_MARKS, GITIGNORE, MEMIGNORE, FolderRules
from ingest.loaders import DEFAULT_MAX_SIZE_BYTES, DEFAULT_PATTERNS, read_bytes
from ingest.loaders.reading import describe, refuse, too_large
from ingest.patterns import FilePatterns
from ingest.values import FileEntry, SkippedFile

_IGNORE_FILE_LIMIT_BYTES: Final = 1024 * 1024
_NO_TARGET: Final = {errno.ENOENT, errno.ENOTDIR, errno.ELOOP}


@dataclass(frozen=True, slots=True)
class ScanRules:
    """Which files a scan takes.

    `file_patterns` are matched with the file's name, or with its path below the root when they
    have a slash; upper and lower case are the same. Larger files than `max_size_bytes` are listed
    as skipped.
    """

    file_patterns: tuple[str, ...] = DEFAULT_PATTERNS
    max_size_bytes: int = DEFAULT_MAX_SIZE_BYTES


def scan(
    roots: Sequence[str | os.PathLike[str]], rules: ScanRules | None = None
) -> Iterator[FileEntry | SkippedFile]:
    """Every wanted file below `roots`, each real file once, and what had to be left out.

    Names come in order: the files of a folder, then its sub-folders. A root that is a file is taken
    whatever patterns and ignore files say. Ignore files above a root do not hold: to name a folder
    is to ask for it. Folders are listed one at a time, while the result is consumed.

    Raises NotFoundError at once when a root does not exist.
    """
    return _Scan(_real_paths(roots), rules or ScanRules()).run()


def _real_paths(roots: Sequence[str | os.PathLike[str]]) -> list[str]:
    found: dict[str, None] = {}
    for root in roots:
        try:
            found[os.path.realpath(root, strict=True)] = None
        except (OSError, ValueError) as error:
            if isinstance(error, OSError) and error.errno not in _NO_TARGET:
                found[os.path.realpath(root)] = None  # reported by the scan, as other folders are
                continue
            raise NotFoundError(
                f"{os.fspath(root)!r} does not exist",
                hint="check its spelling; a relative path starts at the working directory",
            ) from error
    return list(found)


@dataclass(frozen=True, slots=True)
class _Folder:
    path: str
    below_root: str
    rules: FolderRules
    wanted: bool
    """Named as a root or expressly brought back: marks of caches do not count."""


class _Scan:
    def __init__(self, roots: list[str], rules: ScanRules) -> None:
        self._roots = frozenset(roots)
        self._order = roots
        self._patterns = FilePatterns(rules.file_patterns)
        self._max_size_bytes = rules.max_size_bytes

    def run(self) -> Iterator[FileEntry | SkippedFile]:
        for root in self._order:
            try:
                status = Path(root).lstat()
            except OSError as error:
                yield _failed(root, error)
                continue
            if not _is_printable(root):
                yield refuse(root, "undecodable", "its name is no UTF-8")
            elif stat.S_ISDIR(status.st_mode):
                yield from self._tree(root)
            elif not stat.S_ISREG(status.st_mode):
                yield refuse(root, "unreadable", "no regular file")
            else:
                yield self._entry(root, status)

    def _tree(self, root: str) -> Iterator[FileEntry | SkippedFile]:
        stack = [_Folder(root, "", FolderRules(), wanted=True)]
        while stack:
            folder = stack.pop()
            try:
                with os.scandir(folder.path) as listing:
                    entries = sorted(listing, key=_name)
            except OSError as error:
                yield _failed(folder.path, error)
                continue
            names = {entry.name for entry in entries}
            if not folder.wanted and not names.isdisjoint(FOLDER_MARKS):
                continue
            rules = folder.rules
            if GITIGNORE in names or MEMIGNORE in names:
                own = _own_rules(folder.path, names)
                if isinstance(own, SkippedFile):
                    yield own
                    continue
                rules = rules.joined(gitignore=own[0], memignore=own[1])
            subfolders: list[_Folder] = []
            for entry in entries:
                found = self._look(entry, folder.below_root, rules)
                if isinstance(found, _Folder):
                    subfolders.append(found)
                elif found is not None:
                    yield found
            stack.extend(reversed(subfolders))

    def _look(
        self, entry: os.DirEntry[str], below_root: str, rules: FolderRules
    ) -> _Folder | FileEntry | SkippedFile | None:
        """What an entry of a folder comes to; None when it is nothing to us."""
        name = entry.name
        try:
            if entry.is_symlink():
                return self._link(entry, below_root, rules)
            if entry.is_dir(follow_symlinks=False):
                return self._subfolder(entry, below_root, rules)
            if not entry.is_file(follow_symlinks=False):
                return None
            if not self._patterns.take(name, below_root) or rules.verdict(name, folder=False):
                return None
            if not _is_printable(name):
                return refuse(entry.path, "undecodable", "its name is no UTF-8")
            if entry.path in self._roots:
                return None
            return self._entry(entry.path, entry.stat(follow_symlinks=False))
        except OSError as error:
            return _failed(entry.path, error)

    def _entry(self, path: str, status: os.stat_result) -> FileEntry | SkippedFile:
        if status.st_size > self._max_size_bytes:
            return too_large(path, status.st_size, self._max_size_bytes)
        return FileEntry(path, status.st_size, status.st_mtime_ns)

    def _subfolder(
        self, entry: os.DirEntry[str], below_root: str, rules: FolderRules
    ) -> _Folder | SkippedFile | None:
        verdict = rules.verdict(entry.name, folder=True)
        if verdict or entry.path in self._roots:  # a root of its own is walked on its own
            return None
        if not _is_printable(entry.name):
            return refuse(entry.path, "undecodable", "its name is no UTF-8")
        below = f"{below_root}{entry.name}/"
        return _Folder(entry.path, below, rules.below(entry.name), wanted=verdict is False)

    def _link(
        self, entry: os.DirEntry[str], below_root: str, rules: FolderRules
    ) -> SkippedFile | None:
        if rules.verdict(entry.name, folder=False) or rules.verdict(entry.name, folder=True):
            return None
        wanted = self._patterns.take(entry.name, below_root)
        try:
            real = os.path.realpath(entry.path, strict=True)
        except OSError as error:
            if not wanted:
                return None
            if error.errno == errno.ELOOP:
                return refuse(entry.path, "unreadable", "symbolic links in a circle")
            return refuse(entry.path, "vanished", "a symbolic link without a target")
        if any(
            real == root or real.startswith(root.rstrip(os.sep) + os.sep) for root in self._roots
        ):
            return None
        if wanted or entry.is_dir():
            return refuse(entry.path, "outside", "a symbolic link to what lies outside the roots")
        return None


def _own_rules(path: str, names: set[str]) -> tuple[list[str], list[str]] | SkippedFile:
    """The lines of a folder's `.gitignore` and `.memignore`.

    When one cannot be read, the folder is left out: what it hides must not come to light.
    """
    lines: list[list[str]] = []
    for name in (GITIGNORE, MEMIGNORE):
        data: bytes | SkippedFile = b""
        if name in names:
            data = read_bytes(os.path.join(path, name), max_size_bytes=_IGNORE_FILE_LIMIT_BYTES)  # noqa: PTH118 - paths are text here
        if isinstance(data, SkippedFile) and data.reason != "vanished":
            return refuse(path, "unreadable", f"its {name} cannot be read: {data.detail}")
        text = "" if isinstance(data, SkippedFile) else data.decode("utf-8-sig", "surrogateescape")
        lines.append([line.removesuffix("\r") for line in text.split("\n")])
    return lines[0], lines[1]


def _failed(path: str, error: OSError) -> SkippedFile:
    if error.errno in _NO_TARGET:
        return refuse(path, "vanished", "no longer there")
    return refuse(path, "unreadable", describe(error))


def _is_printable(name: str) -> bool:
    """Whether the system's bytes were UTF-8: others stand as lone surrogates, which no database
    takes as text.
    """
    if name.isascii():
        return True
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _name(entry: os.DirEntry[str]) -> str:
    return entry.name
