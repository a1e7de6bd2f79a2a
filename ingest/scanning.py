"""Finds the files below some folders, without opening any that the rules leave out.

A scan of thousands of unchanged files happens before every sync, so it is made of what the folder
listing already knows: one `stat` for each wanted file, real paths only for symbolic links, ignore
files only where there are some. A scan of some paths alone goes down to them from the root, through
the same rules, and looks at nothing else.

Symbolic links are never walked through. What a link inside the roots points to is found where it
really lies, once, under the rules that hold there; so what an ignore file hides stays hidden,
whichever link leads to it, and no loop can arise. What lies outside the roots is reported.
"""

import errno
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from contracts import NotFoundError
from ingest.aims import Part, parts_of
from ingest.ignore import FOLDER_MARKS, GITIGNORE, MEMIGNORE, FolderRules
from ingest.listing import Entry, list_folder
from ingest.loaders import DEFAULT_MAX_SIZE_BYTES, DEFAULT_PATTERNS, read_bytes
from ingest.loaders.reading import describe, refuse, too_large
from ingest.patterns import FilePatterns
from ingest.values import FileEntry, SkippedFile

_IGNORE_FILE_LIMIT_BYTES: Final = 1024 * 1024
_TELLING: Final = FOLDER_MARKS | {GITIGNORE, MEMIGNORE}
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


Roots: TypeAlias = Sequence[str | os.PathLike[str]]


def scan(
    roots: Roots, rules: ScanRules | None = None, *, only: Iterable[str] | None = None
) -> Iterator[FileEntry | SkippedFile]:
    """Every wanted file below `roots`, each real file once, and what had to be left out.

    Names come in order: the files of a folder, then its sub-folders. A root that is a file is taken
    whatever patterns and ignore files say. Ignore files above a root do not hold: to name a folder
    is to ask for it. Folders are listed one at a time, while the result is consumed.

    `only` are absolute paths of files and folders, spelled as a scan spells them, that need not
    exist: what a scan of everything finds at or below them is found, and nothing else. A folder
    above one of them that cannot be looked into is listed, for nobody knows what it holds.

    Raises NotFoundError at once when a root does not exist.
    """
    return _files(_Scan(_real_paths(roots), rules or ScanRules(), only))


def folders(
    roots: Roots, rules: ScanRules | None = None, *, only: Iterable[str] | None = None
) -> Iterator[str]:
    """Every folder that a scan looks into, each before those in it: what there is to watch.

    With `only`, those at or below these paths. A root that is a file lies in none of them.
    """
    walk = _Scan(_real_paths(roots), rules or ScanRules(), only, only_folders=True)
    return (found.path for found in walk.run() if isinstance(found, _Folder) and found.part is None)


def _files(walk: "_Scan") -> Iterator[FileEntry | SkippedFile]:
    for found in walk.run():
        if not isinstance(found, _Folder):
            yield found


def _real_paths(roots: Roots) -> list[str]:
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
    part: Part


