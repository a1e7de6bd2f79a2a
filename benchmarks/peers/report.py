"""The comparison as tables, and in words where a peer is better."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.harness.report import markdown_rows, occasion_line
from benchmarks.peers.outcome import PeerOutcome

NAME = "peers"
"""The name of the marks between which the documentation has the results."""

_MB = 1_000_000
_NONE = "—"


@dataclass(frozen=True, slots=True)
class Measure:
    """One column: its heading, its value of an outcome, and whether more is better."""

    heading: str
    value: Callable[[PeerOutcome], float | None]
    show: Callable[[float], str]
    more_is_better: bool = False


def _megabytes(value: float | None) -> float | None:
    return None if value is None else value / _MB


def number(value: float) -> str:
    """Three digits, as many as such measurements repeat."""
    return f"{value:,.0f}" if value >= 99.5 else f"{value:.3g}"


MEASURES = (
    Measure("indexing, chunks/s", lambda one: one.chunks_a_s, number, more_is_better=True),
    Measure("new process, ms", lambda one: one.cold_ms, number),
    Measure("warm p50, ms", lambda one: one.p50_ms, number),
    Measure("warm p99, ms", lambda one: one.p99_ms, number),
    Measure("recall@10", lambda one: one.recall, "{:.3f}".format, more_is_better=True),
    Measure("disk, MB", lambda one: _megabytes(one.disk_bytes), number),
    Measure("memory building, MB", lambda one: _megabytes(one.build_bytes), number),
    Measure("memory answering, MB", lambda one: _megabytes(one.query_bytes), number),
)


def outcomes_of(document: Mapping[str, Any]) -> list[PeerOutcome]:
    """The outcomes of a written-out run."""
    return [PeerOutcome(**one) for one in document["outcomes"]]


def markdown(document: Mapping[str, Any]) -> str:
    """Everything that the documentation shows of a run."""
    outcomes = outcomes_of(document)
    sizes = sorted({one.chunks for one in outcomes if not one.ours}) or sorted(
        {one.chunks for one in outcomes}
    )
    compared = [one for one in outcomes if one.chunks in sizes]
    parts = [occasion_line(document)]
    if document["quick"]:
        parts.append("A quick run, to see that everything works: its figures mean little.")
    for title, kind in (("By the vector alone", "vector"), ("By words and vector", "hybrid")):
        rows = [one for one in compared if one.mode.startswith(kind)]
        if rows:
            parts += [f"**{title}**, {rows[0].chunks:,} chunks:", table(rows)]
            parts += ["\n".join(better_peers(rows)) or "No peer is better in any column."]
    if others := [one for one in outcomes if one.chunks not in sizes]:
        parts += [f"**Ours at {others[0].chunks:,} chunks:**", table(others)]
    parts += [
        "How each was set, by its own documentation for this size:",
        settings(outcomes),
    ]
    return "\n\n".join(parts)


def table(outcomes: Sequence[PeerOutcome]) -> str:
    """A row for each outcome; the best figure of each column is bold, if there are several."""
    best = [_best(measure, outcomes) for measure in MEASURES]
    rows = [("", *(measure.heading for measure in MEASURES)), ("---", *("---:" for _ in MEASURES))]
    for one in outcomes:
        cells = [
            _cell(measure, measure.value(one), top)
            for measure, top in zip(MEASURES, best, strict=True)
        ]
        rows.append((label(one), *cells))
    return markdown_rows(rows)


def label(one: PeerOutcome) -> str:
    """The engine, with the part of its mode beyond `vector` and `hybrid`."""
    more = one.mode.partition(", ")[2]
    return f"{one.engine}, {more}" if more else one.engine


def _best(measure: Measure, outcomes: Sequence[PeerOutcome]) -> float | None:
    values = [value for one in outcomes if (value := measure.value(one)) is not None]
    if len(values) < 2:
        return None
    return max(values) if measure.more_is_better else min(values)


def _cell(measure: Measure, value: float | None, best: float | None) -> str:
    if value is None:
        return _NONE
    shown = measure.show(value)
    return f"**{shown}**" if best is not None and shown == measure.show(best) else shown


def better_peers(outcomes: Sequence[PeerOutcome]) -> Iterator[str]:
    """One line for each column in which a peer is better than every row of ours."""
    for measure in MEASURES:
        ours = [value for one in outcomes if one.ours and (value := measure.value(one)) is not None]
        if not ours:
            continue
        sign = 1 if measure.more_is_better else -1
        most = max(ours, key=lambda value: sign * value)
        better = [
            f"{label(one)} {measure.show(value)}"
            for one in outcomes
            if not one.ours
            and (value := measure.value(one)) is not None
            and sign * value > sign * most
            and measure.show(value) != measure.show(most)
        ]
        if better:
            told = ", ".join(better)
            yield f"- Better than ours in {measure.heading} ({measure.show(most)}): {told}."


def settings(outcomes: Sequence[PeerOutcome]) -> str:
    """The settings of each engine in each mode."""
    modes: dict[tuple[str, str], dict[str, None]] = {}
    for one in outcomes:
        modes.setdefault((label(one), one.settings), {})[one.mode.partition(",")[0]] = None
    return "\n".join(
        f"- {name} ({' and '.join(kinds)}): {how}." for (name, how), kinds in modes.items()
    )
