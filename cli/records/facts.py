"""`mem fact`: state facts, list them, and look at one with its former values."""

from pathlib import Path
from typing import Any

import click

from cli.invocation import CliContext, pass_context
from cli.lazy_groups import CommandGroup
from cli.output import note, print_json, shown
from cli.records.plots import print_plot, svg_option
from cli.records.printing import fact_row, print_list, print_one
from cli.records.statements import CONFIDENCE, stated, statement_options
from memory.records.facts import NewFact, list_facts, read_fact, write_fact


@click.group(cls=CommandGroup)
def fact() -> None:
    """State facts, one value for each category and key, and look at them."""


@fact.command("add")
@click.argument("name", metavar="CATEGORY/KEY")
@click.argument("value")
@click.option("--confidence", type=CONFIDENCE, metavar="X", help="0 to 1; by default .9.")
@click.option(
    "--expires", "expires_at", metavar="T", help="When it is over: 2026-12-31 or ISO 8601."
)
@statement_options
@pass_context
def add_command(context: CliContext, /, *, name: str, **options: Any) -> None:
    """State a fact: `mem fact add preference/coffee_order "Oat milk latte"`.

    The same value again keeps it from fading; another value replaces it, and the former one stays
    in its history.
    """
    category, slash, key = name.removeprefix("fact ").partition("/")
    if not (slash and category.strip() and key.strip()):
        raise click.BadParameter(f"{name!r} is not a category and a key, such as preference/tea")
    with context.open_workspace(create=True) as workspace:
        made = write_fact(workspace, NewFact(category=category, key=key, **stated(options)))
    if context.json:
        print_json(made)
        return
    click.echo(f"{shown(made.citation)}  {shown(made.value)}  ({made.action})")
    if made.state != "current":
        note(f"it is {made.state}, so no search finds it: mem search --archived")


@fact.command("list")
@click.option("--category", metavar="C", help="Only of this category.")
@click.option("--archived", is_flag=True, help="Also those that are archived or have expired.")
@pass_context
def list_command(context: CliContext, /, *, category: str | None, archived: bool) -> None:
    """List facts by category and key, with their present confidence."""
    with context.open_workspace() as workspace:
        found = list_facts(workspace, category=category, archived=archived)
    head = ("fact", "confidence", "stated", "value")
    none = "no such facts; state one: mem fact add preference/tea Assam"
    print_list(context, found, head=head, row=fact_row, none=none)


@fact.command("show")
@click.argument("name", metavar="CATEGORY/KEY")
@pass_context
def show_command(context: CliContext, /, *, name: str) -> None:
    """Show a fact with its present confidence and its former values."""
    with context.open_workspace() as workspace:
        found = read_fact(workspace, name)
    print_one(context, found)


@fact.command("decay")
@click.argument("name", metavar="CATEGORY/KEY")
@svg_option
@pass_context
def decay_command(context: CliContext, /, *, name: str, svg: Path | None) -> None:
    """Draw the confidence of a fact: when it was stated, how it fades, and when it is over."""
    from memory.records.plots.decay_curve import plot_decay

    with context.open_workspace() as workspace:
        plot = plot_decay(workspace, name)
    print_plot(context, plot, svg)
