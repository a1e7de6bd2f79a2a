"""The lines of `mem status --stats`: latencies and growth, in a terminal of any width."""

import shutil
import sys
from collections.abc import Sequence

from cli.output import counted, table
from memory.values.status_reports import DayGrowth, LegLatency, Statistics

_MOST_BAR = 40
_BESIDE_BAR = 52
"""Columns of a day, its figures and the space between them."""

_EIGHTHS = " ▏▎▍▌▋▊▉"
_NAMES = {
    "embedding": "embedding the query",
    "keyword": "words",
    "identifier": "identifiers",
    "vector": "meaning",
    "search": "a whole search",
    "cached": "known answers",
}


def statistics_lines(found: Statistics) -> list[str]:
    """Two tables, either of which may be empty."""
    return [*_latency_lines(found.latencies), *_growth_lines(found.growth)]


def _latency_lines(latencies: Sequence[LegLatency]) -> list[str]:
    if not latencies:
        return ["no latencies yet: servers measure them (mem serve)"]
    head = ("milliseconds", "number", "mean", "p50", "p95", "p99")
    rows = [(_NAMES[item.leg], f"{item.number:,}", *map(_ms, _figures(item))) for item in latencies]
    return table([head, *rows], right=frozenset(range(1, 6)))


def _figures(item: LegLatency) -> tuple[float, ...]:
    return item.mean_ms, item.p50_ms, item.p95_ms, item.p99_ms


def _ms(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}"


def _growth_lines(growth: Sequence[DayGrowth]) -> list[str]:
    most = max((day.chunks for day in growth), default=0)
    columns = shutil.get_terminal_size().columns
    room = max(1, min(_MOST_BAR, columns - _BESIDE_BAR))
    rows = [
        (day.day, bar(day.chunks / most, room), counted(day.chunks, "chunk"), _chars(day.chars))
        for day in reversed(growth)
    ]
    return table(rows, right=frozenset({2, 3}))


def bar(share: float, room: int) -> str:
    """A bar for a share of `room` columns, to an eighth of one; never empty."""
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    if not encoding.lower().startswith("utf"):
        return "#" * max(1, round(share * room))
    whole, eighths = divmod(max(1, round(share * room * 8)), 8)
    return ("█" * whole + _EIGHTHS[eighths]).rstrip()


def _chars(number: int) -> str:
    return f"{number / 1e6:,.1f} M characters" if number >= 1e6 else f"{number:,} characters"
