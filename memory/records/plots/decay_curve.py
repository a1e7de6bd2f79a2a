"""The confidence of a fact over time as a picture: its statements, its decay, and its end."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Final

from memory.records.decay import effective_confidence, hidden_from
from memory.records.facts import read_fact
from memory.records.forms import FACTS
from memory.records.plots.values import Level, Mark, Plot, Point
from memory.records.store import RecordStore
from memory.records.values import ShownFact
from memory.workspace import Workspace

_AHEAD: Final = timedelta(days=30)
_MOST_AHEAD: Final = timedelta(days=730)
_WEEK: Final = timedelta(days=7)
_INSTANT: Final = timedelta(seconds=1)


def plot_decay(workspace: Workspace, name: str, *, now: datetime | None = None) -> Plot:
    """Return the curve of a fact by `CATEGORY/KEY`, from its first statement to its archiving.

    Raises NotFoundError. A statement is known from its evidence, the former values, and the last
    one; what was stated again without evidence in between left no trace.
    """
    moment = now or datetime.now(UTC)
    fact, config = read_fact(workspace, name, now=moment), workspace.config.records
    stated = _statements(workspace, fact)
    ends = hidden_from(fact.confidence, fact.updated_at, None, config)
    archived = datetime.fromisoformat(ends) if ends else None
    last = max(moment, archived or moment) + _AHEAD
    last = min(last, max(moment, stated[-1][0]) + _MOST_AHEAD)
    points = []
    for (begin, confidence), following in zip(
        stated, [*(at for at, _ in stated[1:]), last], strict=True
    ):
        for at in _steps(begin, following):
            value = effective_confidence(confidence, begin.isoformat(), at, config)
            points.append(Point(at, value))
    marks = [Mark(moment, "now")]
    if archived is not None and archived <= last:
        marks.append(Mark(archived, "archived"))
    if fact.expires_at is not None:
        expires = datetime.fromisoformat(fact.expires_at)
        if stated[0][0] <= expires <= last:
            marks.append(Mark(expires, "expires"))
    marks += [Mark(at, "stated") for at, _ in stated]
    title = f"fact {fact.category}/{fact.key}: confidence"
    level = Level(config.archive_below, f"archived below {config.archive_below:g}")
    return Plot(title, "line", points, 0.0, 1.0, [level], sorted(marks))


def _statements(workspace: Workspace, fact: ShownFact) -> list[tuple[datetime, float]]:
    """Return when the fact was stated, each time with the confidence that it then had."""
    links = RecordStore(workspace.storage.database, FACTS).links([fact.id]).get(fact.id, [])
    times = {old.updated_at: old.confidence for old in fact.history}
    times |= {link.created_at: fact.confidence for link in links}
    times.setdefault(fact.created_at, fact.confidence)
    times[fact.updated_at] = fact.confidence
    last = datetime.fromisoformat(fact.updated_at)
    stated = ((datetime.fromisoformat(at), value) for at, value in times.items())
    known = sorted(each for each in stated if each[0] <= last)  # a link is made a moment later
    merged: list[tuple[datetime, float]] = []
    for at, value in known:
        if merged and at - merged[-1][0] < _INSTANT:
            merged.pop()
        merged.append((at, value))
    return merged


def _steps(begin: datetime, end: datetime) -> Iterator[datetime]:
    """Yield the weeks from one statement to the next, and the instant before it."""
    at = begin
    while at < end:
        yield at
        at += _WEEK
    if end - begin > _INSTANT:
        yield end - _INSTANT
