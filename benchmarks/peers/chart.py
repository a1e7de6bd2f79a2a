"""Draw the comparison as one SVG: six panels of dots, readable on a light and on a dark page.

A dot plot, since the length of a bar on a logarithmic axis means nothing.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from xml.sax.saxutils import escape

from benchmarks.peers.outcome import PeerOutcome
from benchmarks.peers.report import label, number

WIDTH = 880
_COLUMNS = 2
_ROW = 19
_HEAD = 52
_FOOT = 34
_NAMES = 196
_VALUES = 52
_GAP = 28
_TOP = 64
_EDGE = 16
_MB = 1_000_000

_STYLE = """
text { font: 12px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #24292f; }
.page { fill: #ffffff; }
.title { font-size: 15px; font-weight: 600; }
.head { font-size: 13px; font-weight: 600; }
.faint { fill: #57606a; }
.ours { font-weight: 600; fill: #0a5fc2; }
.grid { stroke: #d0d7de; stroke-width: 1; }
.range { stroke: #8c959f; stroke-width: 2; }
.dot { fill: #6e7781; }
.range.ours { stroke: #0a5fc2; }
.dot.ours { fill: #0a5fc2; }
.words { fill: #ffffff; stroke: #6e7781; stroke-width: 2; }
.words.ours { fill: #ffffff; stroke: #0a5fc2; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; }
  .page { fill: #0d1117; }
  .faint { fill: #9198a1; }
  .ours { fill: #6cb0ff; }
  .grid { stroke: #3d444d; }
  .range { stroke: #9198a1; }
  .dot { fill: #b1bac4; }
  .range.ours { stroke: #6cb0ff; }
  .dot.ours { fill: #6cb0ff; }
  .words { fill: #0d1117; stroke: #b1bac4; }
  .words.ours { fill: #0d1117; stroke: #6cb0ff; }
}
""".strip()


@dataclass(frozen=True, slots=True)
class Panel:
    """The content of a panel: a value and, for a line from it, a second one."""

    title: str
    value: Callable[[PeerOutcome], float | None]
    further: Callable[[PeerOutcome], float | None] = lambda _: None
    is_linear: bool = False


PANELS = (
    Panel("Warm query, p50 to p99, ms", lambda one: one.p50_ms, lambda one: one.p99_ms),
    Panel("New process to its answer, ms", lambda one: one.cold_ms),
    Panel("Indexing, chunks a second (more is better)", lambda one: one.chunks_a_s),
    Panel("Recall@10 (more is better)", lambda one: one.recall, is_linear=True),
    Panel("Disk, MB", lambda one: one.disk_bytes / _MB),
    Panel("Memory while answering, MB", lambda one: (one.query_bytes or 0) / _MB or None),
)


@dataclass(frozen=True, slots=True)
class Axis:
    """Values from `low` to `high` on `pixels` pixels from `left`; by powers of ten or evenly."""

    low: float
    high: float
    left: float
    pixels: float
    is_linear: bool

    def place(self, value: float) -> float:
        """The pixel of a value."""
        low, high = self._scaled(self.low), self._scaled(self.high)
        return self.left + self.pixels * (self._scaled(value) - low) / (high - low)

    def marks(self) -> list[float]:
        """The positions of grid lines: five places, or every power of ten."""
        if self.is_linear:
            return [self.low + (self.high - self.low) * part / 4 for part in range(5)]
        return [10.0**power for power in range(round(log10(self.low)), round(log10(self.high)) + 1)]

    def _scaled(self, value: float) -> float:
        return value if self.is_linear else log10(value)


def axis_for(values: Sequence[float], *, left: float, pixels: float, is_linear: bool) -> Axis:
    """An axis with room for all values: to whole powers of ten, or from a round share up to 1."""
    if is_linear:
        low = min(floor(min(values) * 20) / 20, 0.8)
        return Axis(low, 1.0, left, pixels, is_linear)
    low, high = floor(log10(min(values))), ceil(log10(max(values)))
    return Axis(10.0**low, 10.0 ** max(high, low + 1), left, pixels, is_linear)


def picture(outcomes: Sequence[PeerOutcome]) -> str:
    """The SVG of the engines at the size that all of them have."""
    peers = {one.chunks for one in outcomes if not one.ours}
    shown = [one for one in outcomes if not peers or one.chunks in peers]
    shown.sort(key=lambda one: one.mode.startswith("hybrid"))
    width = (WIDTH - _GAP) / _COLUMNS
    tall = _HEAD + _ROW * len(shown) + _FOOT
    body: list[str] = []
    for number_of, panel in enumerate(PANELS):
        row, column = divmod(number_of, _COLUMNS)
        x, y = column * (width + _GAP), _TOP + row * tall
        body += _panel(panel, shown, x=x, y=y, width=width)
    height = _TOP + tall * ceil(len(PANELS) / _COLUMNS)
    title = f"Local search engines beside Symbiosis Memory, {shown[0].chunks:,} chunks"
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {_frame(height)}>',
            f"<title>{escape(title)}</title>",
            f"<style>\n{_STYLE}\n</style>",
            f'<rect class="page" x="{-_EDGE}" y="{-_EDGE}" width="100%" height="100%" rx="8"/>',
            f'<text class="title" x="0" y="20">{escape(title)}</text>',
            *_legend(),
            *body,
            "</svg>",
            "",
        )
    )


def _frame(height: float) -> str:
    """Size and view box: what is drawn from 0 to `WIDTH` and `height`, with an edge around it."""
    wide, tall = WIDTH + 2 * _EDGE, height + 2 * _EDGE
    return f'width="{wide}" height="{tall:g}" viewBox="{-_EDGE} {-_EDGE} {wide} {tall:g}"'


def _legend() -> Iterator[str]:
    yield '<circle class="dot" cx="6" cy="40" r="4.5"/>'
    yield '<text class="faint" x="18" y="44">by the vector alone</text>'
    yield '<circle class="words" cx="156" cy="40" r="4"/>'
    yield '<text class="faint" x="168" y="44">by words and vector (hybrid)</text>'
    yield '<text class="faint" x="360" y="44">less is better unless a panel says otherwise</text>'


def _panel(
    panel: Panel, outcomes: Sequence[PeerOutcome], *, x: float, y: float, width: float
) -> Iterator[str]:
    values = [
        value
        for one in outcomes
        for value in (panel.value(one), panel.further(one))
        if value is not None
    ]
    yield f'<text class="head" x="{x:g}" y="{y + 22:g}">{escape(panel.title)}</text>'
    if not values:
        return
    left, pixels = x + _NAMES, width - _NAMES - _VALUES
    axis = axis_for(values, left=left, pixels=pixels, is_linear=panel.is_linear)
    known = [one for one in outcomes if panel.value(one) is not None]
    bottom = y + _HEAD + _ROW * len(known) - 8
    for mark in axis.marks():
        at = axis.place(mark)
        yield f'<line class="grid" x1="{at:.1f}" x2="{at:.1f}" y1="{y + 34:g}" y2="{bottom:g}"/>'
        shown = f"{mark:.2f}" if panel.is_linear else f"{mark:,g}"
        yield _text(shown, at, bottom + 15, classes="faint", anchor="middle")
    for place, one in enumerate(known):
        yield from _row(panel, one, axis, y=y + _HEAD + _ROW * place, right=x + width)


def _row(panel: Panel, one: PeerOutcome, axis: Axis, *, y: float, right: float) -> Iterator[str]:
    ours = "ours" if one.ours else ""
    yield _text(label(one), axis.left - 12, y + 4, classes=ours, anchor="end")
    value, further = panel.value(one), panel.further(one)
    if value is None:
        return
    at = axis.place(value)
    if further is not None:
        end = axis.place(further)
        yield f'<line class="range {ours}" x1="{at:.1f}" x2="{end:.1f}" y1="{y:g}" y2="{y:g}"/>'
    kind, radius = ("words", 4) if one.is_hybrid else ("dot", 4.5)
    yield f'<circle class="{kind} {ours}" cx="{at:.1f}" cy="{y:g}" r="{radius}"/>'
    shown = f"{value:.3f}" if panel.is_linear else number(value)
    yield _text(shown, right, y + 4, classes=ours, anchor="end")


def _text(text: str, x: float, y: float, *, classes: str, anchor: str) -> str:
    place = f'x="{x:.1f}" y="{y:g}" text-anchor="{anchor}"'
    return f'<text class="{classes}" {place}>{escape(text)}</text>'
