"""`mem ingest`: index files, folders or a text once."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from cli.files.sync import PASSING, problem_lines
from cli.invocation import CliContext, pass_context
from cli.output import counted, print_json, warn
from cli.parameters import PathArgument, metadata_of, text_of_stdin
from contracts import InputError
from memory.files.ingestion import check_text, ingest_path, ingest_text
from memory.files.roots import check_paths
from memory.index.configuration_warnings import configuration_warnings
from memory.operations.manage import update_record
from memory.values.citations import cite_text
from memory.values.reports import FileIngest, FileProblem
from memory.workspace import Workspace

_FROM_STDIN = Path("-")


@click.command()
@click.argument(
    "paths",
    nargs=-1,
    type=PathArgument(readable=False, allow_dash=True, path_type=Path),
    metavar="[PATH]...",
)
@click.option("--text", metavar="TEXT", help="Index this text.")
@click.option("--title", metavar="T", help="The text's title, searched as a title.")
@click.option("--tag", "tags", multiple=True, metavar="T", help="A tag to find it by; repeatable.")
@click.option("--metadata", metavar="JSON", help='Extra data to keep with it: {"author": "Ada"}.')
@pass_context
def ingest(
    context: CliContext,
    *,
    paths: tuple[Path, ...],
    text: str | None,
    title: str | None,
    tags: tuple[str, ...],
    metadata: str | None,
) -> None:
    """Index files or a text once, without watching.

    Every PATH is a file or a folder; it is not remembered, so `mem sync` does not look at it again.
    The PATH - reads a text from stdin. The same text always has the same id. A timestamp in
    --metadata says when the text was written.
    """
    if not paths and text is None:
        raise click.UsageError("Nothing to ingest: give PATH, - or --text.")
    about = metadata_of(metadata)
    if text is None and _FROM_STDIN not in paths:
        if title is not None:
            raise InputError("a file takes no title", hint="leave --title out, or give --text")
        _ingest_files(context, paths, metadata=about, tags=tags)
        return
    if paths and (text is not None or len(paths) > 1):
        raise InputError(
            "a text and a path were given", hint="give one of --text, - and PATH at a time"
        )
    whole = check_text(text_of_stdin() if text is None else text)
    _ingest_text(context, whole, metadata=_titled(about, title), tags=tags)


def _ingest_text(
    context: CliContext, text: str, *, metadata: Mapping[str, Any], tags: Sequence[str]
) -> None:
    with context.open_workspace(create=True) as workspace:
        done = ingest_text(workspace, text, metadata=metadata, tags=tags)
        _warn_of(workspace)
    if context.json:
        print_json(done)
    else:
        click.echo(f"{cite_text(done.id)}  {counted(done.chunks, 'chunk')}")
        for warning in done.warnings:
            warn(warning)


def _ingest_files(
    context: CliContext,
    paths: Sequence[Path],
    *,
    metadata: Mapping[str, Any] | None,
    tags: Sequence[str],
) -> None:
    check_paths(paths)
    with context.open_workspace(create=True) as workspace:
        done = _joined([ingest_path(workspace, path, metadata=metadata) for path in paths])
        for file_id in done.file_ids if tags else ():
            update_record(workspace, file_id, tags=tags)
        _warn_of(workspace)
    if not done.file_ids and done.failed:
        first = done.failed[0]
        raise InputError(f"{first.path} cannot be indexed: {first.reason}", hint="name a text file")
    if context.json:
        print_json(done)
        return
    known = len(done.file_ids) - done.added
    click.echo(f"{counted(done.added, 'file')} added, {known:,} already known")
    for line in problem_lines(done.failed, cwd=Path.cwd()):
        click.echo(line, err=True)
    for warning in done.warnings:
        warn(warning)


def _joined(parts: Sequence[FileIngest]) -> FileIngest:
    ids = dict.fromkeys(file_id for part in parts for file_id in part.file_ids)
    failed: dict[str, FileProblem] = {item.path: item for part in parts for item in part.failed}
    return FileIngest(
        list(ids),
        sum(part.added for part in parts),
        list(failed.values()),
        sum(part.refused for part in parts),
        [warning for part in parts for warning in part.warnings],
    )


def _warn_of(workspace: Workspace) -> None:
    if workspace.is_passing:
        warn(PASSING)
    for warning in configuration_warnings(workspace):
        warn(warning)


def _titled(metadata: Mapping[str, Any] | None, title: str | None) -> dict[str, Any]:
    return {**(metadata or {}), **({} if title is None else {"title": title})}
