"""Narrows a search to a folder and to a time, as people write them.

The command line and HTTP both take `sources`, a path and two times, and mean the same by them.
"""

import re
from dataclasses import replace
from datetime import UTC, date, datetime, time
from fnmatch import fnmatchcase
from pathlib import Path

from contracts import InputError, Scope
from memory.storage import utc_text

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}|\d{8}", re.ASCII)
_GLOB_CHARACTER = re.compile(r"[*?\[]")
_ONE_PATTERN = "say both in one pattern, such as 'docs/*.md'"


def first_moment(text: str) -> str:
    """The earliest moment that a date or time means, as times are stored; a day's is its start.

    A time without a zone is UTC. Raises InputError for what is no ISO 8601.
    """
    return _moment(text, time.min)


def last_moment(text: str) -> str:
    """The latest moment that a date or time means; a day's is its last millisecond."""
    return _moment(text, time.max)


def _moment(text: str, of_day: time) -> str:
    stripped = text.strip()
    try:
        if _DAY.fullmatch(stripped):
            return utc_text(datetime.combine(date.fromisoformat(stripped), of_day, UTC))
        return utc_text(datetime.fromisoformat(stripped))
    except (ValueError, OverflowError) as error:
        raise InputError(
            f"{text!r} is no date or time", hint="write it as 2026-03-04 or 2026-03-04T12:30:00Z"
        ) from error


def below(scope: Scope, path: str, *, cwd: Path) -> Scope:
    """The part of a scope at or below a folder or file (relative: from `cwd`; by real path).

    Raises InputError when nothing can lie in both, when the sources hold no files, or when a
    pattern with folders cannot be cut to the path.
    """
    if scope.sources and "file" not in scope.sources:
        raise InputError(
            f"A path chooses among files, and the sources are {', '.join(scope.sources)}",
            hint="add 'file' to the sources, or leave the path out",
        )
    root = _real(path, cwd)
    if not scope.paths and not scope.globs:
        return replace(scope, paths=(str(root),))
    inside = {Path(other) for other in scope.paths if Path(other).is_relative_to(root)}
    if any(root.is_relative_to(other) for other in scope.paths):
        inside.add(root)
    globs: list[str] = []
    for pattern in scope.globs:
        globs += _cut(pattern, root)
        if not root.is_dir() and fnmatchcase(str(root), pattern):
            inside.add(root)
    if not inside and not globs:
        raise InputError(f"nothing lies both in the sources and in {path!r}", hint=_ONE_PATTERN)
    return replace(scope, paths=tuple(sorted(map(str, inside))), globs=tuple(globs))


def _real(path: str, cwd: Path) -> Path:
    try:
        return Path(cwd, Path(path).expanduser()).resolve()
    except (OSError, ValueError, RuntimeError) as error:  # too long, NUL, a loop, no such home
        raise InputError(
            f"The path {path!r} cannot be used: {error}", hint="name an existing folder or file"
        ) from error


def _cut(pattern: str, root: Path) -> list[str]:
    """A pattern over whole paths as patterns for what is below `root`.

    A `*` stands for slashes too, so `*.md` below a folder is `folder/*.md`.
    """
    start = _GLOB_CHARACTER.sub(lambda found: f"[{found[0]}]", str(root).rstrip("/"))
    if pattern.startswith("*") and "/" not in pattern.removeprefix("*/"):
        straight = [f"{start}{pattern[1:]}"] if pattern.startswith("*/") else []
        return [*straight, f"{start}/{pattern}"]
    fixed = _GLOB_CHARACTER.split(pattern)[0].rpartition("/")[0]
    if fixed and Path(fixed).is_relative_to(root):
        return [pattern]
    raise InputError(
        f"The pattern {pattern!r} cannot be cut to the path {str(root)!r}", hint=_ONE_PATTERN
    )
