"""`mem doctor`: check a database, and repair it."""

from pathlib import Path

import click

from cli.errors import PROBLEMS
from cli.invocation import CliContext, pass_context
from cli.output import counted, note, print_json, shown, shown_path
from cli.parameters import PathArgument
from contracts import StorageError
from memory.operations.doctor import RESTORE, DoctorReport, Finding, checkup


@click.command()
@click.option("--files", is_flag=True, help="Also compare every indexed file with the disk.")
@click.option("--fix", is_flag=True, help="Repair what can be repaired, and check again.")
@click.option(
    "--salvage",
    type=PathArgument(readable=False, path_type=Path),
    metavar="FILE",
    help="Make a new database from the readable part of a damaged one.",
)
@pass_context
def doctor(context: CliContext, *, files: bool, fix: bool, salvage: Path | None) -> None:
    """Check the database, and repair it.

    It only reads without --fix, and other programs may continue to write. Repairs use the stored
    text; files that must be read again are left to the next `mem sync`. The exit code is 0 when
    nothing is wrong, else 10; notes are not problems. docs/doctor.md lists every check.
    """
    if salvage is not None:
        _salvage(context, salvage)
        return
    try:
        workspace = context.open_workspace()
    except StorageError as error:
        if "mem doctor" not in error.hint:  # the file itself is not damaged
            raise
        raise StorageError(error.message, hint=RESTORE) from error
    with workspace:
        report = checkup(workspace, files=files, fix=fix)
    if context.json:
        print_json(report)
    else:
        _print(report)
    if not report.healthy:
        click.get_current_context().exit(PROBLEMS)


def _salvage(context: CliContext, target: Path) -> None:
    from memory.operations.doctor.salvage import salvage

    report = salvage(context.load_config(), target)
    if context.json:
        print_json(report)
    else:
        kinds = (("files", "document"), ("chunks", "chunk"), ("turns", "turn"))
        held = ", ".join(counted(report.rows[table], noun) for table, noun in kinds)
        number = report.rows["memories"]
        held += ", 1 memory" if number == 1 else f", {number:,} memories"
        click.echo(f"{shown_path(report.database, Path.cwd())} holds {held}")
        if report.incomplete:
            note(f"some rows are lost of: {', '.join(report.incomplete)}")
        if report.skipped:
            skipped = (f"{number:,} of {table}" for table, number in report.skipped.items())
            note(f"rows that hold something unreadable were skipped: {', '.join(skipped)}")
        _print(report.checkup)
    if not report.checkup.healthy:
        click.get_current_context().exit(PROBLEMS)


def _print(report: DoctorReport) -> None:
    for finding in report.fixed:
        _print_finding("fixed", "green", finding)
    for finding in report.problems:
        _print_finding("problem", "red", finding)
    for finding in report.notes:
        _print_finding("note", "yellow", finding)
    looked = [check for check in report.checks if check.outcome != "not checked"]
    left = len(report.checks) - len(looked)
    unlooked = f", {left} more wait for these repairs" if left else ""
    verdict = counted(len(report.problems), "problem") if report.problems else "no problem"
    click.echo(f"{counted(len(looked), 'check')} in {report.seconds:.1f} s: {verdict}{unlooked}")
    if any(finding.fixable for finding in report.problems) and not report.fixed:
        note("to repair them: mem doctor --fix")
    if report.marked:
        note(f"{counted(len(report.marked), 'file')} to be indexed again: mem sync")


def _print_finding(word: str, colour: str, finding: Finding) -> None:
    head = click.style(f"{word}:", fg=colour)
    click.echo(f"{head} {shown(finding.fact)} ({finding.check})")
    if word != "fixed":
        does = "--fix " if finding.fixable else ""
        click.echo(f"  {does}{shown(finding.repair)}")
