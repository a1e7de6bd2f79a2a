"""Commands of `sm` whose names or options differ from the same commands of `mem`."""

from typing import Any

import click

from cli.conversations.memories import (
    explain_memory,
    print_memories,
    query_option,
    remember_text,
    sort_option,
)
from cli.conversations.turn import (
    client_id_option,
    report,
    role_option,
    speaker_option,
    text_or_stdin,
    ts_option,
)
from cli.invocation import CliContext, pass_context
from cli.parameters import limit_option
from memory.conversations.memories.listing import MOST_LISTED, USUAL_LIMIT, MemoryFilter
from memory.conversations.memories.values import LAYERS
from memory.conversations.turns.values import NewTurn


@click.command("add-turn")
@click.option("--session", required=True, metavar="ID", help="The session it belongs to.")
@role_option
@click.option("--text", required=True, metavar="T", help="What was said; - reads it from stdin.")
@click.option("--no-extract", is_flag=True, help="Make no memories of it.")
@speaker_option
@ts_option
@client_id_option
@pass_context
def add_turn(
    context: CliContext, /, session: str, text: str, no_extract: bool, **options: Any
) -> None:
    """Store what was said, and remember what the rules find in it."""
    report(context, NewTurn(session, text_or_stdin(text), auto_extract=not no_extract, **options))


@click.command("remember")
@click.option("--text", required=True, metavar="T", help="The text to remember.")
@click.option(
    "--importance",
    type=click.IntRange(0, 1),
    default=1,
    show_default=True,
    metavar="0|1",
    help="1: it is kept until it is forgotten; 0: it fades like what was said.",
)
@click.option("--tags", default="", metavar="A,B", help="Tags to find it by.")
@pass_context
def remember(context: CliContext, text: str, importance: int, tags: str) -> None:
    """Keep a text as a memory, or strengthen the one that says the same."""
    named = [tag.strip() for tag in tags.split(",") if tag.strip()]
    remember_text(context, text, importance=importance, tags=named)


@click.command("list")
@click.option("--layer", type=click.Choice(LAYERS), help="Only this layer.")
@sort_option
@query_option
@limit_option(MOST_LISTED, USUAL_LIMIT)
@pass_context
def list_(context: CliContext, /, limit: int, query: str | None, **options: Any) -> None:
    """List memories, the strongest first."""
    print_memories(context, MemoryFilter(**options, q=query), limit=limit)


@click.command("explain")
@click.option("--id", "memory_id", type=int, required=True, metavar="N", help="The memory.")
@pass_context
def explain(context: CliContext, memory_id: int) -> None:
    """Explain a memory: its source, its score, and its history."""
    explain_memory(context, memory_id)
