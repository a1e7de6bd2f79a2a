"""`mem person`: keep people, list them, look at what names one, and merge two records of one."""

from typing import Any

import click

from cli.invocation import CliContext, pass_context
from cli.lazy_groups import CommandGroup
from cli.records.printing import print_list, print_one
from cli.records.statements import stated, statement_options
from memory.records.people import NewPerson, list_people, merge_people, write_person
from memory.records.topics import read_profile
from memory.records.values import SENTIMENTS, ShownPerson


@click.group(cls=CommandGroup)
def person() -> None:
    """Keep people, and look at everything that names one."""


@person.command("add")
@click.argument("name")
@click.option("--relationship", metavar="R", help="Such as friend or coworker.")
@click.option("--sentiment", type=click.Choice(SENTIMENTS), help="neutral for a new person.")
@click.option("--notes", metavar="TEXT", help="Any text.")
@click.option("--last-contact", metavar="T", help="A time, or any text.")
@click.option("--alias", "aliases", multiple=True, metavar="A", help="Another name; repeatable.")
@statement_options
@pass_context
def add_command(context: CliContext, /, **options: Any) -> None:
    """Keep a person, or change the one with that name or alias."""
    with context.open_workspace(create=True) as workspace:
        made = write_person(workspace, NewPerson(**stated(options)))
    print_one(context, made)


@person.command("list")
@pass_context
def list_command(context: CliContext, /) -> None:
    """List people by name."""
    with context.open_workspace() as workspace:
        found = list_people(workspace)
    head = ("name", "relationship", "sentiment", "last contact", "also")
    print_list(context, found, head=head, row=_row, none="no people; add one: mem person add NAME")


def _row(one: ShownPerson) -> tuple[str, ...]:
    known = one.relationship, one.sentiment, one.last_contact or ""
    return one.name, *known, ", ".join(one.aliases)


@person.command("show")
@click.argument("name")
@pass_context
def show_command(context: CliContext, /, *, name: str) -> None:
    """Show a person, by name or alias, with the records, turns and files that name them."""
    with context.open_workspace() as workspace:
        found = read_profile(workspace, name.removeprefix("person "))
    print_one(context, found)


@person.command("merge")
@click.argument("name")
@click.argument("into")
@pass_context
def merge_command(context: CliContext, /, *, name: str, into: str) -> None:
    """Make two records of one person one: NAME becomes an alias of INTO."""
    with context.open_workspace() as workspace:
        merged = merge_people(workspace, name, into)
    print_one(context, merged)
