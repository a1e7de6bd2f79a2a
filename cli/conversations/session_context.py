"""`mem context` and `sm get-context`: what an agent should know before it answers."""

from collections.abc import Callable, Sequence
from typing import Any

import click

from cli.invocation import CliContext, pass_context
from cli.output import counted, note, print_json, shown, table, warn
from memory.context.building import build_context
from memory.context.request import (
    INCLUDED,
    MOST_K,
    MOST_TOKENS,
    SECRET,
    USUAL_K,
    USUAL_TOKENS,
    ContextRequest,
)
from memory.context.values import Context
from memory.conversations.memories.values import Memory
from memory.conversations.turns.values import Turn

_K = click.IntRange(1, MOST_K)
_OPTIONS = (
    click.option(
        "--query", metavar="WORDS", help="The question; default: the session's last user turn."
    ),
    click.option("--system", metavar="TEXT", help="A system message, first and in the budget."),
    click.option(
        "--max-tokens",
        type=click.IntRange(1, MOST_TOKENS),
        default=USUAL_TOKENS,
        show_default=True,
        help="Most tokens of all parts together.",
    ),
    click.option(
        "--seen",
        "seen_turn_ids",
        type=int,
        multiple=True,
        metavar="N",
        help="A turn that the agent has already, by its id; repeatable.",
    ),
    click.option(
        "--without-own",
        is_flag=True,
        help="Leave out the turns of the session itself: the agent has them.",
    ),
    click.option(
        "--without-tag",
        "without_tags",
        multiple=True,
        default=SECRET,
        show_default=True,
        metavar="T",
        help="Leave out turns and memories with this tag; repeatable, empty: none.",
    ),
    click.option(
        "--include",
        metavar="KINDS",
        default="",
        help=f"Further parts for the question, with commas: {', '.join(INCLUDED)}.",
    ),
)


def _with_options(command: Callable[..., None]) -> Callable[..., None]:
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.command()
@click.argument("session")
@click.option("-k", "--k", type=_K, default=USUAL_K, show_default=True, help="Mid-term memories.")
@_with_options
@pass_context
def context(cli: CliContext, /, **asked: Any) -> None:
    """Show what an agent should know before it answers, as one Markdown text.

    These are standing instructions, facts, the best turns of all sessions for the question,
    matching files, and the session's last turns, within a budget of tokens.
    """
    found = _built(cli, **asked)
    if cli.json:
        print_json(found)
        return
    if not found.markdown:
        note("this session has no recent turns, and nothing else is known yet")
        return
    click.echo("\n".join(map(shown, found.markdown.splitlines())))
    left_out = found.left_out.parts
    more = f"; {counted(left_out, 'more part')} had no room" if left_out else ""
    note(f"{found.tokens:,} tokens{more}")


@click.command("get-context")
@click.option("--session", required=True, metavar="ID", help="The session.")
@click.option("--k", type=_K, default=USUAL_K, show_default=True, help="Mid-term memories.")
@_with_options
@pass_context
def get_context(cli: CliContext, /, **asked: Any) -> None:
    """Show the last turns of a session, and the memories that matter next.

    The turns are those of the session's short-term window: the newest ones (memory.short_term.size)
    within memory.session_retention_hours.
    """
    found = _built(cli, **asked)
    if cli.json:
        print_json(found)
    else:
        _print(found)


def _built(
    cli: CliContext, session: str, without_tags: Sequence[str], include: str, **asked: Any
) -> Context:
    tags = [tag for tag in without_tags if tag]
    further = [name.strip() for name in include.split(",") if name.strip()]
    request = ContextRequest(session, without_tags=tags, include=further, **asked)
    with cli.open_workspace() as workspace:
        found = build_context(workspace, request)
    if not cli.json:
        for warning in found.warnings:
            warn(warning)
    return found


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
