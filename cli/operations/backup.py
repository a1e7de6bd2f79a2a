"""`mem backup` and `mem restore`: save the whole memory in a file, and restore it."""

from pathlib import Path

import click

from cli.invocation import CliContext, pass_context
from cli.output import counted, note, print_json, shown, shown_path, size, warn
from cli.parameters import PathArgument
from cli.progress import counting


@click.command()
@click.argument("target", type=PathArgument(readable=False, path_type=Path), metavar="PATH")
@click.option("--force", is_flag=True, help="Replace an existing file.")
@click.option(
    "--keep",
    type=click.IntRange(1),
    metavar="N",
    help="In a folder: remove all but the newest N backups of this database.",
)
@pass_context
def backup(context: CliContext, *, target: Path, force: bool, keep: int | None) -> None:
    """Write the whole memory to a file, while in use.

    PATH is a file, or a folder that gets one with the date in its name. Searches, syncs and a
    server continue. The file is complete and checked as soon as it exists.
    """
    from memory.operations.backup import back_up

    with context.open_workspace() as workspace, counting("Copying") as progress:
        report = back_up(workspace, target, force=force, keep=keep, progress=progress)
    if context.json:
        print_json(report)
        return
    held = f"{counted(report.files, 'file')}, {counted(report.chunks, 'chunk')}"
    place = shown_path(report.path, Path.cwd())
    click.echo(f"{place}: {size(report.size_bytes)}, {held}, {report.seconds:.1f} s")
    for removed in report.removed:
        note(f"removed {shown_path(removed, Path.cwd())}")


@click.command()
@click.argument("source", type=PathArgument(readable=False, path_type=Path), metavar="FILE")
@pass_context
def restore(context: CliContext, *, source: Path) -> None:
    """Restore the memory from a backup.

    The present content is kept in a dated file next to the database. A server or watcher that has
    it open continues with the restored data. The next sync finds files changed since the backup.
    """
    from memory.operations.restore import restore as put_back

    loaded = context.load_config()
    with counting("Copying") as progress:
        report = put_back(loaded, source, progress=progress)
    if context.json:
        print_json(report)
        return
    held = f"{counted(report.files, 'file')}, {counted(report.chunks, 'chunk')}"
    click.echo(f"{shown(report.database)} holds {held} again, {report.seconds:.1f} s")
    if report.kept is not None:
        note(f"what it held before is in {report.kept}")
    if report.damaged:
        warn("the former database was damaged: end any process that still has it open")
    if report.expired_tokens:
        expired = counted(report.expired_tokens, "token")
        warn(
            f"{expired} of the backup expired, since nothing says which of them were revoked: "
            "replace those in use with mem token revoke and mem token create"
        )
