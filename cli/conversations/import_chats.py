"""The part of `mem import` that reads chat histories of other programs."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from cli.conversations.vectors import embed_stored
from cli.invocation import CliContext
from cli.output import counted, note, print_json, shown, warn
from cli.progress import history_progress
from contracts import NotFoundError
from contracts.named_tuple import NamedTuple
from ingest.histories.agents.places import AGENTS
from ingest.histories.values import SYMBIOSIS

if TYPE_CHECKING:
    from ingest.histories.values import HistoryForm
    from memory.operations.exchange.history_reports import HistoryReport
    from memory.workspace import Workspace

MOST_ERRORS = 10
"""Places listed for people; --json lists all."""

_REASONS = {
    "empty": "without a text",
    "hidden": "hidden",
    "other-branch": "of other branches",
    "secret": "with a secret",
    "unknown-content": "with unknown content",
    "forgotten": "forgotten before",
    "tool-output": "of tools",
    "broken": "unreadable",
}
_DEEDS = {"create": "new", "merge": "known", "archive": "archived"}
_SPEAKERS_SHOWN = 8
_DAY = len("2026-03-04")


class ChatArguments(NamedTuple):
    """The form of the file, and the options for chat histories."""

    form: str
    me: str | None = None
    extract: bool = True
    dry_run: bool = False
    tool_output: bool = False


def import_chats(context: CliContext, source: Path, arguments: ChatArguments) -> None:
    """Import a chat history, and report the result."""
    from ingest.histories.agents.messages import ReadOptions
    from memory.operations.exchange.agent_import import import_transcripts
    from memory.operations.exchange.history_import import HistoryOptions, import_history
    from memory.operations.exchange.symbiosis_import import import_symbiosis

    workspace = _workspace(context, dry_run=arguments.dry_run)
    try:
        with history_progress() as progress:
            options = HistoryOptions(arguments.me, arguments.extract, arguments.dry_run)
            if arguments.form in AGENTS:
                report = import_transcripts(
                    workspace,
                    source,
                    arguments.form,
                    read=ReadOptions(tool_output=arguments.tool_output),
                    options=options,
                    progress=progress,
                )
            elif arguments.form == SYMBIOSIS:
                report = import_symbiosis(
                    workspace, source, dry_run=arguments.dry_run, progress=progress
                )
            else:
                report = import_history(
                    workspace,
                    source,
                    cast("HistoryForm", arguments.form),
                    options=options,
                    progress=progress,
                )
        if workspace is not None and not arguments.dry_run:
            report = replace(report, warnings=[*report.warnings, *embed_stored(workspace)])
    finally:
        if workspace is not None:
            workspace.close()
    if context.json:
        print_json(report)
        return
    print_report(report)


def print_report(report: "HistoryReport") -> None:
    """Print the result of an import for people, with what could not be read on stderr."""
    for line in lines_of(report):
        click.echo(line)
    for error in report.errors[:MOST_ERRORS]:
        note(f"{shown(error.place)}: {shown(error.reason)}")
    if (more := len(report.errors) - MOST_ERRORS) > 0:
        note(f"and {more:,} more; --json lists them")
    for warning in report.warnings:
        warn(warning)


def _workspace(context: CliContext, *, dry_run: bool) -> "Workspace | None":
    """Open the database; a dry run creates none."""
    if not dry_run:
        return context.open_workspace(create=True)
    try:
        return context.open_workspace()
    except NotFoundError:
        return None


def lines_of(report: "HistoryReport") -> list[str]:
    """The result of importing a history, for people."""
    of = f"{counted(report.turns, 'turn')} in {counted(report.sessions, 'session')}"
    when = ""
    if report.first and report.last:
        when = f", {report.first[:_DAY]} to {report.last[:_DAY]}"
    done = "would be added" if report.dry_run else "added"
    lines = [f"{report.format}: {of}{when}", f"{report.added:,} {done}, {report.known:,} known"]
    if report.memories:
        told = (f"{report.memories.get(deed, 0):,} {name}" for deed, name in _DEEDS.items())
        lines.append(f"memories: {', '.join(told)}")
    if report.texts or report.folded:
        lines.append(
            f"{counted(report.texts, 'text')} of summaries, "
            f"{report.folded:,} more that repeat one of them"
        )
    if report.speakers:
        more = ", ..." if len(report.speakers) > _SPEAKERS_SHOWN else ""
        lines.append(f"speakers: {', '.join(map(shown, report.speakers[:_SPEAKERS_SHOWN]))}{more}")
    if report.undated:
        lines.append(f"{report.undated:,} without a time, stored with the time of the file")
    left = [f"{number:,} {_REASONS[reason]}" for reason, number in report.omitted.items()]
    if left:
        lines.append(f"left out: {', '.join(left)}")
    return lines
