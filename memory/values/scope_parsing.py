"""Parsers of a search's scope: folders, sources and times as people write them.

The command line and HTTP both take `sources`, a path and two times, with the same meaning.
"""

import os
import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from contracts import InputError, Scope
from contracts.lazy_regex import deferred
from memory.storage import utc_text
from memory.values.text_checks import NAME_LIMIT, checked_text
from search import parse_sources
from search.options import is_pattern

MOST_TIME = 100
"""The most characters of a time."""

_AGE = deferred(r"(\d+)\s*(min|h|d|w|y)", re.ASCII | re.IGNORECASE)
_PERIOD = deferred(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?", re.ASCII)
_SHORT_DAY = deferred(r"\d{8}", re.ASCII)
_UNITS = {
    "min": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
    "y": timedelta(days=365),
}


def read_time(text: str, *, end: bool = False, now: datetime | None = None) -> datetime:
    """Return the moment that a text names, in UTC.

    `2026`, `2026-03` and `2026-03-04` are the beginning of that year, month or day, with `end` its
    last millisecond; `7d` (min, h, d, w, y) is so long before the present minute, `now`, with `end`
    its last millisecond: during that minute the query stays the same, so a cached answer serves it;
    anything else is ISO 8601, in UTC where it names no zone. Raises InputError for any other text.
    """
    stripped = checked_text(text, "a time", most=MOST_TIME).strip()
    if _SHORT_DAY.fullmatch(stripped):
        stripped = f"{stripped[:4]}-{stripped[4:6]}-{stripped[6:]}"
    try:
        if age := _AGE.fullmatch(stripped):
            minute = (now or datetime.now(UTC)).replace(second=0, microsecond=0)
            begin = minute - int(age[1]) * _UNITS[age[2].lower()]
            return begin + _UNITS["min"] - timedelta(milliseconds=1) if end else begin
        if period := _PERIOD.fullmatch(stripped):
            return _period(period, end=end)
        moment = datetime.fromisoformat(stripped)
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError) as error:
        raise InputError(
            f"{text!r} is not a time", hint="write 2026-03, 2026-03-04, 2026-03-04T12:30Z or 7d"
        ) from error


def read_deadline(text: str) -> datetime:
    """Return the moment until which something holds: `30d` from now, or the end of a day, a month.

    Raises InputError for another text, and for a moment that is past.
    """
    present = datetime.now(UTC)
    moment = read_time(text, end=True, now=present)
    if age := _AGE.fullmatch(text.strip()):
        moment = present + int(age[1]) * _UNITS[age[2].lower()]
    if moment <= present:
        raise InputError(f"{text!r} is past", hint="name a later day, or a time from now: 30d")
    return moment


def read_period(since: str | None, until: str | None) -> dict[str, str]:
    """Return a time from `since` to `until`, both included, by these names, without what is None.

    Times are ISO 8601 UTC. Raises InputError for an invalid one, and when `since` is after `until`.
    """
    found = {} if since is None else {"since": utc_text(read_time(since))}
    if until is not None:
        found["until"] = utc_text(read_time(until, end=True))
    if len(found) > 1 and found["since"] > found["until"]:
        raise InputError(f"since {since} is after until {until}", hint="exchange the two")
    return found


def _period(parts: re.Match[str], *, end: bool) -> datetime:
    year, month, day = (int(part) if part else 0 for part in parts.groups())
    begin = datetime(year, month or 1, day or 1, tzinfo=UTC)
    if not end:
        return begin
    if day:
        return begin.replace(hour=23, minute=59, second=59, microsecond=999_000)
    last = month or 12
    return datetime(year + last // 12, last % 12 + 1, 1, tzinfo=UTC) - timedelta(milliseconds=1)


def narrowed(
    sources: Iterable[str] = (),
    paths: Iterable[str] = (),
    *,
    since: str | None = None,
    until: str | None = None,
    tags: Iterable[str] = (),
    cwd: Path,
) -> Scope:
    """Return the scope of a request: `sources` as `parse_sources` has them, limited to `paths`.

    Paths are folders or files, relative ones below `cwd`, or patterns. Raises InputError for
    invalid ones, for paths where the sources hold no files, for a pattern beside sources that
    choose among files themselves, and for times that end before they begin.
    """
    entries = [
        checked_text(entry, "a source", most=NAME_LIMIT, bytes_allowed=True) for entry in sources
    ]
    scope = _within(parse_sources(entries, cwd=cwd), list(paths), cwd)
    period = read_period(since, until)
    return scope._replace(since=period.get("since"), until=period.get("until"), tags=tuple(tags))


def _within(scope: Scope, paths: list[str], cwd: Path) -> Scope:
    """Limit a scope to these folders or files, or to one of these patterns."""
    if not paths:
        return scope
    if scope.sources and "file" not in scope.sources:
        raise InputError(
            f"a path chooses among files, and the sources are {', '.join(scope.sources)}",
            hint="add 'file' to the sources, or leave the path out",
        )
    patterns = [path for path in paths if _names_pattern(path, cwd)]
    folders = tuple(_real(path, cwd) for path in paths if path not in patterns)
    if not scope.paths and not scope.globs:
        globs = parse_sources(patterns, cwd=cwd).globs
        return scope._replace(paths=folders, globs=globs)
    if patterns:
        raise InputError(
            f"the path {patterns[0]!r} is a pattern, and so are the sources",
            hint="say both in one pattern, such as 'docs/*.md'",
        )
    return scope._replace(within=folders)


def _names_pattern(path: str, cwd: Path) -> bool:
    """Return whether it is a pattern, and no file or folder of that very name exists."""
    return is_pattern(path) and not os.path.exists(_real(path, cwd))  # noqa: PTH110  # no error


def checked_path(path: str | Path) -> str | Path:
    """Return the path, which may have bytes that are not UTF-8.

    Raises InputError for an empty one, which would be the working directory, and for no path.
    """
    if not isinstance(path, str | Path):
        raise InputError(f"the path is {path!r}", hint="give a str or a Path")
    if isinstance(path, str) and not path.strip():
        raise InputError(
            f"the path {path!r} is empty", hint="name a file or folder; '.' is the one you are in"
        )
    checked_text(
        str(path), f"the path {ascii(str(path))[:80]}", most=NAME_LIMIT, bytes_allowed=True
    )
    return path


def _real(path: str, cwd: Path) -> str:
    try:
        from memory.values.path_case import spelled

        place = Path(cwd, Path(checked_path(path)).expanduser())
        return spelled(str(place.resolve()))
    except (OSError, ValueError, RuntimeError) as error:  # too long, NUL, a loop, no such home
        raise InputError(
            f"the path {path!r} cannot be used: {error}", hint="name an existing folder or file"
        ) from error
