"""`mem audit`: find memories that should not be kept, each with the command that fixes it."""

import click

from cli.errors import PROBLEMS
from cli.invocation import CliContext, pass_context
from cli.output import note, print_json, shown
from memory.operations.audit import KINDS, MOST_FINDINGS, AuditFinding, AuditReport
from memory.operations.audit import audit as look_over

_COLOURS = {"secret": "red", "contradiction": "red"}


@click.command()
@click.option(
    "--kind",
    "kinds",
    type=click.Choice(KINDS),
    multiple=True,
    help="Look for this only; repeatable.",
)
@click.option("--files", is_flag=True, help="Look for secrets in files and texts, too.")
@click.option(
    "--limit",
    type=click.IntRange(0, 1_000_000),
    default=MOST_FINDINGS,
    show_default=True,
    metavar="N",
    help="Most findings of each kind to list; all are counted.",
)
@pass_context
def audit(context: CliContext, *, kinds: tuple[str, ...], files: bool, limit: int) -> None:
    """Look for memories that should not be kept.

    It finds secrets, contradictions, duplicates, echoes of an assistant, stale memories and
    memories never recalled, each with the command that fixes it. Nothing is changed. The exit code
    is 0 when nothing is found, else 10. docs/audit.md explains how each kind is found.
    """
    with context.open_workspace() as workspace:
        report = look_over(workspace, kinds=kinds, files=files, limit=limit)
    if context.json:
        print_json(report)
    else:
        _print(report)
    if not report.clean:
        raise click.exceptions.Exit(PROBLEMS)


def _print(report: AuditReport) -> None:
    for finding in report.findings:
        _print_finding(finding)
    found = [f"{number:,} {kind}" for kind, number in report.counts.items() if number]
    looked = ", ".join(
        f"{number:,} {_one(name) if number == 1 else name}"
        for name, number in report.examined.items()
    )
    click.echo(f"{looked} in {report.seconds:.1f} s: {', '.join(found) or 'nothing found'}")
    more = sum(report.counts.values()) - len(report.findings)
    if more:
        note(f"{more:,} more: --limit N lists more of each kind")


def _print_finding(finding: AuditFinding) -> None:
    head = click.style(f"{finding.kind}:", fg=_COLOURS.get(finding.kind, "yellow"))
    click.echo(f"{head} {shown(finding.citation)}: {shown(finding.excerpt)}")
    click.echo(f"  {shown(finding.why)}")
    for command in finding.commands:
        click.echo(f"  {shown(command)}")


def _one(name: str) -> str:
    return "memory" if name == "memories" else name.removesuffix("s")
