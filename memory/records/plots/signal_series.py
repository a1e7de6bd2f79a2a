"""A series of signals as a picture: its numbers, or how many there were each day."""

import re
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from contracts import NotFoundError
from memory.records.checking import identifier
from memory.records.plots.values import Plot, Point
from memory.records.signals import MOST_LISTED, list_signals
from memory.records.values import ShownSignal
from memory.workspace import Workspace

_NUMBER: Final = re.compile(r"\W*(\d{1,9}(?:[.,]\d{1,6})?)\b")
_SCALED: Final = frozenset({"mood", "energy", "stress"})
"""Series whose numbers are from 0 to 10."""


def plot_signals(
    workspace: Workspace,
    signal_type: str,
    *,
    since: str | None = None,
    until: str | None = None,
) -> Plot:
    """Return a series as a picture. Raises NotFoundError for one without signals.

    The number of a signal is its `score` in the metadata, else that with which its value begins.
    Where no signal has one, each day shows how many there were.
    """
    series = identifier(signal_type, "signal_type")
    found = list_signals(workspace, signal_type=series, since=since, until=until, limit=MOST_LISTED)
    if not found:
        raise NotFoundError(
            f"there are no signals of {series}",
            hint=f"log one: mem signal add {series} VALUE; mem signal list has all",
        )
    points = [
        Point(datetime.fromisoformat(one.observed_at), number)
        for one in found
        if (number := number_of(one)) is not None
    ]
    if not points:
        return _per_day(series, found)
    values = [point.value for point in points]
    is_scaled = series in _SCALED and max(values) <= 10
    lowest, highest = (0.0, 10.0) if is_scaled else (min(0.0, *values), max(values) * 1.1 or 1.0)
    return Plot(series, "line", points, lowest, highest, left_out=len(found) - len(points))


def number_of(signal: ShownSignal) -> float | None:
    """Return the number of a signal, None if it has none."""
    score = signal.metadata.get("score")
    if isinstance(score, int | float) and not isinstance(score, bool):
        return float(score)
    match = _NUMBER.match(signal.value)
    return float(match[1].replace(",", ".")) if match else None


def _per_day(series: str, found: Sequence[ShownSignal]) -> Plot:
    counts = Counter(date.fromisoformat(one.observed_at[:10]) for one in found)
    first, last = min(counts), max(counts)
    days = (first + timedelta(days=number) for number in range((last - first).days + 1))
    points = [Point(datetime.combine(day, time(), UTC), float(counts[day])) for day in days]
    title = f"{series}, signals a day"
    return Plot(title, "bars", points, 0.0, max(counts.values()) * 1.1)
