"""The date of a note: as its front matter has it, or as its name does."""

import re
from datetime import UTC, datetime
from typing import Final

_NAMED: Final = re.compile(
    r"((?:19|20)\d\d)([-_.]?)(\d\d)\2(\d\d)"
    r"(?:[ T_-]?([01]\d|2[0-3])[-.h]?([0-5]\d)(?:\d\d)?)?(?!\d)"
)
_FIRST_YEAR, _LAST_YEAR = 1678, 2261


def iso_date(text: str) -> str | None:
    """A date or a time in ISO 8601 as it is written; None for any other text."""
    written = text.strip().strip("[]").strip()
    return written if _moment(written) is not None else None


def time_of_note(date: object, path: str) -> datetime | None:
    """The time of a note with this date in its metadata and this path; None if neither has one.

    Daily notes and notes with a time as their id begin with it: `2026-03-04.md`, `2026_03_04.md`,
    `202603041230 Title.md`. A time without a zone is in UTC.
    """
    if isinstance(date, str) and (moment := _moment(date)) is not None:
        return moment
    name = path.rpartition("/")[2]
    if not name[:4].isdecimal() or (found := _NAMED.match(name)) is None:
        return None
    year, _, month, day, hour, minute = found.groups()
    try:
        return datetime(
            int(year), int(month), int(day), int(hour or 0), int(minute or 0), tzinfo=UTC
        )
    except ValueError:
        return None


def _moment(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
        moment = moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None
    return moment if _FIRST_YEAR <= moment.year <= _LAST_YEAR else None
