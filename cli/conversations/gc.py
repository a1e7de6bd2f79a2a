"""`mem gc` and `sm stats`: clean up memories, and count them."""

from collections.abc import Sequence

import click

from cli.conversations.extraction_lines import extraction_lines
from cli.invocation import CliContext, pass_context
from cli.output import ago, counted, error_lines, note, print_json, table
from cli.progress import counting
from memory.conversations.lifecycle import (
    GcCounts,
    GcReport,
    MemoryStats,
    collect_garbage,
    read_stats,
)
from memory.conversations.memories.gc import Averages, Removal

_WHY = {
    "score": "its score fell below mid.delete_below",
    "age": "not seen for longer than mid.demote_age_days",
    "capacity": "the lowest scores beyond mid.capacity",
    "status": "already marked as deleted",
}


@click.command()
@click.option("--dry-run", is_flag=True, help="Say what would be done, and change nothing.")
@pass_context
def gc(context: CliContext, dry_run: bool) -> None:
    """Score memories again, promote what lasts, and delete what has faded.

    A memory seen often and recently becomes long-term. A mid-term memory with a low score, or not
    seen for long, is deleted. Important memories and core facts, such as a home or a job, stay.
    """
    with context.open_workspace() as workspace, counting("Cleaning up") as progress:
        report = collect_garbage(workspace, dry_run=dry_run, progress=progress)
    if context.json:
        print_json(report)
        return
    for line in (*_report_lines(report), *error_lines(report.errors)):
        click.echo(line)
    if report.removed_more:
        note(f"and {_memories(report.removed_more)} more")


@click.command()
@pass_context
def stats(context: CliContext) -> None:
    """Count memories, and report what happened to them."""
    with context.open_workspace() as workspace:
        found = read_stats(workspace)
    if context.json:
        print_json(found)
        return
    for line in _stats_lines(found):
        click.echo(line)


def _report_lines(report: GcReport) -> list[str]:
    counts = report.counts
    would = "would be " if report.dry_run else ""
    done = (
        f"{counts.promoted:,} {would}promoted, {counts.archived:,} {would}archived, "
        f"{counts.deleted:,} {would}deleted"
    )
    lines = [
        f"{_memories(report.examined)} examined: {done}.",
        f"{counts.created:,} created since the previous collection.",
        *_average_lines(report.averages),
    ]
    if report.mined:
        lines.append(f"{counted(report.mined, 'turn')} waiting for the rules, processed now.")
    if report.retention.turns:
        go = "would go" if report.dry_run else "went"
        kept = counted(report.retention.turns, "turn")
        lines.append(f"{kept} {go}, kept for memory.session_retention_hours and no longer.")
    if report.changed_meanwhile:
        lines.append(f"{report.changed_meanwhile:,} changed meanwhile: left for the next run.")
    return [*lines, *_removal_lines(report.removed)]


def _removal_lines(removed: Sequence[Removal]) -> list[str]:
    rows = [
        (
            f"memory {one.id}",
            one.action,
            f"score {one.score:.2f}",
            f"{one.age_days:,.1f} days",
            _WHY[one.code],
        )
        for one in removed
    ]
    return table(rows, right=frozenset({3}))


def _average_lines(averages: Averages) -> list[str]:
    if averages.score is None or averages.age_days is None:
        return ["no memory is active"]
    return [f"on average: score {averages.score:.2f}, age {averages.age_days:,.1f} days"]


def _stats_lines(found: MemoryStats) -> list[str]:
    sizes = found.memories
    lines = [
        f"{_memories(sizes.mid + sizes.long)}: {sizes.mid:,} mid-term, {sizes.long:,} long-term",
        f"archived {sizes.archived:,}, marked as deleted {sizes.deleted:,}",
        f"{counted(found.turns, 'turn')} in {counted(found.sessions, 'session')}",
        *_average_lines(found.averages),
        *(f"extraction: {line}" for line in extraction_lines(found.extraction)),
    ]
    if found.since:
        lines.append(f"since {found.since[:10]}: {_counts(found.counts)}")
    if found.last_gc is None:
        return [*lines, "no collection yet: mem gc"]
    last = found.last_gc
    return [*lines, f"last collection {ago(last.at)}, {last.seconds:.1f} s: {_counts(last.counts)}"]


def _counts(counts: GcCounts) -> str:
    return ", ".join(f"{getattr(counts, name):,} {name}" for name in GcCounts.__slots__)


def _memories(number: int) -> str:
    return "1 memory" if number == 1 else f"{number:,} memories"
