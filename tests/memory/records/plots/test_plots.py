"""Series of signals and curves of decay as pictures, their numbers and their SVG."""

from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree as ET

import pytest

from contracts import NotFoundError
from memory.conversations.turns.adding import add_turns
from memory.conversations.turns.values import NewTurn
from memory.records.decay import effective_confidence
from memory.records.facts import NewFact, write_fact
from memory.records.plots.decay_curve import plot_decay
from memory.records.plots.signal_series import plot_signals
from memory.records.plots.svg import as_svg
from memory.records.plots.values import Plot
from memory.records.signals import NewSignal, write_signal
from memory.workspace import Workspace

BEGUN = datetime(2026, 3, 1, 10, tzinfo=UTC)
SVG = "{http://www.w3.org/2000/svg}"


def log(memory: Workspace, series: str, *values: str, **more: object) -> None:
    for number, value in enumerate(values):
        at = (BEGUN + timedelta(days=2 * number)).isoformat()
        write_signal(memory, NewSignal(signal_type=series, value=value, observed_at=at, **more))  # type: ignore[arg-type]


def test_numbers_are_scores_or_begin_the_value(memory: Workspace) -> None:
    log(memory, "sleep", "7.5 hours", "6,5", "badly")
    log(memory, "mood", "happy", metadata={"score": 8.0})
    sleep, mood = plot_signals(memory, "sleep"), plot_signals(memory, "Mood")
    assert [point.value for point in sleep.points] == [7.5, 6.5]
    assert (sleep.left_out, sleep.kind, sleep.lowest, sleep.highest) == (1, "line", 0.0, 8.25)
    assert ([point.value for point in mood.points], mood.highest) == ([8.0], 10.0)


def test_words_alone_are_counted_by_day(memory: Workspace) -> None:
    log(memory, "mood", "upbeat", "calm")
    write_signal(
        memory, NewSignal(signal_type="mood", value="late", observed_at="2026-03-01T20:00")
    )
    plot = plot_signals(memory, "mood")
    assert (plot.kind, plot.title) == ("bars", "mood, signals a day")
    assert [(point.at.day, point.value) for point in plot.points] == [(1, 2), (2, 0), (3, 1)]


def test_a_span_of_time_bounds_a_series(memory: Workspace) -> None:
    log(memory, "sleep", "5", "6", "7")
    plot = plot_signals(memory, "sleep", since="2026-03-02", until="2026-03-03")
    assert [point.value for point in plot.points] == [6.0]


def test_an_unknown_series_is_told_of(memory: Workspace) -> None:
    with pytest.raises(NotFoundError, match="no signals of joy"):
        plot_signals(memory, "joy")
    with pytest.raises(NotFoundError, match="no fact a/b"):
        plot_decay(memory, "a/b")


def test_evidence_noted_a_moment_later_is_the_same_statement(memory: Workspace) -> None:
    add_turns(memory, [NewTurn("s", "I drink tea.")])
    write_fact(memory, NewFact(category="a", key="b", value="tea", evidence=(1,), now=BEGUN))
    later = (BEGUN + timedelta(milliseconds=300)).isoformat()
    with memory.storage.database.transaction() as tx:
        tx.run("UPDATE record_links SET created_at = :later", {"later": later})
    plot = plot_decay(memory, "a/b", now=BEGUN)
    assert [mark.at for mark in plot.marks if mark.label == "stated"] == [BEGUN]


def test_a_curve_has_the_confidence_of_each_week(memory: Workspace) -> None:
    now = datetime.now(UTC).replace(microsecond=0)
    first, again = now - timedelta(days=200), now - timedelta(days=20)
    write_fact(memory, NewFact(category="a", key="b", value="tea", confidence=0.9, now=first))
    write_fact(
        memory,
        NewFact(
            category="a",
            key="b",
            value="coffee",
            confidence=0.6,
            now=again,
            expires_at=(now + timedelta(days=9)).isoformat(),
        ),
    )
    plot = plot_decay(memory, "a/b", now=now)
    config = memory.config.records
    for point in plot.points:
        begin, confidence = (first, 0.9) if point.at < again else (again, 0.6)
        assert point.value == pytest.approx(
            effective_confidence(confidence, begin.isoformat(), point.at, config)
        )
    assert [(mark.label, (mark.at - now).days) for mark in plot.marks] == [
        ("stated", -200),
        ("stated", -20),
        ("now", 0),
        ("expires", 9),
        ("archived", 90 + 77 - 20),
    ]
    assert plot.levels[0].value == config.archive_below
    assert plot.points[0].value == 0.9
    assert plot.points[-1].value < config.archive_below


@pytest.mark.parametrize("kind", ["line", "bars"])
def test_svg_is_well_formed_and_within_its_sheet(memory: Workspace, kind: str) -> None:
    log(memory, "a<b", *(("1", "9", "4") if kind == "line" else ("up", "down", "up")))
    plot = plot_signals(memory, "a<b")
    assert plot.kind == kind
    root = ET.fromstring(as_svg(plot))
    assert (root.findtext(f"{SVG}title") or "").startswith("a<b")
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    for line in root.iter(f"{SVG}polyline"):
        places = [tuple(map(float, pair.split(","))) for pair in line.attrib["points"].split()]
        assert len(places) == 3
        assert all(0 <= x <= width and 0 <= y <= height for x, y in places)
        heights = [y for _, y in places]
        assert heights[1] < heights[2] < heights[0]
    assert len(list(root.iter(f"{SVG}rect"))) == (1 if kind == "line" else 4)


def test_svg_of_a_single_point_and_of_marks(memory: Workspace) -> None:
    log(memory, "sleep", "5")
    assert "<circle" in as_svg(plot_signals(memory, "sleep"))
    write_fact(memory, NewFact(category="a", key="b", value="tea"))
    text = as_svg(plot_decay(memory, "a/b"))
    assert all(word in text for word in ("archived below 0.2", ">now<", ">stated<", ">archived<"))


def test_a_fact_that_never_fades_has_a_curve(memory: Workspace) -> None:
    write_fact(memory, NewFact(category="a", key="b", value="tea", confidence=0.0))
    plot: Plot = plot_decay(memory, "a/b")
    assert {point.value for point in plot.points} == {0.0}
