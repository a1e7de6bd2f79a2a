"""`mem files --ignored` and `--why`: files that are not indexed, and the reasons."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import click

from cli.invocation import CliContext
from cli.output import counted, note, print_json, shown, shown_path, size, table
from ingest import IgnoredEntry
from memory.operations.explain_file import ignored_entries, why_file
from memory.values.reports import Record, WhyFile
from memory.workspace import Workspace

SHOWN = 100
"""Lines listed for people by default."""


_NEVER = "1970-01-01T00:00:00.000"
"""The modification time of a file that could not be examined."""


def modified(record: Record) -> str:
    """The day of a file's last change, if known."""
    return "" if record.modified_at.startswith(_NEVER) else record.modified_at[:10]


def most(context: CliContext, limit: int | None) -> int:
    """The most lines to list; 0 is all."""
    return (0 if context.json else SHOWN) if limit is None else limit


def print_ignored(
    context: CliContext, workspace: Workspace, *, path: str | None, limit: int | None
) -> None:
    """List what a sync leaves out, folders with a trailing slash."""
    found = ignored_entries(workspace, path)
    room = most(context, limit)
    entries = list(islice(found, room or None))
    if context.json:
        print_json(entries)
        return
    if not entries:
        note(f"nothing is ignored below {path}" if path else "nothing is ignored")
        return
    cwd = Path.cwd()
    rows = [(_name(entry, cwd), entry.rule, _by(entry, cwd)) for entry in entries]
    head, *lines = table([("path", "rule", "by"), *rows])
    click.echo("\n".join([click.style(head, dim=True), *lines]))
    if next(found, None) is not None:
        note(f"more: mem files --ignored --limit {room * 10}, or 0 for all")


def _name(entry: IgnoredEntry, cwd: Path) -> str:
    return shown_path(entry.path, cwd) + ("/" if entry.is_folder else "")


def _by(entry: IgnoredEntry, cwd: Path) -> str:
    """The line of an ignore file, or the other rule that applies."""
    if entry.file is not None:
        return f"{shown_path(entry.file, cwd)}:{entry.line}: {shown(entry.text)}"
    return shown_path(entry.text, cwd) if entry.rule == "link" else shown(entry.text)


def print_why(context: CliContext, workspace: Workspace, path: str) -> None:
    """Print what a sync does with a path, and what is indexed of it."""
    found = why_file(workspace, path)
    if context.json:
        print_json(found)
        return
    cwd = Path.cwd()
    for line in table(list(_rows(found, cwd))):
        click.echo(line)
    if found.verdict == "outside":
        note("add its folder: mem sync PATH")


def _rows(found: WhyFile, cwd: Path) -> Iterator[tuple[str, str]]:
    yield "path", shown_path(found.path, cwd)
    yield "verdict", found.verdict
    at = found.decided_at
    above = "" if at in (None, found.path) else f"{shown_path(at or '', cwd)}: "
    yield "because", above + shown(found.reason)
    if found.root is not None:
        yield "folder", shown(found.root)
    yield "index", _indexed(found)


def _indexed(found: WhyFile) -> str:
    record = found.record
    if record is None:
        return f"{counted(found.records_below, 'file')} of it" if found.records_below else "nothing"
    reason = f": {shown(record.reason)}" if record.reason else ""
    chunks, of = counted(record.chunks, "chunk"), size(record.size_bytes)
    dated = f", modified {day}" if (day := modified(record)) else ""
    return f"{record.state}{reason} ({chunks}, {of}{dated})"
