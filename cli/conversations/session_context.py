"""`mem context` and `sm get-context`: what an agent should know about a session."""

from collections.abc import Sequence
from typing import Any

import click

from cli.invocation import CliContext, pass_context
from cli.output import note, print_json, shown, table, warn
from memory.context.session_context import MOST_K, USUAL_K, Context, read_context
from memory.conversations.memories.values import Memory
from memory.conversations.turns.values import Turn

_K = click.IntRange(1, MOST_K)
_QUERY_HELP = "Choose the memories relevant to these words, not the strongest ones."

_WITHOUT_TAG = click.option(
    "--without-tag",
    "without_tags",
    multiple=True,
    metavar="T",
    help="Leave out turns and memories with this tag, such as secret; repeatable.",
)


@click.command()
@click.argument("session")
@click.option("-k", "--k", type=_K, default=USUAL_K, show_default=True, help="Mid-term memories.")
@click.option("--query", metavar="WORDS", help=_QUERY_HELP)
@_WITHOUT_TAG
@pass_context
def context(cli: CliContext, /, **asked: Any) -> None:
    """Show the last turns of a session, and the memories that matter next.

    The turns are those of the session's short-term window: the newest ones (memory.short_term.size)
    within memory.session_retention_hours.
    """
    _show(cli, **asked)


@click.command("get-context")
@click.option("--session", required=True, metavar="ID", help="The session.")
@click.option("--k", type=_K, default=USUAL_K, show_default=True, help="Mid-term memories.")
@click.option("--query", metavar="WORDS", help=_QUERY_HELP)
@_WITHOUT_TAG
@pass_context
def get_context(cli: CliContext, /, **asked: Any) -> None:
    """Show the last turns of a session, and the memories that matter next."""
    _show(cli, **asked)


def _show(cli: CliContext, session: str, **asked: Any) -> None:
    with cli.open_workspace() as workspace:
        found = read_context(workspace, session, **asked)
    if cli.json:
        print_json(found)
        return
    for warning in found.warnings:
        warn(warning)
    _print(found)


def _print(found: Context) -> None:
    parts = (
        ("Short-term", _turn_lines(found.short_term)),
        ("Mid-term", _memory_lines(found.mid_term)),
        ("Long-term", _memory_lines(found.long_term_hint)),
    )
    told = [(name, lines) for name, lines in parts if lines]
    if not told:
        note("this session has no recent turns, and there are no memories yet")
    click.echo(
        "\n\n".join(f"{click.style(name, bold=True)}\n{text}" for name, text in told), nl=bool(told)
    )


def _turn_lines(turns: Sequence[Turn]) -> str:
    return "\n".join(
        f"{turn.ts[:16].replace('T', ' ')}  {shown(turn.speaker or turn.role)}: {shown(turn.text)}"
        for turn in turns
    )


def _memory_lines(memories: Sequence[Memory]) -> str:
    rows = [(f"memory {one.id}", f"{one.score:.2f}", shown(one.content)) for one in memories]
    return "\n".join(table(rows, right=frozenset({1})))