class _Scan:
    def __init__(
        self,
        roots: list[str],
        rules: ScanRules,
        only: Iterable[str] | None,
        *,
        only_folders: bool = False,
    ) -> None:
        self._roots = frozenset(roots)
        self._parts = parts_of(roots, only)
        self._patterns = FilePatterns(rules.file_patterns)
        self._max_size_bytes = rules.max_size_bytes
        self._only_folders = only_folders

    def run(self) -> "Iterator[_Folder | FileEntry | SkippedFile]":
        """The folders that are looked into, each followed by what was found in it."""
        for root, part in self._parts.items():
            try:
                status = Path(root).lstat()
            except OSError as error:
                yield _failed(root, error)
                continue
            if not _is_printable(root):
                yield refuse(root, "undecodable", "its name is no UTF-8")
            elif stat.S_ISDIR(status.st_mode):
                yield from self._tree(root, part)
            elif part is not None:
                continue  # nothing lies below what is no folder
            elif not stat.S_ISREG(status.st_mode):
                yield refuse(root, "unreadable", "no regular file")
            else:
                yield self._entry(root, status)

    def _tree(self, root: str, part: Part) -> "Iterator[_Folder | FileEntry | SkippedFile]":
        stack = [_Folder(root, "", FolderRules(), wanted=True, part=part)]
        while stack:
            folder = stack.pop()
            opened = _opened(folder)
            if isinstance(opened, SkippedFile):
                yield opened
                continue
            if opened is None:
                continue
            yield folder
            entries, rules = opened
            subfolders: list[_Folder] = []
            for entry in entries:
                found = self._look(entry, folder, rules)
                if isinstance(found, _Folder):
                    subfolders.append(found)
                elif found is not None:
                    yield found
            stack.extend(reversed(subfolders))

    def _look(
        self, entry: Entry, folder: _Folder, rules: FolderRules
    ) -> _Folder | FileEntry | SkippedFile | None:
        """What an entry of a folder comes to; None when it is nothing to us."""
        try:
            if entry.is_dir(follow_symlinks=False):
                return self._subfolder(entry, folder, rules)
            if self._only_folders or (folder.part and folder.part.names[entry.name]):
                return None  # nothing lies below what is no folder
            if entry.is_symlink():
                return self._link(entry, folder.below_root, rules)
            return self._file(entry, folder.below_root, rules)
        except OSError as error:
            return _failed(entry.path, error)

    def _file(
        self, entry: Entry, below_root: str, rules: FolderRules
    ) -> FileEntry | SkippedFile | None:
        name = entry.name
        if not entry.is_file(follow_symlinks=False):
            return None
        if not self._patterns.take(name, below_root) or rules.verdict(name, folder=False):
            return None
        if not _is_printable(name):
            return refuse(entry.path, "undecodable", "its name is no UTF-8")
        if entry.path in self._roots:
            return None
        return self._entry(entry.path, entry.stat(follow_symlinks=False))

    def _entry(self, path: str, status: os.stat_result) -> FileEntry | SkippedFile:
        if status.st_size > self._max_size_bytes:
            return too_large(path, status.st_size, self._max_size_bytes)
        return FileEntry(path, status.st_size, status.st_mtime_ns)

    def _subfolder(
        self, entry: Entry, folder: _Folder, rules: FolderRules
    ) -> _Folder | SkippedFile | None:
        verdict = rules.verdict(entry.name, folder=True)
        if verdict or entry.path in self._roots:  # a root of its own is walked on its own
            return None
        if not _is_printable(entry.name):
            return refuse(entry.path, "undecodable", "its name is no UTF-8")
        return _Folder(
            entry.path,
            f"{folder.below_root}{entry.name}/",
            rules.below(entry.name),
            wanted=verdict is False,
            part=None if folder.part is None else folder.part.names[entry.name],
        )

    def _link(self, entry: Entry, below_root: str, rules: FolderRules) -> SkippedFile | None:
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


def _opened(folder: _Folder) -> tuple[list[Entry], FolderRules] | SkippedFile | None:
    """What is to be looked at in a folder, and the rules in it; None when it is left out."""
    aim = folder.part
    try:
        entries = list_folder(folder.path, None if aim is None else {*aim.names, *_TELLING})
    except OSError as error:
        return _failed(folder.path, error)
    names = {entry.name for entry in entries}
    if not folder.wanted and not names.isdisjoint(FOLDER_MARKS):
        return None
    rules = folder.rules
    if GITIGNORE in names or MEMIGNORE in names:
        own = _own_rules(folder.path, names)
        if isinstance(own, SkippedFile):
            return own
        rules = rules.joined(gitignore=own[0], memignore=own[1])
    if aim is not None:
        entries = [entry for entry in entries if entry.name in aim.names]
    return entries, rules


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
