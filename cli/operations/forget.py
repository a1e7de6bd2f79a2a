"""`mem forget`: delete records for good, and verify that they are gone."""

import sys
from dataclasses import replace
from typing import Any

import click

from cli.errors import PROBLEMS
from cli.invocation import CliContext, pass_context
from cli.output import counted, print_json, shown, warn
from contracts import InputError
from contracts.named_tuple import NamedTuple
from memory.conversations.memories.editing import get_memory
from memory.operations.forget.removal import forget as forget_records
from memory.operations.forget.selection import cited
from memory.operations.forget.values import ForgetReport, ForgetRequest
from memory.values.record_kinds import RecordKinds
from memory.values.text_checks import caseless
from memory.workspace import Workspace

MOST_SHOWN = 20


class _Way(NamedTuple):
    """The options of how to forget, whatever it is."""

    dry_run: bool
    verify: bool
    yes: bool


def once(_ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> str | None:
    """Return the value of an option. Raises BadParameter for several: none is passed over."""
    if len(values) > 1:
        raise click.BadParameter(
            "it was given twice; run the command once for each", param=parameter
        )
    return values[0] if values else None


text_option = click.option(
    "--text",
    metavar="T",
    multiple=True,
    callback=once,
    help="Records with this text, in any letter case.",
)


@click.command()
@click.argument("citations", nargs=-1, metavar="[CITATION]...")
@click.option("--id", "ids", multiple=True, type=int, metavar="N", help="The memory with this id.")
@text_option
@click.option(
    "--query",
    metavar="Q",
    multiple=True,
    callback=once,
    help="The results of a search for this.",
)
@click.option(
    "-k",
    "most",
    type=click.IntRange(1, 1000),
    default=10,
    show_default=True,
    help="The most records for --query.",
)
@click.option("--session", metavar="S", multiple=True, callback=once, help="A whole conversation.")
@click.option("--since", metavar="T", help="Records from this time on: 2026-03, 7d, ISO 8601.")
@click.option("--until", metavar="T", help="Records up to this time; a day counts to its end.")
@click.option("--pii", is_flag=True, help="Records tagged as personal data.")
@click.option(
    "--with-sources", is_flag=True, help="Also the turns that memories were extracted from."
)
@click.option("--dry-run", is_flag=True, help="Only report what would be deleted.")
@click.option("--verify", is_flag=True, help="Verify that nothing of it is left.")
@click.option("--yes", is_flag=True, help="Ask nothing.")
@pass_context
def forget(context: CliContext, /, citations: tuple[str, ...], **options: Any) -> None:
    """Forget turns, memories, records and ingested texts for good.

    CITATION is one that a search printed: "session s1 turn 42", "memory 12", "fact preference/tea",
    "person Sarah Miller", "text ID". What was
    extracted from a turn alone is deleted with it. Records not named one by one are deleted only
    after you confirm, unless --text is the whole text of one memory and in no other record.
    """
    way = _Way(*(options.pop(name) for name in _Way._fields))
    with context.open_workspace() as workspace:
        _forget(context, workspace, _request(workspace.kinds, citations, **options), way)


@click.command("forget")
@click.option("--id", "memory_id", type=int, metavar="N", help="The memory with this id.")
@text_option
@click.option("--dry-run", is_flag=True, help="Only report what would be deleted.")
@click.option("--verify", is_flag=True, help="Verify that nothing of it is left.")
@click.option("--yes", is_flag=True, help="Ask nothing.")
@pass_context
def sm_forget(
    context: CliContext, /, memory_id: int | None, text: str | None, **options: bool
) -> None:
    """Forget a memory, or records with a text, for good.

    Records with a text are deleted only after you confirm, unless it is the whole text of one
    memory and in no other record.
    """
    request = ForgetRequest(memory_ids=() if memory_id is None else (memory_id,), text=text)
    with context.open_workspace() as workspace:
        _forget(context, workspace, request, _Way(**options))


def _forget(context: CliContext, workspace: Workspace, request: ForgetRequest, way: _Way) -> None:
    if not (way.dry_run or way.yes or _is_named(request)):
        request = _confirmed(context, workspace, request)
    report = forget_records(workspace, request, dry_run=way.dry_run, proven=way.verify)
    show(context, report)


def show(context: CliContext, report: ForgetReport) -> None:
    """Print a report; the exit code says whether anything is left of what was to be deleted."""
    if context.json:
        print_json(report)
    else:
        for line in lines_of(report):
            click.echo(line)
        for warning in report.warnings:
            warn(warning)
    if not report.ok:
        raise click.exceptions.Exit(PROBLEMS)


def _request(kinds: RecordKinds, citations: tuple[str, ...], **options: Any) -> ForgetRequest:
    return ForgetRequest(
        records=cited(kinds, citations),
        memory_ids=tuple(options.pop("ids")),
        max_results=options.pop("most"),
        session_id=options.pop("session"),
        **options,
    )


def _is_named(request: ForgetRequest) -> bool:
    """Return whether all records to delete were named one by one."""
    ways = (request.text, request.query, request.session_id, request.since, request.until)
    return not request.pii and all(way is None for way in ways)


def _spelled_out(workspace: Workspace, text: str | None, foreseen: ForgetReport) -> int | None:
    """Return the id of the memory that is all there is to delete and whose whole text was given."""
    if text is None or [one.kind for one in foreseen.forgotten] != ["memory"]:
        return None
    number = int(foreseen.forgotten[0].id)
    content = get_memory(workspace, number).content
    return number if caseless(content.strip()) == caseless(text.strip()) else None


def _confirmed(context: CliContext, workspace: Workspace, request: ForgetRequest) -> ForgetRequest:
    """Show what would be deleted, and ask; return what may be. Raises InputError without a
    terminal.
    """
    foreseen = forget_records(workspace, request, dry_run=True)
    if not foreseen.forgotten:
        return request
    number = _spelled_out(workspace, request.text, foreseen)
    if number is not None:  # and nothing that is written meanwhile
        return replace(request, text=None, memory_ids=(number,))
    if context.json or not sys.stdin.isatty():
        raise InputError(
            f"{counted(len(foreseen.forgotten), 'record')} would be deleted: "
            "confirmation needed, but there is no terminal",
            hint="look with --dry-run, then add --yes",
        )
    for line in lines_of(foreseen):
        click.echo(line)
    click.confirm("Forget this for good?", abort=True)
    return request


def lines_of(report: ForgetReport) -> list[str]:
    """A report for people."""
    verb = "would be forgotten" if report.dry_run else "forgotten"
    lines = [f"{counted(len(report.forgotten), 'record')} {verb}"]
    for item in report.forgotten[:MOST_SHOWN]:
        derived = "  (from nothing else)" if item.why == "source" else ""
        lines.append(f"  {shown(item.citation)}{derived}")
    if len(report.forgotten) > MOST_SHOWN:
        lines.append(f"  and {len(report.forgotten) - MOST_SHOWN:,} more")
    if report.kept:
        lines.append("still there, the sources of memories (--with-sources deletes them too):")
        lines += [f"  {shown(place)}" for place in report.kept[:MOST_SHOWN]]
    if report.elsewhere:
        lines.append("files that also say it, for you to change:")
        lines += [f"  {shown(place)}" for place in report.elsewhere]
    for check in report.checks:
        verdict = "nothing left" if check.ok else "LEFT OVER"
        lines.append(f"{verdict:<12}  {check.name}: {shown(check.detail)}")
    return lines
