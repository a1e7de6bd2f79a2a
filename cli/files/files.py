"""`mem files`: the records of the index, and their root folders."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import click

from cli.files.explain_file import SHOWN, modified, most, print_ignored, print_why
from cli.invocation import CliContext, pass_context
from cli.output import counted, note, print_json, shown, shown_path, size, table
from cli.parameters import PathArgument
from memory.files.roots import drop_root, list_roots
from memory.index.embedding.model_trust import trust_command
from memory.operations.manage import MOST_RECORDS, list_records
from memory.values.citations import cite_text
from memory.values.reports import Record
from memory.workspace import Workspace

_HEAD = ("state", "chunks", "size", "modified", "path")

_ALONE = ("failed", "ignored", "why", "roots", "drop_root")
"""Options that exclude each other."""


@dataclass(frozen=True, slots=True)
class FilesArguments:
    """The options of one call."""

    path: str | None
    failed: bool
    limit: int | None
    ignored: bool
    why: str | None
    roots: bool
    drop_root: Path | None
    with_files: bool
    tags: tuple[str, ...]


@click.command()
@click.option("--path", metavar="P", help="Only this file, or files below this folder.")
@click.option(
    "--tag", "tags", multiple=True, metavar="T", help="Only files with this tag; repeatable."
)
@click.option("--failed", is_flag=True, help="Only files that are not indexed, with the reason.")
@click.option(
    "--limit",
    type=click.IntRange(0),
    metavar="N",
    help=f"The most to list; 0 is all. [default: {SHOWN}; with --json all]",
)
@click.option("--ignored", is_flag=True, help="List what a sync leaves out, and by which rule.")
@click.option("--why", metavar="P", help="Say why this file or folder is indexed, or is not.")
@click.option("--roots", is_flag=True, help="List the folders that `mem sync` looks at instead.")
@click.option(
    "--drop-root",
    type=PathArgument(readable=False, path_type=Path),
    metavar="P",
    help="Forget this remembered folder; its files stay indexed.",
)
@click.option(
    "--with-files",
    is_flag=True,
    help="With --drop-root: also remove its files from the index; P need not be remembered.",
)
@pass_context
def files(context: CliContext, /, **options: Any) -> None:
    """List indexed files, or the folders they come from."""
    arguments = FilesArguments(**options)
    asked = [name for name in _ALONE if options[name] not in (None, False)]
    if len(asked) > 1:
        first, other = (f"--{name.replace('_', '-')}" for name in asked[:2])
        raise click.UsageError(f"{first} and {other} cannot be used together.")
    if arguments.with_files and arguments.drop_root is None:
        raise click.UsageError("--with-files belongs to --drop-root PATH.")
    with context.open_workspace() as workspace:
        if arguments.drop_root is not None:
            _drop(context, workspace, arguments.drop_root, with_files=arguments.with_files)
        elif arguments.why is not None:
            print_why(context, workspace, arguments.why)
        elif arguments.ignored:
            print_ignored(context, workspace, path=arguments.path, limit=arguments.limit)
        elif arguments.roots:
            _print_roots(context, workspace)
        else:
            _print_records(context, workspace, arguments)


def _print_records(context: CliContext, workspace: Workspace, arguments: FilesArguments) -> None:
    found = _records(workspace, arguments)
    limit = most(context, arguments.limit)
    records = list(islice(found, limit or None))
    if context.json:
        print_json(records)
        return
    if not records:
        what = "nothing failed" if arguments.failed else "nothing is indexed"
        below = f" below {arguments.path}" if arguments.path else ""
        tagged = f" with the tag {' and '.join(arguments.tags)}" if arguments.tags else ""
        note(f"{what}{below}{tagged}")
        return
    head, *lines = table([_HEAD, *_rows(records)], right=frozenset({1, 2}))
    click.echo("\n".join([click.style(head, dim=True), *lines]))
    if next(found, None) is not None:
        note(f"more: mem files --limit {limit * 10}, or 0 for all")


def _records(workspace: Workspace, arguments: FilesArguments) -> Iterator[Record]:
    cursor = None
    while True:
        page = list_records(
            workspace,
            path=arguments.path,
            limit=MOST_RECORDS,
            cursor=cursor,
            only_problems=arguments.failed,
            tags=arguments.tags,
        )
        yield from page.records
        cursor = page.next_cursor
        if cursor is None:
            return


def _rows(records: Sequence[Record]) -> list[tuple[str, ...]]:
    cwd = Path.cwd()
    return [
        (
            record.state,
            f"{record.chunks:,}",
            size(record.size_bytes),
            modified(record),
            _name(record, cwd),
        )
        for record in records
    ]


def _name(record: Record, cwd: Path) -> str:
    name = cite_text(record.id) if record.path is None else shown_path(record.path, cwd)
    title = record.metadata.get("title")
    if record.path is None and isinstance(title, str):
        name = f"{name}  {shown(title)}"
    return f"{name}  ({shown(record.reason)})" if record.reason else name


def _print_roots(context: CliContext, workspace: Workspace) -> None:
    roots = list_roots(workspace)
    if context.json:
        print_json(roots)
        return
    command = trust_command(workspace) if any(root.origin == "refused" for root in roots) else ""
    for root in roots:
        missing = "" if root.exists else ", cannot be reached"
        if root.origin == "refused":
            missing += f", until you type {command}"
        named = f"  {shown(root.name)}" if root.name else ""
        about = f": {shown(root.about)}" if root.about else ""
        click.echo(f"{shown(root.path)}  ({root.origin}{missing}){named}{about}")
    if not roots:
        note("no folder yet: mem sync PATH")


def _drop(context: CliContext, workspace: Workspace, path: Path, *, with_files: bool) -> None:
    dropped = drop_root(workspace, path, with_files=with_files)
    if context.json:
        print_json(dropped)
        return
    files_of_it = counted(dropped.files, "file")
    click.echo(f"Forgot {shown(dropped.path)}")
    if with_files:
        click.echo(f"{files_of_it} left the index; the disk is unchanged.")
    elif dropped.files:
        click.echo(f"{files_of_it} of it stay searchable as they are; syncs now ignore them.")
