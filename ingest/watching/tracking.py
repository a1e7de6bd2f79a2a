"""Turn single events into hints, and keep the set of watched folders up to date with the disk.

The rules for which folders are watched are those of a scan, and the scan's own: `ingest.folders`
lists them. Events only say where to list again.
"""

import os
import stat
import time
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, Protocol

from contracts import NotFoundError
from ingest.file_patterns import FilePatterns
from ingest.ignore import FOLDER_MARKS, GITIGNORE, MEMIGNORE, FolderRules
from ingest.scanning import folders
from ingest.walking import ScanRules
from ingest.watching.base import lies_below, path_of, present, topmost

RULE_FILES: Final = FOLDER_MARKS | {GITIGNORE, MEMIGNORE}
"""Files that decide which folders are entered."""

_CLOCK_SLACK_NS: Final = 2_500_000_000
"""The lag of a file system's times behind the clock: FAT counts in steps of 2 seconds."""


class Watches(Protocol):
    """The watched folders, by their paths."""

    def add(self, path: str) -> bool:
        """Watch a folder; False if this folder is watched already, or cannot be."""
        ...

    def remove(self, path: str) -> None:
        """Stop watching a folder, if it was watched."""
        ...

    def __contains__(self, path: object) -> bool: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...


class Tracker:
    """Takes events one by one (`note_...`), and turns a batch into hints."""

    def __init__(self, roots: Sequence[str], rules: ScanRules, watches: Watches) -> None:
        self._roots = tuple(roots)
        self._rules = rules
        self._patterns = FilePatterns(rules.file_patterns)
        self.watches = watches
        self._hints: set[str] = set()
        self._appeared: set[str] = set()
        self._moved_away: set[str] = set()
        self._new_rules: set[str] = set()

    def note_file(self, folder: str, name: str) -> None:
        """Note that a file of a watched folder came, went or changed."""
        if name in RULE_FILES:
            self._new_rules.add(folder)
        elif self._is_wanted(folder, name):
            self._hints.add(path_of(folder, name))

    def note_folder(self, path: str, *, gone: bool, whole: bool = False) -> None:
        """Note that a folder in a watched folder came or went; `whole`: together with watched
        folders.

        One that went may be watched by its new path already, so that its old one is unknown.
        """
        if not gone:
            self._appeared.add(path)
            return
        if path in self.watches or not _is_ignored_by_name(path):
            self._hints.add(path)
        self.watches.remove(path)
        if whole:
            self._moved_away.add(path)

    def note_access(self, path: str) -> None:
        """Note that the permissions of a folder in a watched folder may have changed."""
        if path not in self.watches or not os.access(path, os.R_OK | os.X_OK):
            self._appeared.add(path)

    def note_itself(self, path: str) -> None:
        """Note an event of a watched folder itself, which its parent may not report."""
        if any(_is_at_or_below(path, root) for root in self._roots):
            self._hints.add(path)
        else:  # it is watched because of a root that is a file
            self._hints |= {root for root in self._roots if _is_at_or_below(root, path)}

    def settle(self) -> set[str]:
        """The hints from the events since the last call. New folders are watched now."""
        if self._moved_away:
            self._remove_below(self._moved_away)
        look = self._appeared | self._new_rules
        if look:
            found, added = self.walk(sorted(topmost(look)))
            if self._new_rules:
                self._remove_below(self._new_rules, but=found)
            self._hints |= topmost(added) | self._new_rules
            self._hints |= {path for path in self._appeared if not _can_be_listed(path)}
        hints = self._hints
        self._hints, self._appeared, self._moved_away, self._new_rules = set(), set(), set(), set()
        return hints

    def walk(self, only: Sequence[str]) -> tuple[set[str], set[str]]:
        """Watch every folder that a scan would enter there; return all of these, and the new ones.

        A folder may get another between the moment it is listed and the one it is watched. Those
        that changed this recently are listed again, now that they are watched.
        """
        found: set[str] = set()
        added: set[str] = set()
        while only:
            since_ns = time.time_ns() - _CLOCK_SLACK_NS
            restless: set[str] = set()
            for folder in self._listed(only):
                found.add(folder)
                if self.watches.add(folder):
                    added.add(folder)
                    if _changed_since(folder, since_ns):
                        restless.add(folder)
            only = sorted(topmost(restless))
        return found, added

    def _listed(self, only: Sequence[str]) -> Iterator[str]:
        try:
            yield from folders(present(self._roots), self._rules, only=only)
        except NotFoundError:  # a root just disappeared: its own event tells
            return

    def _remove_below(self, tops: AbstractSet[str], *, but: AbstractSet[str] = frozenset()) -> None:
        """Stop watching everything below these folders. They themselves stay, to see their rules
        change.
        """
        gone = [path for path in self.watches if path not in but and lies_below(path, tops)]
        for path in gone:
            self.watches.remove(path)

    def _is_wanted(self, folder: str, name: str) -> bool:
        for root in self._roots:
            if _is_at_or_below(folder, root):
                below = folder[len(root) :].lstrip(os.sep)
                if self._patterns.take(name, f"{below}{os.sep}" if below else ""):
                    return True
        return path_of(folder, name) in self._roots


def _is_at_or_below(path: str, top: str) -> bool:
    return path == top or path.startswith(top.rstrip(os.sep) + os.sep)


def _is_ignored_by_name(path: str) -> bool:
    name = os.path.basename(path)  # noqa: PTH119 - paths are text here
    ruling = FolderRules().ruling(name, folder=True)
    return ruling is not None and ruling.ignored


def _can_be_listed(path: str) -> bool:
    return os.access(path, os.R_OK | os.X_OK) and not os.path.islink(path)  # noqa: PTH114 - text


def _changed_since(path: str, since_ns: int) -> bool:
    try:
        status = os.stat(path, follow_symlinks=False)  # noqa: PTH116 - paths are text here
    except OSError:
        return False  # gone: an event tells
    return not stat.S_ISDIR(status.st_mode) or status.st_mtime_ns >= since_ns
