"""Commands of `sm` that are called or asked otherwise than those of `mem` which do the same."""

from typing import Any

import click

from cli.context import CliContext, pass_context
from cli.turn import report, told
from memory.turns.values import ROLES, NewTurn


@click.command("add-turn")
@click.option("--session", required=True, metavar="ID", help="The session it belongs to.")
@click.option(
    "--role", type=click.Choice(ROLES), default="user", show_default=True, help="Who says it."
)
@click.option("--text", required=True, metavar="T", help="What was said; - reads it from stdin.")
@click.option("--no-extract", is_flag=True, help="Make no memories of it.")
@click.option("--speaker", metavar="NAME", help="Who of several people has the role.")
@click.option("--ts", metavar="T", help="When it was said, ISO 8601; now unless given.")
@click.option("--client-id", metavar="ID", help="The same again in a session stores nothing.")
@pass_context
def add_turn(
    context: CliContext, /, session: str, text: str, no_extract: bool, **options: Any
) -> None:
    """Store what was said, and remember what the rules find in it."""
    report(context, NewTurn(session, told(text), auto_extract=not no_extract, **options))
