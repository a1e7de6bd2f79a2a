"""Draw the forgetting curve of docs/fsrs.md: `python -m tools.forgetting_curve`.

Two episodes of one day: one that is never used, and one that is used on some days later. The
picture is what the library says, so it is made again when that changes; a test compares it.
"""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from memory.episodes.retention import first_review, retrievability, reviewed

PICTURE: Final = Path(__file__).parents[1] / "docs" / "images" / "forgetting-curve.svg"
DAYS: Final = 180
USED_ON: Final = (3, 14, 60)
"""Days after which the second episode is used."""

_BEGIN: Final = datetime(2026, 1, 1, tzinfo=UTC)
_LEFT, _TOP, _WIDTH, _HEIGHT = 52, 44, 600, 260
_STYLE: Final = """
text { font: 12px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #24292f; }
.page { fill: #ffffff; }
.title { font-size: 15px; font-weight: 600; }
.grid { stroke: #d0d7de; stroke-width: 1; }
.line { fill: none; stroke: #6e7781; stroke-width: 2; }
.line.used { stroke: #0a5fc2; }
text.used { fill: #0a5fc2; font-weight: 600; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; }
  .page { fill: #0d1117; }
  .grid { stroke: #3d444d; }
  .line { stroke: #9198a1; }
  .line.used { stroke: #6cb0ff; }
  text.used { fill: #6cb0ff; }
}
""".strip()


def curve(used_on: tuple[int, ...]) -> list[float]:
    """Return the probability of recall on each day, at its end where the episode is used."""
    state, found = first_review(_BEGIN), []
    for day in range(DAYS + 1):
        now = _BEGIN + timedelta(days=day)
        if day in used_on:
            state = reviewed(state, "used", now)
        found.append(retrievability(state, now))
    return found


def picture() -> str:
    """Return the picture as SVG."""
    never, used = curve(()), curve(USED_ON)
    parts = [
        f'<rect class="page" width="{_LEFT + _WIDTH + 40}" height="{_TOP + _HEIGHT + 48}"/>',
        '<text class="title" x="16" y="24">Probability that an episode is recalled</text>',
    ]
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = _y(share)
        parts.append(f'<line class="grid" x1="{_LEFT}" x2="{_LEFT + _WIDTH}" y1="{y}" y2="{y}"/>')
        parts.append(f'<text x="{_LEFT - 8}" y="{y + 4}" text-anchor="end">{share:.2f}</text>')
    for day in range(0, DAYS + 1, 30):
        y = _TOP + _HEIGHT + 18
        parts.append(f'<text x="{_x(day)}" y="{y}" text-anchor="middle">{day} d</text>')
    told = ", ".join(str(day) for day in USED_ON[:-1]) + f" and {USED_ON[-1]}"
    parts += [
        f'<polyline class="line" points="{_points(never)}"/>',
        f'<polyline class="line used" points="{_points(used)}"/>',
        f'<text x="{_x(120)}" y="{_y(never[120]) + 20}">never used</text>',
        f'<text class="used" x="{_x(75)}" y="{_y(used[75]) - 12}">used on days {told}</text>',
    ]
    body = "\n".join(parts)
    size = f'width="{_LEFT + _WIDTH + 40}" height="{_TOP + _HEIGHT + 48}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">\n'
        f"<title>Forgetting curves of two episodes over {DAYS} days</title>\n"
        f"<style>\n{_STYLE}\n</style>\n{body}\n</svg>\n"
    )


def _x(day: float) -> float:
    return round(_LEFT + _WIDTH * day / DAYS, 1)


def _y(share: float) -> float:
    return round(_TOP + _HEIGHT * (1 - share), 1)


def _points(shares: list[float]) -> str:
    return " ".join(f"{_x(day)},{_y(share)}" for day, share in enumerate(shares))


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
