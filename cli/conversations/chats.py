"""`mem chats`: conversations with agents, watched where the agents keep their transcripts."""

from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from cli.conversations.import_chats import print_report
from cli.invocation import CliContext, pass_context
from cli.lazy_groups import CommandGroup
from cli.output import counted, note, print_json, shown
from cli.parameters import PathArgument
from contracts import NotFoundError
from ingest.histories.agents.places import AGENTS, default_place, kept_in, transcripts_at
from memory.values.user_folders import working_folder

if TYPE_CHECKING:
    from ingest.histories.agents.places import Agent

_AGENT = click.argument("agent", type=click.Choice(AGENTS))
_PATH = click.argument("path", type=PathArgument(readable=False, path_type=Path), required=False)


@click.group(cls=CommandGroup)
def chats() -> None:
    """Watch conversations with agents, and capture one now."""


@chats.command("add")
@_AGENT
@_PATH
@click.option("--tool-output", is_flag=True, help="Also take what its tools said.")
@pass_context
def add_command(
    context: CliContext, /, *, agent: "Agent", path: Path | None, tool_output: bool
) -> None:
    """Watch the conversations with AGENT at PATH, by default where the agent keeps them.

    `mem serve` and `mem watch` then capture what was said and what is being said. Secrets are
    masked before anything is stored; docs/import.md says what is taken and what is left out.
    """
    from memory.conversations.capture.sources import ChatSource, add_source

    place = _place(agent, path)
    transcripts = transcripts_at(agent, place).paths if place.exists() else []
    if path is not None and not place.exists():
        raise NotFoundError(f"there is no {place}", hint="check its spelling")
    with context.open_workspace(create=True) as workspace:
        is_new = add_source(workspace, ChatSource(agent, place, tool_output))
    if context.json:
        print_json({"agent": agent, "path": str(place), "new": is_new})
        return
    done = "watched from now on" if is_new else "watched already"
    there = f"{counted(len(transcripts), 'transcript')}" if place.exists() else "not there yet"
    click.echo(f"{agent}: {shown(str(place))}, {there}, {done}")
    note(f"mem serve or mem watch captures them; at once: mem import --format {agent}")


@chats.command("list")
@pass_context
def list_command(context: CliContext) -> None:
    """List what is watched, how much was captured, and what could not be read."""
    from memory.conversations.capture.sources import read_sources

    with context.open_workspace() as workspace:
        found = read_sources(workspace)
    if context.json:
        print_json(found)
        return
    for source in found:
        of = f"{counted(source.turns, 'turn')} of {counted(source.transcripts, 'transcript')}"
        click.echo(f"{source.agent}  {shown(source.path)}  {of}")
        for trouble in source.troubles:
            click.echo(f"  not read: {shown(trouble)}")


@chats.command("remove")
@_AGENT
@_PATH
@pass_context
def remove_command(context: CliContext, /, *, agent: "Agent", path: Path | None) -> None:
    """Stop watching; what was captured stays. `mem forget` removes it."""
    from memory.conversations.capture.sources import remove_source

    with context.open_workspace() as workspace:
        remove_source(workspace, agent, _place(agent, path))
    if context.json:
        print_json({"agent": agent, "removed": True})
    else:
        click.echo(f"{agent}: no longer watched")


@chats.command("capture")
@click.option("--format", "form", type=click.Choice(AGENTS), required=True, help="The agent.")
@click.option(
    "--transcript",
    type=PathArgument(readable=False, path_type=Path),
    required=True,
    metavar="PATH",
    help="The file in which the agent keeps the conversation.",
)
@click.option("--session", metavar="ID", help="Its session, where the transcript does not say it.")
@click.option("--tool-output", is_flag=True, help="Also take what its tools said.")
@pass_context
def capture_command(
    context: CliContext,
    /,
    *,
    form: str,
    transcript: Path,
    session: str | None,
    tool_output: bool,
) -> None:
    """Capture what is new in a transcript now, as a hook of an agent asks for.

    It continues where it, a watcher or an import ended. A repeat stores nothing. A transcript
    that does not exist yet is not an error.
    """
    from ingest.histories.agents.messages import ReadOptions
    from memory.operations.exchange.agent_import import capture_transcript

    read = ReadOptions(tool_output, session)
    with context.open_workspace(create=True) as workspace:
        path = kept_in(cast("Agent", form), working_folder() / transcript)
        report = capture_transcript(workspace, path, cast("Agent", form), read=read)
    if not path.exists():
        note(f"there is no file {path} yet")
    if context.json:
        print_json(report)
    else:
        print_report(report)


def _place(agent: "Agent", path: Path | None) -> Path:
    return (default_place(agent) if path is None else path.expanduser()).absolute()
