"""`mem signal`: log observations, and read a series of them."""

from pathlib import Path
from typing import Any

import click

from cli.invocation import CliContext, pass_context
from cli.lazy_groups import CommandGroup
from cli.parameters import limit_option
from cli.records.plots import print_plot, svg_option
from cli.records.printing import moment, print_list, print_one
from cli.records.statements import number_of, stated, statement_options
from memory.records.checking import MOST_LISTED, USUAL_LIMIT
from memory.records.signals import NewSignal, get_signal, list_signals, show_signals, write_signal
from memory.records.values import ShownSignal


@click.group(cls=CommandGroup)
def signal() -> None:
    """Log observations such as mood, energy or sleep, and read a series of them."""


@signal.command("add")
@click.argument("signal_type", metavar="TYPE")
@click.argument("value")
@click.option("--at", "observed_at", metavar="T", help="When, ISO 8601; else now.")
@statement_options
@pass_context
def add_command(context: CliContext, /, **options: Any) -> None:
    """Log an observation. TYPE is stress, energy, mood, sleep, health, or any other."""
    with context.open_workspace(create=True) as workspace:
        made = write_signal(workspace, NewSignal(**stated(options)))
    print_one(context, made)


@signal.command("list")
@click.option("--type", "signal_type", metavar="TYPE", help="Only of this series.")
@click.option("--since", metavar="T", help="Only from this time on: a date, 7d, or ISO 8601.")
@click.option("--until", metavar="T", help="Only up to this time; a date counts to its end.")
@limit_option(MOST_LISTED, USUAL_LIMIT, told="The most to list, the latest.")
@pass_context
def list_command(context: CliContext, /, **options: Any) -> None:
    """List the latest observations in the order of time."""
    with context.open_workspace() as workspace:
        found = list_signals(workspace, **options)
    head = ("signal", "type", "observed", "value")
    print_list(context, found, head=head, row=_row, none="no such signals")


def _row(one: ShownSignal) -> tuple[str, ...]:
    return str(one.id), one.signal_type, moment(one.observed_at), one.value


@signal.command("show")
@click.argument("number", metavar="SIGNAL")
@pass_context
def show_command(context: CliContext, /, *, number: str) -> None:
    """Show an observation. SIGNAL is its number, or signal 6."""
    with context.open_workspace() as workspace:
        row = get_signal(workspace, number_of(number, "signal"))
        (found,) = show_signals(workspace, [row])
    print_one(context, found)


@signal.command("plot")
@click.argument("signal_type", metavar="TYPE")
@click.option("--since", metavar="T", help="Only from this time on: a date, 7d, or ISO 8601.")
@click.option("--until", metavar="T", help="Only up to this time; a date counts to its end.")
@svg_option
@pass_context
def plot_command(
    context: CliContext,
    /,
    *,
    signal_type: str,
    since: str | None,
    until: str | None,
    svg: Path | None,
) -> None:
    """Draw a series: its numbers over time, or where it has none how many there were each day."""
    from memory.records.plots.signal_series import plot_signals

    with context.open_workspace() as workspace:
        plot = plot_signals(workspace, signal_type, since=since, until=until)
    print_plot(context, plot, svg)
