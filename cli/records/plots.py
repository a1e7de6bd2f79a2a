"""Pictures of records: on the terminal by plotext, or as an SVG file."""

import shutil
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from cli.invocation import CliContext
from cli.output import counted, note, print_json, shown
from contracts import InputError, UnavailableError, install_hint
from memory.records.plots.values import Plot

C = TypeVar("C", bound=Callable[..., Any])

_WIDTHS: Final = (40, 100)
_LINES: Final = 18


def svg_option(command: C) -> C:
    """Add --svg."""
    path = click.Path(dir_okay=False, path_type=Path)
    return click.option("--svg", type=path, metavar="FILE", help="Write an SVG file instead.")(
        command
    )


def print_plot(context: CliContext, plot: Plot, svg: Path | None) -> None:
    """Draw a picture on the terminal, write it to a file, or print its numbers as JSON."""
    if svg is not None:
        from memory.records.plots.svg import as_svg

        try:
            svg.write_text(as_svg(plot), encoding="utf-8")
        except OSError as error:
            raise InputError(
                f"{svg} cannot be written: {error.strerror}", hint="name another file"
            ) from error
        note(f"written: {shown(str(svg))}")
    elif not context.json:
        click.echo(drawn(plot))
    if context.json:
        print_json(_plain(plot))
    elif plot.left_out:
        note(f"{counted(plot.left_out, 'signal')} without a number left out")


def _plain(plot: Plot) -> dict[str, Any]:
    """Return a picture with its times as text."""
    return {
        "title": plot.title,
        "points": [[point.at.isoformat(), point.value] for point in plot.points],
        "levels": [[level.value, level.label] for level in plot.levels],
        "marks": [[mark.at.isoformat(), mark.label] for mark in plot.marks],
        "left_out": plot.left_out,
    }


def drawn(plot: Plot) -> str:
    """Return a picture as text. Raises UnavailableError where plotext is not installed."""
    if find_spec("plotext") is None:
        raise UnavailableError(
            "pictures on the terminal need the library plotext, which is not installed",
            hint=f"{install_hint('plots')}; or write a file: --svg FILE",
        )
    import plotext

    plotext.clear_figure()
    plotext.theme("clear")
    columns = shutil.get_terminal_size().columns
    plotext.plotsize(min(max(columns, _WIDTHS[0]), _WIDTHS[1]), _LINES)
    days = [point.at.timestamp() / 86_400 for point in plot.points]
    values = [point.value for point in plot.points]
    if plot.kind == "bars":
        plotext.bar(days, values, marker="sd", width=0.8)
    else:
        plotext.plot(days, values, marker="braille")
    for level in plot.levels:
        plotext.hline(level.value)
    for mark in plot.marks:
        plotext.vline(mark.at.timestamp() / 86_400)
    plotext.ylim(plot.lowest, plot.highest)
    times = [*(point.at for point in plot.points), *(mark.at for mark in plot.marks)]
    ticks = [min(times), plot.points[len(days) // 2].at, max(times)]
    places = {tick.date().isoformat(): tick.timestamp() / 86_400 for tick in ticks}
    plotext.xticks(list(places.values()), list(places))
    plotext.title(plot.title)
    picture = plotext.uncolorize(plotext.build()).rstrip()
    legend = [f"{level.label}" for level in plot.levels]
    legend += [f"{mark.label} {mark.at.date().isoformat()}" for mark in plot.marks]
    return "\n".join([picture, *([", ".join(legend)] if legend else [])])
