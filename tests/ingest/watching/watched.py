"""A tree that is watched, and a mirror of it that is kept by hints alone."""

import os
import time
from collections.abc import Callable
from pathlib import Path

from ingest import FileEntry, ScanRules, scan
from ingest.watching import EventSource, Hints
from ingest.watching.base import lies_below

DEADLINE_S = 20.0
POLLING_S = 0.05


class Watched:
    """The hints since the last call."""

    def __init__(self, root: Path, source: EventSource) -> None:
        self.root, self.source = root, source
        self.paths: set[str] = set()
        self.overflow = False
        self.marks = 0

    def collect(self, timeout_s: float = 0.2) -> Hints:
        hints = self.source.wait(timeout_s)
        self.paths |= hints.paths
        self.overflow = self.overflow or hints.overflow
        return hints

    def covers(self, path: Path | str) -> bool:
        """Return whether a hint makes a watcher check the path."""
        return str(path) in self.paths or lies_below(str(path), self.paths)

    def until(self, condition: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + DEADLINE_S
        while not condition():
            assert time.monotonic() < deadline, f"no hint at {what}; there were {self.paths}"
            self.collect()

    def expect(self, *names: str) -> None:
        """Wait until each of these entries is hinted at, and not because all of the root is."""
        for name in names:
            self.until(lambda name=name: self.covers(self.root / name), name)
        self.all_until_now()

    def expect_only(self, *names: str) -> None:
        """Assert that the changes so far give hints at these entries, and at nothing else."""
        assert self.all_until_now() == set(names)

    def all_until_now(self) -> set[str]:
        """Every hint until now, after which none of them comes again."""
        self.marks += 1
        mark = self.root / f"mark-{self.marks}.md"
        mark.write_text("all before this has come when this has")
        self.until(lambda: self.covers(mark), "the mark")
        assert str(self.root) not in self.paths
        assert not self.overflow
        came = {name for name in self.relative() if not name.startswith("mark-")}
        self.paths.clear()
        return came

    def relative(self) -> set[str]:
        return {os.path.relpath(path, self.root) for path in self.paths}


class Mirror:
    """The files below a root as somebody knows them who looks only where hints point."""

    def __init__(self, watched: Watched, rules: ScanRules | None = None) -> None:
        self.watched, self.rules = watched, rules
        self.files = self.truth()

    def truth(self, only: list[str] | None = None) -> dict[str, FileEntry]:
        found = scan([self.watched.root], self.rules, only=only)
        return {entry.path: entry for entry in found if isinstance(entry, FileEntry)}

    def follow(self) -> None:
        """Take what has come, and look there."""
        hints = self.watched.collect()
        if hints.overflow:
            self.files = self.truth()
        elif hints.paths:
            kept = {
                path: entry
                for path, entry in self.files.items()
                if path not in hints.paths and not lies_below(path, hints.paths)
            }
            self.files = kept | self.truth(sorted(hints.paths))

    def converge(self) -> None:
        """Follow until nothing differs from the disk, which nobody changes any more."""
        deadline = time.monotonic() + DEADLINE_S
        while self.files != (truth := self.truth()):
            assert time.monotonic() < deadline, truth.items() ^ self.files.items()
            self.follow()
