"""The times of chat histories: seconds, milliseconds or ISO 8601, some of them missing."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from ingest.histories.values import HistoryTurn

_MILLISECONDS_FROM: Final = 1e11
"""A larger number of seconds would be past the year 5000: it counts milliseconds."""

_EARLIEST, _LATEST = 1970, 2261
_NUMBER: Final = re.compile(r"\d{9,13}(?:\.\d+)?")


def moment(value: object) -> str | None:
    """ISO 8601 in UTC, or None for an invalid time; one without a zone is taken as UTC."""
    try:
        if isinstance(value, str):
            value = value.strip()
            if not _NUMBER.fullmatch(value):
                return _written(datetime.fromisoformat(value))
            value = float(value)
        if not isinstance(value, int | float) or isinstance(value, bool) or value <= 0:
            return None
        seconds = value / 1000 if value > _MILLISECONDS_FROM else value
        return _written(datetime.fromtimestamp(seconds, UTC))
    except (ValueError, OverflowError, OSError):
        return None


def first_moment(*values: object) -> str | None:
    """The first of them that is a time."""
    return next((found for value in values if (found := moment(value))), None)


def changed_at(path: Path) -> str:
    """When a file was last changed, now if it is gone: no message in it is later."""
    try:
        return datetime.fromtimestamp(path.stat().st_mtime, UTC).isoformat()
    except OSError:
        return datetime.now(UTC).isoformat()


def filled(turns: Sequence[HistoryTurn], *, begun: str | None) -> list[HistoryTurn]:
    """The turns of one session, those without a time given that of the previous one.

    The first ones get the time at which the session was `begun`, else that of the next turn.
    """
    known = next((turn.ts for turn in turns if turn.ts), None)
    last = begun if begun and (known is None or begun <= known) else known
    dated = []
    for turn in turns:
        dated.append(turn if turn.ts or not last else replace(turn, ts=last))
        last = dated[-1].ts
    return dated


def _written(when: datetime) -> str | None:
    aware = when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)
    return aware.isoformat() if _EARLIEST <= aware.year <= _LATEST else None
