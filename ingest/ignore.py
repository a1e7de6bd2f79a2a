"""Files that are ignored: built-in names, `.gitignore` and `.memignore`.

Both kinds of file have git's syntax and apply to their folder and below; of several matching lines
the last of the deepest file decides. `.memignore` is consulted first, then `.gitignore`, then the
built-in names; so `!build/` in a `.memignore` brings back a folder that the others leave out. Names
in `ALWAYS` always stay out. An ignored folder is not entered, so nothing below it can be brought
back.

Git decides about one entry at a time, given that its folder is not ignored. pathspec's patterns
also match entries below a matching folder; here they are taken from it as regular expressions, tied
to the entry itself, and joined into one per file: 1 microsecond an entry in place of 11.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

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

# pathspec marks with a named group where a pattern may continue below a folder.
_GOES_ON_BELOW: Final = re.compile(r"\(\?P<\w+>/\)")
_ANY_FOLDER: Final = "^(?:.+/)?"


_COMPILED_KEPT: Final = 512
"""Ignore files kept compiled: a watcher uses the same ones again and again."""


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

    __slots__ = ("_names", "_paths", "lines")

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = tuple(lines)
        names: list[tuple[int, bool, str]] = []
        paths: list[tuple[int, bool, str]] = []
        for number, line in enumerate(self.lines):
            compiled = _compile(line)
            if compiled is not None:
                of_name, include, expression = compiled
                (names if of_name else paths).append((number, include, expression))
        self._names = _Alternatives.of(names)
        self._paths = _Alternatives.of(paths)

    def __bool__(self) -> bool:
        return self._names is not None or self._paths is not None

    def verdict(self, entry: str, folder: str) -> bool | None:
        """True: ignored; False: brought back; None: no line matches. See `last`."""
        found = self.last(entry, folder)
        return None if found is None else found[1]

    def last(self, entry: str, folder: str) -> tuple[int, bool] | None:
        """The number of the last line that matches, from 0, and whether it ignores.

        `entry` is a name, with a slash at its end if it is a folder; `folder` is its path below the
        ignore file, ending with a slash, or empty.
        """
        by_name = self._names.last(entry) if self._names is not None else None
        by_path = self._paths.last(folder + entry) if self._paths is not None else None
        if by_name is None or by_path is None:
            return by_name or by_path
        return max(by_name, by_path)


@lru_cache(_COMPILED_KEPT)
def _compiled(lines: tuple[str, ...]) -> IgnoreFile:
    return IgnoreFile(lines)


@dataclass(frozen=True, slots=True)
class _Alternatives:
    """Several patterns in one expression, the last line first, so that it wins."""

    expression: re.Pattern[str]
    verdicts: tuple[tuple[int, bool], ...]

    @classmethod
    def of(cls, rules: Sequence[tuple[int, bool, str]]) -> "_Alternatives | None":
        if not rules:
            return None
        turned = list(reversed(rules))
        joined = "|".join(f"({expression})" for _, _, expression in turned)
        return cls(re.compile(joined, re.DOTALL), tuple((n, include) for n, include, _ in turned))

    def last(self, entry: str) -> tuple[int, bool] | None:
        found = self.expression.match(entry)
        return (
            None if found is None or found.lastindex is None else self.verdicts[found.lastindex - 1]
        )


def _compile(line: str) -> tuple[bool, bool, str] | None:
    """Compile a line: whether it matches names only, whether it ignores, and its expression for one
    entry.
    """
    from pathspec import GitIgnoreSpec

    try:
        patterns = list(GitIgnoreSpec.from_lines([line]).patterns)
    except (ValueError, re.error):
        return None
    regex = getattr(patterns[0], "regex", None) if patterns else None
    include = patterns[0].include if patterns else None
    if regex is None or include is None:
        return None
    expression = _GOES_ON_BELOW.sub(r"(?:/\\Z)", regex.pattern)
    if expression.endswith("/"):  # `folder/**`: the content of the folder, not the folder
        expression += "."
    if expression.startswith(_ANY_FOLDER) and "/" not in line.strip().rstrip("/"):
        return True, include, expression.removeprefix(_ANY_FOLDER)
    return False, include, expression if expression.startswith("^") else "^.*" + expression


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
        entry = name + "/" if folder else name
        said = _first(self.memignores, entry, "memignore")
        if said is not None:
            return said
        if _is_built_in(name, folder=folder):
            return Ruling(True, "default", _built_in(name, folder=folder))
        said = _first(self.gitignores, entry, "gitignore")
        return said if said is not None and said.ignored else None


def _joined(
    above: tuple[tuple[IgnoreFile, str], ...], own: IgnoreFile
) -> tuple[tuple[IgnoreFile, str], ...]:
    return ((own, ""), *above) if own else above


def _first(levels: tuple[tuple[IgnoreFile, str], ...], entry: str, rule: Rule) -> Ruling | None:
    for rules, below in levels:
        said = rules.last(entry, below)
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
