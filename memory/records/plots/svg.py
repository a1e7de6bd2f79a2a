"""A picture as SVG: axes, a line or bars, levels and marks; no library needed."""

from datetime import datetime, timedelta
from typing import Final
from xml.sax.saxutils import escape

from memory.records.plots.values import Plot

_WIDTH: Final = 720
_HEIGHT: Final = 320
_LEFT: Final = 52
_RIGHT: Final = 20
_TOP: Final = 40
_BOTTOM: Final = 44
_TICKS: Final = 5
_STYLE: Final = (
    "text{font:12px sans-serif;fill:#333}.axis{stroke:#333}.level{stroke:#b00;stroke-dasharray:4}"
    ".mark{stroke:#888;stroke-dasharray:2}.line{fill:none;stroke:#1668b8;stroke-width:2}"
    ".point,.bar{fill:#1668b8}"
)


class _Frame:
    """The places of times and values on the sheet."""

    def __init__(self, plot: Plot) -> None:
        times = [*(point.at for point in plot.points), *(mark.at for mark in plot.marks)]
        self.first, self.last = min(times), max(times)
        if self.first == self.last:
            self.first -= timedelta(days=1)
            self.last += timedelta(days=1)
        self._lowest, self._highest = plot.lowest, plot.highest

    def x(self, at: datetime) -> float:
        share = (at - self.first) / (self.last - self.first)
        return round(_LEFT + share * (_WIDTH - _LEFT - _RIGHT), 1)

    def y(self, value: float) -> float:
        share = (value - self._lowest) / (self._highest - self._lowest)
        return round(_HEIGHT - _BOTTOM - share * (_HEIGHT - _TOP - _BOTTOM), 1)


def as_svg(plot: Plot) -> str:
    """Return a picture as the text of an SVG file."""
    frame = _Frame(plot)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img">',
        f"<title>{escape(plot.title)}</title><style>{_STYLE}</style>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>',
        f'<text x="{_LEFT}" y="20" font-weight="bold">{escape(plot.title)}</text>',
        *_axes(plot, frame),
        *_levels_and_marks(plot, frame),
        *_drawn(plot, frame),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _axes(plot: Plot, frame: _Frame) -> list[str]:
    bottom, right = _HEIGHT - _BOTTOM, _WIDTH - _RIGHT
    lines = [
        f'<path class="axis" fill="none" d="M{_LEFT} {_TOP}V{bottom}H{right}"/>',
    ]
    for number in range(_TICKS):
        share = number / (_TICKS - 1)
        value = plot.lowest + share * (plot.highest - plot.lowest)
        y = frame.y(value)
        lines.append(f'<text x="{_LEFT - 6}" y="{y + 4}" text-anchor="end">{value:.3g}</text>')
        at = frame.first + share * (frame.last - frame.first)
        anchor = ("start", *("middle",) * (_TICKS - 2), "end")[number]
        x = frame.x(at)
        lines.append(
            f'<text x="{x}" y="{bottom + 18}" text-anchor="{anchor}">{at.date().isoformat()}</text>'
        )
    return lines


def _levels_and_marks(plot: Plot, frame: _Frame) -> list[str]:
    lines, right, bottom = [], _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
    for level in plot.levels:
        y = frame.y(level.value)
        lines.append(f'<path class="level" d="M{_LEFT} {y}H{right}"/>')
        lines.append(f'<text x="{_LEFT + 4}" y="{y - 4}">{escape(level.label)}</text>')
    for number, mark in enumerate(plot.marks):
        x, y = frame.x(mark.at), _TOP - 2 + 12 * (number % 2)
        anchor = "end" if x > _WIDTH * 0.85 else "start"
        lines.append(f'<path class="mark" d="M{x} {_TOP}V{bottom}"/>')
        lines.append(f'<text x="{x}" y="{y}" text-anchor="{anchor}">{escape(mark.label)}</text>')
    return lines


def _drawn(plot: Plot, frame: _Frame) -> list[str]:
    if plot.kind == "bars":
        zero, width = frame.y(0), max(2.0, 0.7 * (_WIDTH - _LEFT - _RIGHT) / len(plot.points))
        return [
            f'<rect class="bar" x="{frame.x(at) - width / 2:.1f}" y="{frame.y(value)}" '
            f'width="{width:.1f}" height="{zero - frame.y(value):.1f}"/>'
            for at, value in plot.points
            if value
        ]
    path = " ".join(f"{frame.x(at)},{frame.y(value)}" for at, value in plot.points)
    dots = [
        f'<circle class="point" cx="{frame.x(at)}" cy="{frame.y(value)}" r="2.5"/>'
        for at, value in plot.points
    ]
    return [f'<polyline class="line" points="{path}"/>', *dots]
