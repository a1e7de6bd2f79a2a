"""A picture before it is drawn, on a terminal or as SVG."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from contracts.named_tuple import NamedTuple


class Point(NamedTuple):
    """A value at a time."""

    at: datetime
    value: float


class Mark(NamedTuple):
    """A moment with its name, such as `archived`."""

    at: datetime
    label: str


class Level(NamedTuple):
    """A value with its name, such as the threshold of archiving."""

    value: float
    label: str


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture over time; `points` are in the order of time and not empty.

    `lowest` and `highest` bound the values that are shown. `left_out` counts what has no number.
    """

    title: str
    kind: Literal["line", "bars"]
    points: list[Point]
    lowest: float
    highest: float
    levels: list[Level] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    left_out: int = 0
