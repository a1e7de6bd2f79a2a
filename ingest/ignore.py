"""Files that are ignored: built-in names, `.gitignore` and `.memignore`.

Both kinds of file have git's syntax and apply to their folder and below; of several matching lines
the last of the deepest file decides. `.memignore` is consulted first, then `.gitignore`, then the
built-in names; so `!build/` in a `.memignore` brings back a folder that the others leave out. Names
in `ALWAYS` always stay out. An ignored folder is not entered, so nothing below it can be brought
back.

Git decides about one entry at a time, given that its folder is not ignored, and compares bytes, not
characters: `?` is one byte. Names and lines are therefore compared as texts of bytes.
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from contracts.named_tuple import NamedTuple
from ingest.glob_matching import NO_GLOB, GlobSet
from ingest.glob_syntax import IgnoreLine, read_line
from ingest.values import Rule

MEMIGNORE: Final = ".memignore"
GITIGNORE: Final = ".gitignore"

ALWAYS: Final = frozenset({".git", ".hg", ".svn", ".bzr", ".jj", ".sl", "_darcs", "CVS"})
"""Entries that no rule brings back: the internal files of version control."""

_IGNORED_FOLDERS: Final = frozenset(
    {
        ".bundle", ".cache", ".dart_tool", ".direnv", ".eggs", ".gradle", ".hypothesis", ".idea",
        ".import_linter_cache", ".ipynb_checkpoints", ".mypy_cache", ".next", ".nox", ".npm",
        ".nuxt", ".parcel-cache", ".pnpm-store", ".pytest_cache", ".ruff_cache", ".svelte-kit",
        ".terraform", ".tox", ".Trash", ".turbo", ".venv", ".virtualenv", ".vs", ".vscode",
        ".yarn", "__pycache__", "__pypackages__", "bower_components", "build", "dist",
        "htmlcov", "node_modules", "site-packages", "target", "venv", "virtualenv",
    }
)  # fmt: skip

FOLDER_MARKS: Final = frozenset({"pyvenv.cfg", "CACHEDIR.TAG"})
"""A folder holding one of these is a virtual environment or a cache, whatever its name."""

_IGNORED_NAMES: Final = frozenset(
    {
        ".coverage", ".DS_Store", "Cargo.lock", "composer.lock", "Gemfile.lock",
        "npm-shrinkwrap.json", "package-lock.json", "Pipfile.lock", "pnpm-lock.yaml",
        "poetry.lock", "Thumbs.db", "uv.lock", "yarn.lock",
    }
)  # fmt: skip
_IGNORED_ENDINGS: Final = (
    ".db", ".db-journal", ".db-shm", ".db-wal", ".min.css", ".min.js", ".pyc", ".pyo",
    ".sqlite", ".sqlite3", ".swp", "~",
)  # fmt: skip
_IGNORED_STARTS: Final = (".#", "~$", "._")

_SMALL_KEPT: Final = 512
"""Ignore files kept compiled: a watcher uses the same ones again and again."""

_LARGE_KEPT: Final = 4
"""The same of large ones, which take memory."""

_LARGE_CHARACTERS: Final = 32 * 1024


class Ruling(NamedTuple):
    """The rule that decides about an entry.

    For an ignore file, `text` is its line of that number (from 1), and `below` is the path of the
    entry's folder below the file, ending with a slash, or empty.
    """

    ignored: bool
    rule: Rule
    text: str
    line: int | None = None
    below: str = ""


class IgnoreFile:
    """The lines of one ignore file, compiled. An invalid pattern is not a rule, as in git."""

    __slots__ = ("_ignoring", "_of_files", "_of_folders", "lines")

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = tuple(lines)
        rules = [
            (number, rule)
            for number, line in enumerate(self.lines)
            if (rule := read_line(_bytes_of_line(line))) is not None
        ]
        self._ignoring = {number for number, rule in rules if rule.ignores}
        self._of_folders = _Globs(rules)
        self._of_files = _Globs([(n, rule) for n, rule in rules if not rule.folders_only])

    def __bool__(self) -> bool:
        return bool(self._of_folders)

    def last(self, name: str, below: str, *, folder: bool) -> tuple[int, bool] | None:
        """The number of the last line that matches, from 0, and whether it ignores.

        `below` is the path of the entry's folder below the ignore file, ending with a slash, or
        empty.
        """
        number = (self._of_folders if folder else self._of_files).last(name, below)
        return None if number == NO_GLOB else (number, number in self._ignoring)


class _Globs:
    """The globs of an ignore file for one kind of entry: those for names, and those for paths."""

    __slots__ = ("_names", "_paths")

    def __init__(self, rules: Iterable[tuple[int, IgnoreLine]]) -> None:
        names = [(number, rule.glob) for number, rule in rules if rule.by_name]
        paths = [(number, rule.glob) for number, rule in rules if not rule.by_name]
        self._names = GlobSet(names, of_names=True) if names else None
        self._paths = GlobSet(paths, of_names=False) if paths else None

    def __bool__(self) -> bool:
        return self._names is not None or self._paths is not None

    def last(self, name: str, below: str) -> int:
        found = NO_GLOB
        if self._names is not None:
            found = self._names.last(name if name.isascii() else _bytes_of_name(name))
        if self._paths is not None:
            found = max(found, self._paths.last(_bytes_of_name(below + name)))
        return found


def _bytes_of_line(line: str) -> str:
    """The bytes of a line, each as the character of its number."""
    if line.isascii():
        return line
    return line.encode("utf-8", "surrogateescape").decode("latin-1")


def _bytes_of_name(name: str) -> str:
    """The bytes of a name, each as the character of its number."""
    return name if name.isascii() else os.fsencode(name).decode("latin-1")


def _compiled(lines: tuple[str, ...]) -> IgnoreFile:
    is_large = sum(map(len, lines)) > _LARGE_CHARACTERS
    return _compiled_large(lines) if is_large else _compiled_small(lines)


_compiled_small = lru_cache(_SMALL_KEPT)(IgnoreFile)
_compiled_large = lru_cache(_LARGE_KEPT)(IgnoreFile)


@dataclass(frozen=True, slots=True)
class FolderRules:
    """The rules of one folder: its own ignore files and those above, deepest first.

    Each file comes with the path of this folder below it, ending with a slash, or empty.
    """

    memignores: tuple[tuple[IgnoreFile, str], ...] = ()
    gitignores: tuple[tuple[IgnoreFile, str], ...] = ()

    def joined(self, *, memignore: Iterable[str], gitignore: Iterable[str]) -> "FolderRules":
        """These rules and the lines of the folder's own ignore files."""
        return FolderRules(
            _joined(self.memignores, _compiled(tuple(memignore))),
            _joined(self.gitignores, _compiled(tuple(gitignore))),
        )

    def below(self, name: str) -> "FolderRules":
        """The rules of the sub-folder `name`, before its own ignore files are read."""
        if not self.memignores and not self.gitignores:
            return self
        return FolderRules(
            tuple((rules, f"{where}{name}/") for rules, where in self.memignores),
            tuple((rules, f"{where}{name}/") for rules, where in self.gitignores),
        )

    def ruling(self, name: str, *, folder: bool) -> Ruling | None:
        """The rule that leaves an entry out or expressly brings it back; None if there is none."""
        if name in ALWAYS:
            return Ruling(True, "always", name)
        said = _first(self.memignores, name, "memignore", folder=folder)
        if said is not None:
            return said
        if _is_built_in(name, folder=folder):
            return Ruling(True, "default", _built_in(name, folder=folder))
        said = _first(self.gitignores, name, "gitignore", folder=folder)
        return said if said is not None and said.ignored else None


