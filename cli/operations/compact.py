"""`mem compact`: return unused disk space."""

import click

from cli.invocation import CliContext, pass_context
from cli.output import print_json, size


@click.command()
@pass_context
def compact(context: CliContext) -> None:
    """Return unused disk space.

    Many small changes leave the keyword index fragmented and pages empty. Searches continue
    meanwhile.
    """
    from memory.operations.compact import compact as put_together

    with context.open_workspace() as workspace:
        report = put_together(workspace)
    if context.json:
        print_json(report)
        return
    saved = report.before_bytes - report.after_bytes
    gained = f"{size(saved)} given back" if saved > 0 else "there was nothing to return"
    click.echo(f"{size(report.after_bytes)} now, {gained}, {report.seconds:.1f} s")
