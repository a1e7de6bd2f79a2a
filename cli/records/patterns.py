"""`mem pattern`: note what happens again and again, and look at how certain it is."""

from typing import Any

import click

from cli.invocation import CliContext, pass_context
from cli.lazy_groups import CommandGroup
from cli.output import ago
from cli.records.printing import print_list, print_one
from cli.records.statements import CONFIDENCE, number_of, stated, statement_options
from memory.records.patterns import (
    NewPattern,
    get_pattern,
    list_patterns,
    show_patterns,
    write_pattern,
)
from memory.records.values import PATTERN_TYPES, ShownPattern

_TYPE = click.Choice(PATTERN_TYPES)


@click.group(cls=CommandGroup)
def pattern() -> None:
    """Note what happens again and again; each observation makes it more certain."""


@pattern.command("add")
@click.argument("pattern_type", type=_TYPE, metavar="TYPE")
@click.argument("description")
@click.option("--confidence", type=CONFIDENCE, metavar="X", help="0 to 1; by default .9.")
@click.option("--at", "observed_at", metavar="T", help="When, ISO 8601; else now.")
@statement_options
@pass_context
def add_command(context: CliContext, /, **options: Any) -> None:
    """Note an observation. TYPE is habit, schedule, preference or communication."""
    with context.open_workspace(create=True) as workspace:
        made = write_pattern(workspace, NewPattern(**stated(options)))
    print_one(context, made)


@pattern.command("list")
@click.option("--type", "pattern_type", type=_TYPE, help="Only of this type.")
@pass_context
def list_command(context: CliContext, /, *, pattern_type: str | None) -> None:
    """List patterns, the most certain first."""
    with context.open_workspace() as workspace:
        found = list_patterns(workspace, pattern_type=pattern_type)
    head = ("pattern", "type", "confidence", "times", "last", "description")
    print_list(context, found, head=head, row=_row, none="no such patterns")


def _row(one: ShownPattern) -> tuple[str, ...]:
    observed = f"{one.confidence:.2f}", str(one.frequency), ago(one.last_observed)
    return str(one.id), one.pattern_type, *observed, one.description


@pattern.command("show")
@click.argument("number", metavar="PATTERN")
@pass_context
def show_command(context: CliContext, /, *, number: str) -> None:
    """Show a pattern. PATTERN is its number, or pattern 4."""
    with context.open_workspace() as workspace:
        row = get_pattern(workspace, number_of(number, "pattern"))
        (found,) = show_patterns(workspace, [row])
    print_one(context, found)