def _joined(
    above: tuple[tuple[IgnoreFile, str], ...], own: IgnoreFile
) -> tuple[tuple[IgnoreFile, str], ...]:
    return ((own, ""), *above) if own else above


def _first(
    levels: tuple[tuple[IgnoreFile, str], ...], name: str, rule: Rule, *, folder: bool
) -> Ruling | None:
    for rules, below in levels:
        said = rules.last(name, below, folder=folder)
        if said is not None:
            number, ignored = said
            return Ruling(ignored, rule, rules.lines[number].strip(), number + 1, below)
    return None


def _is_built_in(name: str, *, folder: bool) -> bool:
    if folder:
        return name in _IGNORED_FOLDERS or name.endswith(".egg-info")
    return (
        name in _IGNORED_NAMES
        or name.endswith(_IGNORED_ENDINGS)
        or name.startswith(_IGNORED_STARTS)
    )


def _built_in(name: str, *, folder: bool) -> str:
    """The built-in pattern that a name matches."""
    if folder:
        return name + "/" if name in _IGNORED_FOLDERS else "*.egg-info/"
    if name in _IGNORED_NAMES:
        return name
    endings = [f"*{ending}" for ending in _IGNORED_ENDINGS if name.endswith(ending)]
    starts = [f"{start}*" for start in _IGNORED_STARTS if name.startswith(start)]
    return (endings + starts)[0]
