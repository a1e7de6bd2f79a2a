"""Walk through folders under their rules: the wanted files, the omitted ones, and why.

One walk serves a scan, the list of folders to watch and the question why a file is missing, so that
all three agree.
"""

import errno
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeAlias

from contracts.named_tuple import NamedTuple
from ingest.file_patterns import FilePatterns
from ingest.ignore import FOLDER_MARKS, GITIGNORE, MEMIGNORE, FolderRules, Ruling
from ingest.listing import Entry, list_folder
from ingest.loaders import DEFAULT_MAX_SIZE_BYTES, DEFAULT_PATTERNS, read_bytes
from ingest.loaders.reading import describe, printable, refuse, too_large
from ingest.scan_targets import Part, is_within, parts_of
from ingest.values import FileEntry, IgnoredEntry, SkippedFile

_IGNORE_FILE_LIMIT_BYTES: Final = 1024 * 1024
_TELLING: Final = FOLDER_MARKS | {GITIGNORE, MEMIGNORE}
NO_TARGET: Final = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP})


_ENTRIES_BETWEEN_CHECKS: Final = 256


def _nothing() -> None:
    """Let the scan go on."""


@dataclass(frozen=True, slots=True)
class ScanRules:
    """The files that a scan takes.

    `file_patterns` are matched with the file's name, or with its path below the root if they have a
    slash; upper and lower case are the same. Larger files than `max_size_bytes` are listed as
    skipped. `checkpoint` is called again and again, even where nothing is found for long; what it
    raises ends the scan.
    """

    file_patterns: tuple[str, ...] = DEFAULT_PATTERNS
    max_size_bytes: int = DEFAULT_MAX_SIZE_BYTES
    checkpoint: Callable[[], object] = field(default=_nothing, compare=False)


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder to enter, `below_root` with a slash at its end, or empty.

    `wanted`: named as a root or expressly brought back, so that marks of caches do not count.
    """

    path: str
    below_root: str
    rules: FolderRules
    wanted: bool
    part: Part


Found: TypeAlias = Folder | FileEntry | SkippedFile | IgnoredEntry


_NO_PATTERN: Final = Ruling(True, "pattern", "")


class _Opened(NamedTuple):
    entries: list[Entry]
    rules: FolderRules


class Walk:
    """One walk through some real roots, or through the parts of them at or below `only`."""

    def __init__(
        self,
        roots: Sequence[str],
        rules: ScanRules,
        only: Iterable[str] | None = None,
        *,
        folders_only: bool = False,
        tell: bool = False,
    ) -> None:
        """With `tell`, entries silently left out are yielded too, as IgnoredEntry."""
        self._roots = frozenset(roots)
        self._parts = parts_of(roots, only)
        self._patterns = FilePatterns(rules.file_patterns)
        self._max_size_bytes = rules.max_size_bytes
        self._checkpoint = rules.checkpoint
        self._folders_only = folders_only
        self._tell = tell

    def run(self) -> Iterator[Found]:
        """The folders that are entered, each followed by the entries found in it."""
        for root in self._parts:
            yield from self.run_in(root)

    def run_in(self, root: str) -> Iterator[Found]:
        """The same for one root."""
        part = self._parts[root]
        try:
            status = Path(root).lstat()
        except OSError as error:
            yield _failed(root, error)
            return
        if not _is_printable(root):
            yield refuse(root, "undecodable", "its name is not UTF-8")
        elif stat.S_ISDIR(status.st_mode):
            yield from self._tree(root, part)
        elif part is not None:
            return  # nothing is below something other than a folder
        elif not stat.S_ISREG(status.st_mode):
            yield refuse(root, "unreadable", "not a regular file")
        else:
            yield self._entry(root, status)

    def _tree(self, root: str, part: Part) -> Iterator[Found]:
        stack = [Folder(root, "", FolderRules(), wanted=True, part=part)]
        while stack:
            self._checkpoint()
            folder = stack.pop()
            opened = _opened(folder)
            if not isinstance(opened, _Opened):
                if self._tell or isinstance(opened, SkippedFile):
                    yield opened
                continue
            yield folder
            subfolders: list[Folder] = []
            for number, entry in enumerate(opened.entries, 1):
                if number % _ENTRIES_BETWEEN_CHECKS == 0:
                    self._checkpoint()
                found = self._look(entry, folder, opened.rules)
                if isinstance(found, Folder):
                    subfolders.append(found)
                elif found is not None:
                    yield found
            stack.extend(reversed(subfolders))

    def _look(self, entry: Entry, folder: Folder, rules: FolderRules) -> Found | None:
        """The result for an entry of a folder; None if it does not concern this walk."""
        try:
            if entry.is_dir(follow_symlinks=False):
                return self._subfolder(entry, folder, rules)
            if self._folders_only or (folder.part and folder.part.names[entry.name]):
                return None  # nothing is below something other than a folder
            if entry.is_symlink():
                return self._link(entry, folder, rules)
            return self._file(entry, folder, rules)
        except OSError as error:
            return _failed(entry.path, error)

    def _file(self, entry: Entry, folder: Folder, rules: FolderRules) -> Found | None:
        name = entry.name
        if not self._patterns.take(name, folder.below_root):
            ruling = rules.ruling(name, folder=False) if self._tell else None
            if ruling is None or not ruling.ignored:
                ruling = _NO_PATTERN
            return self._left_out(entry, folder, ruling)
        ruling = rules.ruling(name, folder=False)
        if ruling is not None and ruling.ignored:
            return self._left_out(entry, folder, ruling)
        if not entry.is_file(follow_symlinks=False):
            return self._left_out(entry, folder, Ruling(True, "special", ""))
        if not _is_printable(name):
            return refuse(entry.path, "undecodable", "its name is not UTF-8")
        if entry.path in self._roots:
            return None
        return self._entry(entry.path, entry.stat(follow_symlinks=False))

    def _entry(self, path: str, status: os.stat_result) -> FileEntry | SkippedFile:
        if status.st_size > self._max_size_bytes:
            return too_large(path, status.st_size, self._max_size_bytes)
        return FileEntry(path, status.st_size, status.st_mtime_ns)

    def _subfolder(self, entry: Entry, folder: Folder, rules: FolderRules) -> Found | None:
        if entry.path in self._roots:  # another root is walked on its own
            return None
        ruling = rules.ruling(entry.name, folder=True)
        if ruling is not None and ruling.ignored:
            return self._left_out(entry, folder, ruling, is_folder=True)
        if not _is_printable(entry.name):
            return refuse(entry.path, "undecodable", "its name is not UTF-8")
        return Folder(
            entry.path,
            f"{folder.below_root}{entry.name}/",
            rules.below(entry.name),
            wanted=ruling is not None,
            part=None if folder.part is None else folder.part.names[entry.name],
        )

    def _link(self, entry: Entry, folder: Folder, rules: FolderRules) -> Found | None:
        for is_folder in (False, True):
            ruling = rules.ruling(entry.name, folder=is_folder)
            if ruling is not None and ruling.ignored:
                return self._left_out(entry, folder, ruling)
        wanted = self._patterns.take(entry.name, folder.below_root)
        try:
            real = os.path.realpath(entry.path, strict=True)
        except OSError as error:
            if not wanted:
                return self._left_out(entry, folder, _NO_PATTERN)
            if error.errno in NO_TARGET:
                return self._left_out(entry, folder, Ruling(True, "dangling", _target(entry.path)))
            return _failed(entry.path, error)
        if is_within(real, self._roots):
            return self._left_out(entry, folder, Ruling(True, "link", printable(real)))
        if wanted or entry.is_dir():
            return refuse(entry.path, "outside", "a symbolic link to a target outside the roots")
        return self._left_out(entry, folder, _NO_PATTERN)

    def _left_out(
        self, entry: Entry, folder: Folder, ruling: Ruling, *, is_folder: bool = False
    ) -> IgnoredEntry | None:
        return (
            _ignored(entry.path, folder.path, ruling, is_folder=is_folder) if self._tell else None
        )


def _ignored(path: str, folder: str, ruling: Ruling, *, is_folder: bool) -> IgnoredEntry:
    """An entry of `folder` that a ruling leaves out."""
    shown, text = printable(path), printable(ruling.text)
    if ruling.line is None:
        return IgnoredEntry(shown, is_folder, ruling.rule, text)
    home = folder.removesuffix("/" + ruling.below.rstrip("/")) if ruling.below else folder
    name = GITIGNORE if ruling.rule == "gitignore" else MEMIGNORE
    file = printable(os.path.join(home, name))  # noqa: PTH118  # paths are text here
    return IgnoredEntry(shown, is_folder, ruling.rule, text, file, ruling.line)


def _opened(folder: Folder) -> _Opened | SkippedFile | IgnoredEntry:
    """The entries of a folder to visit, and its rules."""
    aim = folder.part
    try:
        entries = list_folder(folder.path, None if aim is None else {*aim.names, *_TELLING})
    except OSError as error:
        return _failed(folder.path, error)
    names = {entry.name for entry in entries}
    if not folder.wanted and not names.isdisjoint(FOLDER_MARKS):
        return IgnoredEntry(folder.path, True, "mark", min(names & FOLDER_MARKS))
    rules = folder.rules
    if GITIGNORE in names or MEMIGNORE in names:
        own = _own_rules(folder.path, names)
        if isinstance(own, SkippedFile):
            return own
        rules = rules.joined(gitignore=own[0], memignore=own[1])
    if aim is not None:
        entries = [entry for entry in entries if entry.name in aim.names]
    return _Opened(entries, rules)


def _own_rules(path: str, names: set[str]) -> tuple[list[str], list[str]] | SkippedFile:
    """The lines of a folder's `.gitignore` and `.memignore`.

    If one cannot be read, the folder is left out: files that it hides must not be indexed.
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
    if error.errno in NO_TARGET:
        return refuse(path, "vanished", "no longer there")
    return refuse(path, "unreadable", describe(error))


def _target(path: str) -> str:
    """The text of a symbolic link."""
    try:
        return os.readlink(path)  # noqa: PTH115 - paths are text here
    except OSError:
        return ""


def _is_printable(name: str) -> bool:
    """Return whether the system's bytes were UTF-8: others become lone surrogates, which no
    database accepts as text.
    """
    if name.isascii():
        return True
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
