"""`mem distill`: make records of new turns, or show what would be made of them."""

from typing import Final

import click

from cli.invocation import CliContext, pass_context
from cli.output import counted, note, print_json, shown, table
from contracts import UnavailableError
from memory.records.distillation.values import Action, Distilled
from memory.values.status_reports import DistillationStatus

_SIGNS: Final[dict[Action, str]] = {
    "open": "opens",
    "close": "closes",
    "person": "person",
    "signal": "signal",
    "fact": "fact",
    "pattern": "pattern",
}


@click.command()
@click.option("--dry-run", is_flag=True, help="Only show what would be written.")
@pass_context
def distill(context: CliContext, /, *, dry_run: bool) -> None:
    """Make records of what was said since the last time.

    People, commitments and what closes them, mood and sleep: each with the turn that proves it. A
    server does it every 15 minutes.
    """
    from memory.records.distillation.running import distil

    with context.open_workspace() as workspace:
        report = distil(workspace, dry_run=dry_run)
    if context.json:
        print_json(report)
        return
    undone = [_undone(one) for one in report.taken_back]
    for line in table([*undone, *(_row(one) for one in report.written)]):
        click.echo(line)
    verb = "would be written" if dry_run else "written"
    number = counted(len(report.written), "record")
    note(f"{number} {verb}, from {counted(report.turns, 'turn')}")
    if undone:
        verb = "would be undone" if dry_run else "undone"
        note(f"{counted(len(undone), 'record')} {verb}, since the user took back what was said")
    if report.error is not None:
        raise UnavailableError(
            report.error, hint=report.hint or "mem config get memory.distillation"
        )
    for reason, times in report.rejected.items():
        note(f"not believed of the model: {times} {reason}")


def distillation_lines(found: DistillationStatus) -> list[str]:
    """Lines of `mem status` about distillation; none before its first run."""
    if not found.turns:
        return []
    waiting = f"; {found.waiting:,} waiting" if found.waiting else ""
    written = counted(sum(found.written.values()), "record")
    undone = f", {found.taken_back:,} of them taken back" if found.taken_back else ""
    lines = [f"{written} of {counted(found.turns, 'turn')}{undone}{waiting}"]
    if found.rejected:
        reasons = ", ".join(f"{number:,} {reason}" for reason, number in found.rejected.items())
        lines.append(f"not believed of the model: {reasons}")
    return lines


def _undone(one: Distilled) -> tuple[str, ...]:
    sign = _SIGNS[one.action]
    return sign if one.action in ("open", "close") else f"removes {sign}", *_row(one)[1:]


def _row(one: Distilled) -> tuple[str, ...]:
    return _SIGNS[one.action], shown(one.text), shown(one.citation)
