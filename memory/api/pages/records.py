"""People, open loops, signals and episodes, as pages."""

from itertools import groupby
from typing import Final

from anyio import to_thread
from fastapi import Request
from starlette.responses import Response

from memory.api.app_state import state_of
from memory.api.pages.forms import read_form
from memory.api.pages.page_route import page_router
from memory.api.pages.reading.record_fields import quotes_of
from memory.api.pages.rendering import redirect, render
from memory.episodes.listing import EpisodeFilter, list_episodes
from memory.records.facts import list_facts
from memory.records.open_loops import Resolution, list_open_loops, resolve_open_loop
from memory.records.people import list_people
from memory.records.signals import list_signals
from memory.records.topics import read_profile
from memory.records.values import ShownOpenLoop

router = page_router()

MOST_LOOPS: Final = 200
MOST_SIGNALS: Final = 1000
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
    workspace = state_of(request).workspace
    loops = list_open_loops(workspace, resolved=True, limit=MOST_LOOPS)
    columns = {name: [one for one in loops if _column(one) == name] for name in _COLUMNS}
    quotes = quotes_of(workspace, [link for one in loops for link in one.evidence])
    return render(request, "loops.html", {"columns": columns, "quotes": quotes})


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
