"""Reads the points in time that people type: dates, months, timestamps and short ages."""

import re
from datetime import UTC, datetime, timedelta

from contracts import InputError

_AGE = re.compile(r"(\d+)\s*(min|h|d|w|y)", re.IGNORECASE)
_DATE = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")
_LAST_MILLISECOND = 999_000
_UNITS = {
    "min": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
    "y": timedelta(days=365),
}


def read_time(text: str, *, end: bool = False, now: datetime | None = None) -> datetime:
    """The moment that `text` names, in UTC.

    `2026`, `2026-03` and `2026-03-04` are the beginning of that year, month or day, or its last
    millisecond with `end`; `7d` and `12h` (min, h, d, w, y) are so long before `now`; anything
    else is an ISO 8601 timestamp. What names no zone is UTC, as all times here are shown.

    Raises InputError for anything else.
    """
    stripped = text.strip()
    try:
        if age := _AGE.fullmatch(stripped):
            return (now or datetime.now(UTC)) - int(age[1]) * _UNITS[age[2].lower()]
        if date := _DATE.fullmatch(stripped):
            return _period(date, end=end)
        moment = datetime.fromisoformat(stripped)
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError) as error:
        raise InputError(
            f"{text!r} is no time", hint="write 2026-03, 2026-03-04, 2026-03-04T12:30 or 7d"
        ) from error


def _period(date: re.Match[str], *, end: bool) -> datetime:
    year, month, day = (int(part) if part else None for part in date.groups())
    assert year is not None  # noqa: S101  # the pattern demands it; this tells mypy
    if not end:
        return datetime(year, month or 1, day or 1, tzinfo=UTC)
    month = month or 12
    if day is None:
        day = (
            31
            if month == 12
            else (datetime(year, month + 1, 1, tzinfo=UTC) - timedelta(days=1)).day
        )
    return datetime(year, month, day, 23, 59, 59, _LAST_MILLISECOND, tzinfo=UTC)
