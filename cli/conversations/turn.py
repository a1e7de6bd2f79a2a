"""`mem turn`: store turns of a conversation, and look at them."""

from collections.abc import Sequence
from typing import Any

import click

from cli.conversations.analyze import analyze_command
from cli.conversations.vectors import tell_missing
from cli.invocation import CliContext, pass_context
from cli.lazy_groups import CommandGroup
from cli.output import counted, print_json, shown, warn
from cli.parameters import text_of_stdin
from contracts import UnavailableError
from memory.conversations.llm_extraction.passes import ModelExtractionReport, extract_with_model
from memory.conversations.memories.values import ExtractedMemory
from memory.conversations.pipeline import TurnResult, process_turns
from memory.conversations.turns.values import ROLES, NewTurn

_FROM_STDIN = "-"


role_option = click.option(
    "--role",
    type=click.Choice(ROLES),
    default="user",
    show_default=True,
    help="The speaker's role.",
)
speaker_option = click.option(
    "--speaker", metavar="NAME", help="The speaker's name, if several share the role."
)
ts_option = click.option("--ts", metavar="T", help="When it was said, ISO 8601; default: now.")
client_id_option = click.option(
    "--client-id", metavar="ID", help="An id: a repeat in the same session stores nothing."
)


@click.group(cls=CommandGroup)
def turn() -> None:
    """Store what is said, and show what is extracted from it."""


turn.add_command(analyze_command)


@turn.command("add")
@click.argument("text")
@click.option("--session", required=True, metavar="S", help="The conversation it belongs to.")
@role_option
@speaker_option
@ts_option
@click.option("--image", "images", multiple=True, metavar="PATH", help="An image; repeatable.")
@client_id_option
@click.option("--extract/--no-extract", default=True, help="Extract memories from it.")
@pass_context
def add_command(context: CliContext, /, text: str, session: str, **options: Any) -> None:
    """Store what was said, and remember what the rules find in it. - reads TEXT from stdin."""
    images, extract = options.pop("images"), options.pop("extract")
    new = NewTurn(session, text_or_stdin(text), image_paths=images, auto_extract=extract, **options)
    report(context, new)


@turn.command("enrich")
@click.option("--again", is_flag=True, help="Also try the turns that were given up.")
@pass_context
def enrich_command(context: CliContext, *, again: bool) -> None:
    """Have the configured language model read the turns that wait for it.

    A server does this by itself. Turns that cannot be sent now wait until later.
    """
    with context.open_workspace() as workspace:
        done = extract_with_model(workspace, again=again)
    if context.json:
        print_json(done)
    else:
        for line in enriched_lines(done):
            click.echo(line)
    if done.error is not None:
        raise UnavailableError(done.error, hint=done.hint or "mem status shows what is waiting")


def enriched_lines(done: ModelExtractionReport) -> list[str]:
    """The result of a language model's reading of turns, for people."""
    read = f"{counted(done.turns, 'turn')} read, {done.failed:,} failed, {done.skipped:,} not sent"
    return [f"{read}, {done.waiting:,} waiting", *_memory_lines(done.extracted_memories)]


def report(context: CliContext, new: NewTurn) -> None:
    """Store a turn, and print the result."""
    with context.open_workspace(create=True) as workspace:
        (result,) = process_turns(workspace, [new])
        if not context.json:
            tell_missing(workspace)
    if context.json:
        print_json(result)
        return
    for line in lines_of(result, new.session_id):
        click.echo(line)
    for warning in result.warnings:
        warn(warning)


def lines_of(result: TurnResult, session_id: str | int) -> list[str]:
    """The result of storing a turn, for people."""
    known = ", known already" if result.repeated else ""
    lines = [f"session {shown(str(session_id))} turn {result.turn_id}{known}"]
    return [*lines, *_memory_lines(result.extracted_memories)]


def _memory_lines(memories: Sequence[ExtractedMemory]) -> list[str]:
    return [
        f"  {memory.action:<8}{'' if memory.id is None else f'memory {memory.id}'}  "
        f"{shown(memory.content)}"
        for memory in memories
    ]


def text_or_stdin(text: str) -> str:
    """The typed text, or stdin for -."""
    return text_of_stdin().rstrip("\n") if text == _FROM_STDIN else text
