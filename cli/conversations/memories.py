"""`mem remember`, `mem memories` and `mem explain`: keep, list, edit and explain memories."""

from collections.abc import Sequence
from typing import Any

import click

from cli.conversations.vectors import tell_missing
from cli.invocation import CliContext, pass_context
from cli.lazy_groups import CommandGroup
from cli.output import ago, note, print_json, shown, table, warn
from cli.parameters import limit_option, metadata_of
from cli.searching.past_statements import no_longer_so
from memory.conversations.memories.editing import MemoryChange, confirm_memory, edit_memory
from memory.conversations.memories.editing import remember as keep
from memory.conversations.memories.listing import (
    ANY_STATUS,
    MOST_LISTED,
    SORTS,
    USUAL_LIMIT,
    MemoryFilter,
    list_memories,
)
from memory.conversations.memories.slots.showing import read_memory
from memory.conversations.memories.values import (
    IMPORTANT,
    LAYERS,
    STATUSES,
    Memory,
    Remembered,
    ShownMemory,
)
from memory.conversations.memories.why import Why, why
from memory.storage.action_log import AGENT, Action

query_option = click.option(
    "--query", "-q", metavar="WORDS", help="Only memories with these words."
)
sort_option = click.option(
    "--sort",
    type=click.Choice(SORTS),
    default="score",
    show_default=True,
    help="The order; relevance needs --query.",
)

_BECAME = {"create": "new", "merge": "already known, now stronger", "archive": "no longer so"}
_HEAD = ("memory", "layer", "score", "hits", "seen", "content")


@click.command()
@click.argument("text")
@click.option(
    "--important/--fading",
    default=True,
    show_default=True,
    help="An important memory is kept until it is forgotten; a fading one ends like what was said.",
)
@click.option("--tag", "tags", multiple=True, metavar="T", help="A tag to find it by; repeatable.")
@click.option("--metadata", metavar="JSON", help='Extra data to keep with it: {"from": "Ada"}.')
@pass_context
def remember(
    context: CliContext, *, text: str, important: bool, tags: tuple[str, ...], metadata: str | None
) -> None:
    """Keep TEXT as a memory, or strengthen the one that says the same."""
    remember_text(context, text, importance=int(important), tags=tags, metadata=metadata)


def remember_text(
    context: CliContext,
    text: str,
    *,
    importance: int = IMPORTANT,
    tags: Sequence[str] = (),
    metadata: str | None = None,
) -> None:
    """Keep a memory, and print the result."""
    about = metadata_of(metadata)
    with context.open_workspace(create=True) as workspace:
        made = keep(workspace, text, importance=importance, tags=tags, metadata=about)
        if not context.json:
            tell_missing(workspace)
    if context.json:
        print_json(made)
        return
    click.echo(f"memory {made.id}  {shown(made.content)}  ({_BECAME[made.action]})")
    _print_replaced(made)


def _print_replaced(made: Remembered) -> None:
    for memory_id in made.replaced:
        click.echo(f"memory {memory_id} is archived: the new one contradicts it")


@click.group(cls=CommandGroup)
def memories() -> None:
    """List memories, look at one and change it."""


@memories.command("list")
@click.option("--layer", type=click.Choice(LAYERS), help="Only this layer.")
@click.option(
    "--status",
    type=click.Choice([*STATUSES, ANY_STATUS]),
    default="active",
    show_default=True,
    help="Only these.",
)
@click.option("--tag", metavar="T", help="Only with this tag.")
@click.option("--without-tag", metavar="T", help="Only without this tag, such as pii.")
@query_option
@sort_option
@limit_option(MOST_LISTED, USUAL_LIMIT)
@pass_context
def list_command(context: CliContext, /, **options: Any) -> None:
    """List memories, the strongest first."""
    limit, query = options.pop("limit"), options.pop("query")
    print_memories(context, MemoryFilter(**options, q=query), limit=limit)


def print_memories(context: CliContext, wanted: MemoryFilter, *, limit: int) -> None:
    """Print the selected memories, for people or programs."""
    with context.open_workspace() as workspace:
        page = list_memories(workspace, wanted, limit=limit)
    if context.json:
        print_json(page.memories)
        return
    for warning in page.warnings:
        warn(warning)
    if not page.memories:
        note("no such memories")
        return
    head, *lines = table([_HEAD, *map(_row, page.memories)], right=frozenset({0, 2, 3}))
    click.echo("\n".join([click.style(head, dim=True), *lines]))
    if page.next_cursor is not None:
        note(f"more: --limit {min(limit * 10, MOST_LISTED)}")


def _row(memory: ShownMemory) -> tuple[str, ...]:
    state = "" if memory.status == "active" else f"  ({memory.status})"
    if memory.superseded is not None:
        state = f"  (no longer so: {shown(memory.superseded.by)})"
    important = "!" if memory.importance else ""
    return (
        str(memory.id),
        memory.layer,
        f"{memory.score:.2f}{important}",
        str(memory.hits),
        ago(memory.last_seen_at or memory.created_at),
        f"{shown(memory.content)}{state}",
    )


