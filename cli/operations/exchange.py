"""`mem export`, `mem import` and `mem migrate`: the memory for other programs and backends."""

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.conversations.import_chats import ChatArguments, import_chats
from cli.conversations.vectors import embed_stored
from cli.invocation import CliContext, pass_context
from cli.output import counted, note, print_json, shown, warn
from cli.progress import import_progress, migration_progress
from contracts import InputError
from ingest.histories.agents.places import AGENTS, default_place
from ingest.histories.values import FORMS

if TYPE_CHECKING:
    from memory.operations.exchange.exporting import ExportReport
    from memory.operations.exchange.reports import ImportReport

MOST_ERRORS = 10
"""Bad lines listed for people; --json lists all."""

STREAM = "-"

EXPORTS = ("mem", "leader-toolbox")
"""Formats of whole stores; all others are chat histories."""


@click.command("export")
@click.argument("target", default=STREAM, metavar="[FILE]")
@click.option("--no-vectors", is_flag=True, help="Leave the vectors out: importing embeds again.")
@click.option("--force", is_flag=True, help="Replace an existing file.")
@pass_context
def export(context: CliContext, *, target: str, no_vectors: bool, force: bool) -> None:
    """Write the whole memory as lines of JSON.

    A FILE whose name ends in .gz is compressed; without FILE, or with -, the lines go to stdout.
    `mem import` reads them again, here or on another machine, also with another embedding model.
    """
    from memory.operations.exchange.exporting import export as write_lines

    with context.open_workspace() as workspace:
        report = write_lines(workspace, target, vectors=not no_vectors, force=force)
    if context.json and target != STREAM:
        print_json(report)
        return
    for warning in report.warnings:
        warn(warning)
    if target == STREAM:
        return
    held = f"{counted(report.documents, 'document')}, {counted(report.chunks, 'chunk')}"
    parts = [held, *_records(report), counted(report.vectors, "vector")]
    click.echo(f"{shown(target)}: {', '.join(parts)}")


def _records(report: "ExportReport | ImportReport") -> list[str]:
    """The numbers of turns, memories and other records, without those that are 0."""
    memories = f"{report.memories:,} {'memory' if report.memories == 1 else 'memories'}"
    records = counted(report.records, "other record")
    parts = ((report.turns, counted(report.turns, "turn")), (report.memories, memories))
    return [text for number, text in (*parts, (report.records, records)) if number]


@click.command("import")
@click.argument("source", metavar="FILE", required=False)
@click.option(
    "--format",
    "form",
    type=click.Choice([*EXPORTS, *FORMS, *AGENTS]),
    help="The program that wrote it; detected where certain, else `mem`.",
)
@click.option("--strict", is_flag=True, help="Stop at the first line that cannot be used.")
@click.option("--extract/--no-extract", default=True, help="Extract memories from a chat history.")
@click.option("--me", metavar="NAME", help="The speaker of a chat history who is you.")
@click.option("--dry-run", is_flag=True, help="Only report what a chat history holds.")
@click.option("--tool-output", is_flag=True, help="Also take what an agent's tools said.")
@pass_context
def import_(
    context: CliContext, /, source: str | None, *, form: str | None, strict: bool, **chat: Any
) -> None:
    """Import the output of `mem export`, a chat history, or an older store.

    FILE may be compressed, and - is stdin. If a document is already here, the later version stays.
    Repeating an import, as after an interruption, adds only what is missing. Chat histories may be
    a file, an archive or a folder: docs/import.md names the formats. Without FILE the conversations
    of an agent are read where the agent keeps them.
    """
    if source is None:
        source = _place_of(form)
    chosen = form or _guessed(source)
    arguments = ChatArguments(chosen, **chat)
    is_export = chosen in EXPORTS
    is_refused = (chosen in AGENTS) < chat["tool_output"] or (chosen in AGENTS and chat["me"])
    if is_refused or (strict if not is_export else arguments != ChatArguments(chosen)):
        raise InputError(
            f"an import from {chosen} does not take these options",
            hint="--strict is for exports; --me, --no-extract and --dry-run are for chat "
            "histories; --tool-output is for agents, in whose conversations you are the user",
        )
    if is_export:
        _import_export(context, source, chosen, strict=strict)
    else:
        import_chats(context, Path(source), arguments)


def _place_of(form: str | None) -> str:
    """The place where an agent keeps its conversations. Raises InputError without an agent."""
    if form not in AGENTS:
        raise InputError(
            "no FILE is named", hint=f"name one, or an agent: --format {', '.join(AGENTS)}"
        )
    return str(default_place(form))


def _guessed(source: str) -> str:
    """The program that wrote it; if unclear `mem`, whose reader reports what is wrong."""
    if source == STREAM:
        return "mem"
    from ingest.histories.opening import guess

    return guess(Path(source)) or "mem"


def _import_export(context: CliContext, source: str, form: str, *, strict: bool) -> None:
    from memory.operations.exchange.importing import import_lines
    from memory.operations.exchange.leader_toolbox_import import import_store

    with context.open_workspace(create=True) as workspace, import_progress() as progress:
        if form == "mem":
            report = import_lines(workspace, source, strict=strict, progress=progress)
        else:
            report = import_store(workspace, Path(source), strict=strict, progress=progress)
        report = replace(report, warnings=[*report.warnings, *embed_stored(workspace)])
    if context.json:
        print_json(report)
        return
    done = [*_counts(report, "added", "updated"), *_records(report)]
    done += _counts(report, "unchanged", "older", "failed")
    known = f"{report.vectors:,} with their vectors, {report.embedded:,} embedded here"
    chunks = f"{counted(report.chunks, 'chunk')} ({known})"
    click.echo(f"{', '.join(done) or 'nothing to import'}; {chunks}")
    for error in report.errors[:MOST_ERRORS]:
        note(f"line {error.line}: {error.reason}")
    if (more := len(report.errors) - MOST_ERRORS) > 0:
        note(f"and {counted(more, 'line')} more")
    for warning in report.warnings:
        warn(warning)


@click.command()
@click.option(
    "--to",
    "place",
    required=True,
    metavar="PLACE",
    help="An address, postgresql://..., whose ${VAR} are read from the environment, or a FILE.",
)
@click.option("--schema", metavar="NAME", help="The schema there, instead of the configured one.")
@pass_context
def migrate(context: CliContext, *, place: str, schema: str | None) -> None:
    """Copy the whole memory into an empty schema of PostgreSQL, or into a new SQLite file.

    Every row keeps its number. At the end both are counted and compared by digests. After an
    interruption the same command continues. The memory itself stays as it is; then name the new
    place in the configuration: docs/postgresql.md.
    """
    from memory.operations.migration.migrating import migrate as copy
    from memory.operations.migration.places import opened_place

    with context.open_workspace() as workspace, migration_progress() as progress:
        chosen = schema or workspace.config.schema
        with opened_place(place, schema=chosen, environ=os.environ) as target:
            report = copy(workspace.storage, target, progress=progress)
    if context.json:
        print_json(report)
        return
    held = {table.name: table.rows for table in report.tables}
    names = ("files", "chunks", "turns", "memories")
    rows = ", ".join(f"{held[name]:,} {name}" for name in names)
    equal = counted(len(report.tables), "table")
    click.echo(f"{rows}; {equal} equal by count and digest, in {report.seconds:.1f} s")


def _counts(report: "ImportReport", *names: str) -> list[str]:
    counts = {name: getattr(report, name) for name in names}
    return [f"{number:,} {name}" for name, number in counts.items() if number]
