"""Show figures: a table for people, JSON for programs, Markdown for the documentation."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.harness.values import Figure, Goal

_HEADINGS = ("what", "measured", "goal", "", "beside it")


def table(figures: Sequence[Figure]) -> str:
    """The figures as aligned lines."""
    rows = [_HEADINGS, *map(_cells, figures)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for what, measured, goal, verdict, beside in rows:
        line = f"{what:<{widths[0]}}  {measured:>{widths[1]}}  {goal:>{widths[2]}}"
        lines.append(f"{line}  {verdict:<{widths[3]}}  {beside}".rstrip())
    return "\n".join(lines)


def line(figure: Figure) -> str:
    """One figure, while the others are still being measured."""
    what, measured, goal, verdict, _ = _cells(figure)
    compared = f" (goal {goal}: {verdict})" if goal else ""
    return f"{what.strip()}: {measured}{compared}"


def markdown(document: Mapping[str, Any]) -> str:
    """The table of a written-out run, and the machine it was measured on."""
    rows = [_HEADINGS, ("---", "---:", "---:", "---", "---")]
    rows += [_cells(figure) for figure in figures_of(document)]
    return "\n".join((occasion_line(document), "", markdown_rows(rows)))


def occasion_line(document: Mapping[str, Any]) -> str:
    """The date, commit and machine of a run."""
    on = document["machine"]
    gib = on["memory_bytes"] / 2**30
    return (
        f"Measured on {document['date'][:10]} at commit {document['commit']}: {on['cpu']}, "
        f"{on['cores']} cores, {gib:.0f} GiB, Python {on['python']}, SQLite {on['sqlite']}; "
        f"{on['load_average'][0]:.1f} other processes wanted a core when it began."
    )


def markdown_rows(rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table of these cells; the second row gives the alignment."""
    return "\n".join(
        f"| {' | '.join(cell.strip().replace('|', '/') for cell in row)} |" for row in rows
    )


def marks(name: str) -> tuple[str, str]:
    """The comments between which a page has the tables of that name."""
    return f"<!-- {name}: begin -->", f"<!-- {name}: end -->"


def put_between_marks(page: Path, text: str, *, name: str = "figures") -> None:
    """Replace the text of a page between its two marks. Raises ValueError if one is missing."""
    old = page.read_text(encoding="utf-8")
    first, last = marks(name)
    before, begin, rest = old.partition(first)
    _, end, after = rest.partition(last)
    if not begin or not end:
        raise ValueError(f"{page} has no marks for {name}: {first} and {last}")
    page.write_text(f"{before}{begin}\n{text}\n{end}{after}", encoding="utf-8")


def write_json(path: Path, document: Mapping[str, Any]) -> None:
    """Write a run to a file, folders made as needed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def as_json(figure: Figure) -> dict[str, Any]:
    """A figure with its verdict."""
    return {**asdict(figure), "met": _is_met(figure)}


def figures_of(document: Mapping[str, Any]) -> list[Figure]:
    """The figures of a written-out run."""
    figures = []
    for one in document["figures"]:
        values = {name: value for name, value in one.items() if name != "met"}
        goal = None if values["goal"] is None else Goal(**values["goal"])
        figures.append(Figure(**{**values, "goal": goal, "raw": tuple(values["raw"])}))
    return figures


def _is_met(figure: Figure) -> bool | None:
    return None if figure.goal is None else figure.goal.is_met(figure.value)


def _cells(figure: Figure) -> tuple[str, str, str, str, str]:
    goal, verdict = "", ""
    if figure.goal is not None:
        sign = ">=" if figure.goal.at_least else "<="
        goal = f"{sign} {_number(figure.goal.value, figure.unit)}"
        verdict = "met" if _is_met(figure) else "missed"
    measured = f"{_number(figure.value, figure.unit)} {figure.unit}".removesuffix(" share")
    return figure.what, measured, goal, verdict, figure.beside


def _number(value: float, unit: str) -> str:
    if unit == "share":
        return f"{value:.3f}"
    return f"{value:,.0f}" if value == int(value) or value >= 100 else f"{value:.3g}"
