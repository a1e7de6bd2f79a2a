"""Series over time: as pictures that need no script, and as points for those that have one."""

from typing import Final

from fastapi import Request
from starlette.responses import Response

from memory.api.app_state import state_of
from memory.api.pages.page_route import page_router
from memory.api.responses import Json
from memory.records.plots.decay_curve import plot_decay
from memory.records.plots.forgetting_curve import plot_episode, plot_memory
from memory.records.plots.signal_series import plot_signals
from memory.records.plots.svg import as_svg
from memory.records.plots.values import Plot

router = page_router()

_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
"""That of a picture, whose style is a part of it; it is shown by <img> and has no script."""


@router.get("/page/plot/signal")
def draw_signal(request: Request, series: str, points: bool = False) -> Response:
    """Return a series of signals."""
    return _shown(plot_signals(state_of(request).workspace, series), points=points)


@router.get("/page/plot/fact")
def draw_fact(request: Request, name: str, points: bool = False) -> Response:
    """Return the decay of a fact's confidence."""
    return _shown(plot_decay(state_of(request).workspace, name), points=points)


@router.get("/page/plot/memory")
def draw_memory(request: Request, number: int, points: bool = False) -> Response:
    """Return the forgetting curve of a memory."""
    return _shown(plot_memory(state_of(request).workspace, number), points=points)


@router.get("/page/plot/episode")
def draw_episode(request: Request, number: int, points: bool = False) -> Response:
    """Return the forgetting curve of an episode."""
    return _shown(plot_episode(state_of(request).workspace, number), points=points)


def _shown(plot: Plot, *, points: bool) -> Response:
    if not points:
        headers = {"Content-Security-Policy": _POLICY}
        return Response(as_svg(plot), media_type="image/svg+xml", headers=headers)
    return Json(
        {
            "title": plot.title,
            "kind": plot.kind,
            "times": [point.at.timestamp() for point in plot.points],
            "values": [point.value for point in plot.points],
            "range": [plot.lowest, plot.highest],
            "levels": [[level.value, level.label] for level in plot.levels],
            "marks": [[mark.at.timestamp(), mark.label] for mark in plot.marks],
        },
    )
