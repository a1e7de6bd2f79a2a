"""Narrows a search to a folder and to a time, as people write them.

The command line and HTTP both take `sources`, a path and two times, and mean the same by them.
"""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from fnmatch import fnmatchcase
from pathlib import Path

from contracts import InputError, Scope

_AGE = re.compile(r"(\d+)\s*(min|h|d|w|y)", re.ASCII | re.IGNORECASE)
_PERIOD = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?", re.ASCII)
_SHORT_DAY = re.compile(r"\d{8}", re.ASCII)
_UNITS = {
    "min": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
    "y": timedelta(days=365),
}
_GLOB_CHARACTER = re.compile(r"[*?\[]")
_ONE_PATTERN = "say both in one pattern, such as 'docs/*.md'"


def read_time(text: str, *, end: bool = False, now: datetime | None = None) -> datetime:
    """The moment that a text names, in UTC.

    `2026`, `2026-03` and `2026-03-04` are the beginning of that year, month or day, with `end` its
    last millisecond; `7d` (min, h, d, w, y) is so long before `now`; anything else is ISO 8601, in
    UTC where it names no zone. Raises InputError for what is none of these.
    """
    stripped = text.strip()
    if _SHORT_DAY.fullmatch(stripped):
        stripped = f"{stripped[:4]}-{stripped[4:6]}-{stripped[6:]}"
    try:
        if age := _AGE.fullmatch(stripped):
            return (now or datetime.now(UTC)) - int(age[1]) * _UNITS[age[2].lower()]
        if period := _PERIOD.fullmatch(stripped):
            return _period(period, end=end)
        moment = datetime.fromisoformat(stripped)
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError) as error:
        raise InputError(
            f"{text!r} is no time", hint="write 2026-03, 2026-03-04, 2026-03-04T12:30Z or 7d"
        ) from error


def _period(parts: re.Match[str], *, end: bool) -> datetime:
    year, month, day = (int(part) if part else 0 for part in parts.groups())
    begin = datetime(year, month or 1, day or 1, tzinfo=UTC)
    if not end:
        return begin
    if day:
        return begin.replace(hour=23, minute=59, second=59, microsecond=999_000)
    last = month or 12
    return datetime(year + last // 12, last % 12 + 1, 1, tzinfo=UTC) - timedelta(milliseconds=1)


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
