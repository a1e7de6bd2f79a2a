"""`mem loop`: note what waits, list it, and resolve it."""

from typing import Any

import click

from cli.invocation import CliContext, pass_context
from cli.lazy_groups import CommandGroup
from cli.records.printing import loop_row, print_list, print_one
from cli.records.statements import number_of, stated, statement_options
from memory.records.checking import MOST_PRIORITY
from memory.records.open_loops import (
    NewOpenLoop,
    Resolution,
    get_open_loop,
    list_open_loops,
    resolve_open_loop,
    show_open_loops,
    write_open_loop,
)


@click.group(cls=CommandGroup)
def loop() -> None:
    """Note topics that wait, and resolve them."""


@loop.command("add")
@click.argument("topic")
@click.option(
    "--priority",
    type=click.IntRange(0, MOST_PRIORITY),
    metavar="N",
    help="0 to 5, higher is more urgent.",
)
@click.option("--at", "mentioned_at", metavar="T", help="When it came up, ISO 8601; else now.")
@statement_options
@pass_context
def add_command(context: CliContext, /, **options: Any) -> None:
    """Note a topic that waits, or count another mention; a resolved one is open again."""
    with context.open_workspace(create=True) as workspace:
        made = write_open_loop(workspace, NewOpenLoop(**stated(options)))
    print_one(context, made)


@loop.command("list")
@click.option("--resolved", is_flag=True, help="Also those that are resolved.")
@pass_context
def list_command(context: CliContext, /, *, resolved: bool) -> None:
    """List open loops, the most urgent and most mentioned first."""
    with context.open_workspace() as workspace:
        found = list_open_loops(workspace, resolved=resolved)
    head = ("loop", "priority", "mentions", "last", "topic")
    print_list(context, found, head=head, row=loop_row, none="nothing is open")


@loop.command("show")
@click.argument("number", metavar="LOOP")
@pass_context
def show_command(context: CliContext, /, *, number: str) -> None:
    """Show an open or resolved loop. LOOP is its number, or loop 5."""
    with context.open_workspace() as workspace:
        row = get_open_loop(workspace, number_of(number, "loop"))
        (found,) = show_open_loops(workspace, [row])
    print_one(context, found)


@loop.command("resolve")
@click.argument("number", metavar="LOOP")
@click.option("--note", metavar="TEXT", help="What closed it, in words.")
@click.option(
    "--evidence", multiple=True, metavar="TURN", help="A turn that closed it; repeatable."
)
@pass_context
def resolve_command(
    context: CliContext, /, *, number: str, note: str | None, evidence: tuple[str, ...]
) -> None:
    """Resolve an open loop. LOOP is its number, or loop 5."""
    by = Resolution(note=note, evidence=evidence)
    with context.open_workspace() as workspace:
        done = resolve_open_loop(workspace, number_of(number, "loop"), by)
    print_one(context, done)
