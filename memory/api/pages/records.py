"""People, open loops, signals and episodes, as pages."""

from itertools import groupby
from typing import Final

from anyio import to_thread
from fastapi import Request
from starlette.responses import Response

from memory.api.app_state import state_of
from memory.api.pages.forms import read_form
from memory.api.pages.page_route import page_router
from memory.api.pages.rendering import HEADERS, redirect, render
from memory.episodes.listing import EpisodeFilter, list_episodes
from memory.records.facts import list_facts
from memory.records.open_loops import Resolution, list_open_loops, resolve_open_loop
from memory.records.people import list_people
from memory.records.plots.decay_curve import plot_decay
from memory.records.plots.signal_series import plot_signals
from memory.records.plots.svg import as_svg
from memory.records.signals import list_signals
from memory.records.topics import read_profile
from memory.records.values import ShownOpenLoop

router = page_router()

MOST_LOOPS: Final = 200
_DAY: Final = len("2026-03-04")
_WAITING: Final = frozenset({"answer", "debt"})


@router.get("/page/timeline")
def show_timeline(request: Request, since: str = "", until: str = "", cursor: str = "") -> Response:
    """Show episodes by day, the latest first."""
    wanted = EpisodeFilter(since=since or None, until=until or None)
    page = list_episodes(state_of(request).workspace, wanted, cursor=cursor or None)
    days = groupby(page.episodes, key=lambda episode: episode.started_at[:_DAY])
    values = {
        "days": [(day, list(several)) for day, several in days],
        "next": page.next_cursor,
        "since": since,
        "until": until,
    }
    return render(request, "timeline.html", values)


@router.get("/page/people")
def show_people(request: Request) -> Response:
    """Show everybody who is known."""
    return render(request, "people.html", {"people": list_people(state_of(request).workspace)})


@router.get("/page/person")
def show_person(request: Request, name: str) -> Response:
    """Show a person with everything that names them."""
    return render(
        request, "person.html", {"person": read_profile(state_of(request).workspace, name)}
    )


@router.get("/page/loops")
def show_loops(request: Request) -> Response:
    """Show open loops as a board: what is to be done, what waits for others, what is closed."""
    loops = list_open_loops(state_of(request).workspace, resolved=True, limit=MOST_LOOPS)
    columns = {name: [one for one in loops if _column(one) == name] for name in _COLUMNS}
    return render(request, "loops.html", {"columns": columns})


_COLUMNS: Final = ("open", "waiting", "closed")


def _column(loop: ShownOpenLoop) -> str:
    if loop.resolved:
        return "closed"
    return "waiting" if loop.metadata.get("binds") in _WAITING else "open"


@router.post("/page/loops/{loop_id}/resolve")
async def resolve(request: Request, loop_id: int) -> Response:
    """Close a loop."""
    form = await read_form(request)
    by = Resolution(note=form.get("note") or None)
    await to_thread.run_sync(resolve_open_loop, state_of(request).workspace, loop_id, by)
    return redirect(request, "/page/loops")


@router.get("/page/signals")
def show_signals(request: Request) -> Response:
    """Show every series of signals as a plot, and the decay of every fact."""
    workspace = state_of(request).workspace
    series = sorted({one.signal_type for one in list_signals(workspace, limit=MOST_SIGNALS)})
    values = {"series": series, "facts": list_facts(workspace)}
    return render(request, "signals.html", values)


MOST_SIGNALS: Final = 1000


@router.get("/page/plot/signal")
def draw_signal(request: Request, series: str) -> Response:
    """Return the plot of a series."""
    return _drawing(as_svg(plot_signals(state_of(request).workspace, series)))


@router.get("/page/plot/fact")
def draw_fact(request: Request, name: str) -> Response:
    """Return the plot of a fact's confidence."""
    return _drawing(as_svg(plot_decay(state_of(request).workspace, name)))


def _drawing(svg: str) -> Response:
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    headers = {**HEADERS, "Content-Security-Policy": policy}
    return Response(svg, media_type="image/svg+xml", headers=headers)