@memories.command("show")
@click.argument("memory_id", type=int, metavar="ID")
@pass_context
def show_command(context: CliContext, *, memory_id: int) -> None:
    """Print one memory with everything kept about it."""
    with context.open_workspace() as workspace:
        memory = read_memory(workspace, memory_id)
    _print_memory(context, memory)


@memories.command("edit")
@click.argument("memory_id", type=int, metavar="ID")
@click.option("--content", metavar="TEXT", help="The new text.")
@click.option(
    "--tag", "tags", multiple=True, metavar="T", help="The new tags, replacing all; repeatable."
)
@click.option("--no-tags", is_flag=True, help="Remove all tags.")
@click.option(
    "--importance", type=click.IntRange(0, 1), metavar="0|1", help="1: it counts for more."
)
@click.option(
    "--status",
    type=click.Choice(STATUSES),
    help="Archived and deleted memories are not found; the next clean-up removes deleted ones.",
)
@click.option("--layer", type=click.Choice(LAYERS), help="long stays, mid may fade.")
@pass_context
def edit_command(
    context: CliContext, /, *, memory_id: int, tags: tuple[str, ...], no_tags: bool, **options: Any
) -> None:
    """Change a memory; memories that it then contradicts are archived."""
    if tags and no_tags:
        raise click.UsageError("--tag and --no-tags cannot be used together.")
    change = MemoryChange(tags=tags if tags or no_tags else None, **options)
    if change == MemoryChange():
        raise click.UsageError("Nothing to change: give --content, --status or another.")
    with context.open_workspace() as workspace:
        memory = edit_memory(workspace, memory_id, change)
    _print_memory(context, memory)


@memories.command("confirm")
@click.argument("memory_id", type=int, metavar="ID")
@pass_context
def confirm_command(context: CliContext, *, memory_id: int) -> None:
    """Confirm what an agent remembered; memories that it contradicts are archived."""
    with context.open_workspace() as workspace:
        memory = confirm_memory(workspace, memory_id)
    _print_memory(context, memory)


def _print_memory(context: CliContext, memory: Memory) -> None:
    if context.json:
        print_json(memory)
        return
    click.echo(f"memory {memory.id}  {shown(memory.content)}")
    facts = {
        "status": memory.status,
        "layer": memory.layer,
        "score": f"{memory.score:.2f}",
        "hits": str(memory.hits),
        "importance": str(memory.importance),
        "tags": ", ".join(memory.tags),
        "said": memory.occurred_at,
        "kept since": memory.created_at,
        "by": memory.metadata.get(AGENT) or memory.origin,
    }
    for line in table([(name, shown(value)) for name, value in facts.items() if value]):
        click.echo(f"  {line}")
    if memory.superseded_by is not None:
        click.echo(f"  memory {memory.superseded_by} replaced it")
    if isinstance(memory, ShownMemory) and memory.superseded is not None:
        click.echo(f"  {no_longer_so(memory.superseded)}")


@click.command()
@click.argument("memory_id", type=int, metavar="ID")
@pass_context
def explain(context: CliContext, *, memory_id: int) -> None:
    """Explain a memory: its source, its score, and its history."""
    explain_memory(context, memory_id)


def explain_memory(context: CliContext, memory_id: int) -> None:
    """Everything known about the memory with an id."""
    with context.open_workspace() as workspace:
        found = why(workspace, memory_id)
    print_why(context, found)


def print_why(context: CliContext, found: Why) -> None:
    """Print a memory with its explanation, for people or programs."""
    if context.json:
        print_json(found)
        return
    _print_memory(context, found.memory)
    for line in _reasons(found):
        click.echo(line)


def _reasons(found: Why) -> list[str]:
    parts = found.score
    lines = [
        f"score {parts.total:.2f} now = {parts.frequency:.2f} for {found.hits} hits"
        f" + {parts.recency:.2f} at {found.age_days:.1f} days"
        f" + {parts.importance:.2f} for importance",
    ]
    if found.rules:
        rules = f"found by the rules {', '.join(found.rules)}"
        is_own = found.memory.origin == "user"
        lines.append(f"the text is the user's; a former one was {rules}" if is_own else rules)
    lines += [f"replaced memory {one.id}  {shown(one.content)}" for one in found.supersedes]
    if found.superseded_by is not None:
        by = found.superseded_by
        lines.append(f"was replaced by memory {by.id}  {shown(by.content)}")
    for source in found.sources:
        quote = f'  "{shown(source.quote)}"'
        lines += [f"{shown(source.citation)}  ({source.reason})", quote]
    hidden = found.sources_total - len(found.sources)
    if hidden:
        lines.append(f"and {hidden} more turns")
    return lines + [_done(action) for action in found.last_actions]


def _done(action: Action) -> str:
    code = f" ({action.code})" if action.code else ""
    numbers = ", ".join(f"{name} {value:g}" for name, value in action.numbers.items())
    token = f", token {action.token}" if action.token else ""
    return f"{action.at}  {action.action} by {action.actor}{token}{code}  {numbers}".rstrip()
