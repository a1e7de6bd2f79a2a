"""`mem sync`: bring the index up to date with the disk, and report the changes."""

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.files.consent import confirm_wide
from cli.invocation import CliContext, pass_context
from cli.output import counted, note, print_json, shown, shown_path, table, warn
from cli.parameters import PathArgument
from cli.progress import sync_progress
from contracts import NotFoundError
from memory.files.problem_hints import count_reasons, next_step
from memory.files.roots import check_paths
from memory.values.reports import EmbeddingCost, FileProblem, PrunedPlace, SyncProgress, SyncStats
from memory.workspace import SYNC_WAIT_S

if TYPE_CHECKING:
    from memory.workspace import Workspace

PASSING = "memory.backend is memory: nothing of this is kept"
"""The warning after writing to an in-memory database."""

MOST_PROBLEMS = 10
"""Files with a problem that are listed; `mem files --failed` lists all."""


@click.command()
@click.argument(
    "paths", nargs=-1, type=PathArgument(readable=False, path_type=Path), metavar="[PATH]..."
)
@click.option(
    "--force", is_flag=True, help="Index unchanged files again, and retry refused embeddings."
)
@click.option("--dry-run", is_flag=True, help="Only report what would be done.")
@click.option("--yes", is_flag=True, help="Do not ask before a home folder or a disk is read.")
@click.option(
    "--prune",
    is_flag=True,
    help="Also remove files of a folder or disk that is gone, and gone ones in no known folder.",
)
@click.option(
    "--paths-from",
    type=click.File("rb"),
    metavar="FILE",
    help="Sync the paths in FILE (- for stdin), one a line or separated by NUL, and only these.",
)
@click.option(
    "--name", metavar="NAME", help="Name PATH, a folder to search alone: mem search --in NAME."
)
@click.option(
    "--about",
    metavar="TEXT",
    help="What PATH is for: it is searched, and shown with results of it; '' removes it.",
)
@click.option(
    "--wait",
    "wait_s",
    type=click.FloatRange(min=0),
    default=SYNC_WAIT_S,
    metavar="SECONDS",
    show_default=True,
    help="How long to wait for another sync to finish.",
)
@pass_context
def sync(
    context: CliContext, /, *, paths: tuple[Path, ...], wait_s: float, yes: bool, **wanted: Any
) -> None:
    """Bring the index up to date with folders and files.

    Each PATH is remembered, unless it is inside a remembered folder; there the ignore files of that
    folder apply, unless they exclude PATH itself. Without PATH, all remembered and configured
    folders are synced. Files that are gone leave the index. Unreadable files are listed and stop
    nothing: the exit code is 0. A sync can be interrupted at any time; the next one continues where
    it was, and a new PATH is not remembered. In a pipe, --dry-run lists each file as it is found.

    --paths-from takes the list of a program, such as `git diff --name-only -z`: a path that is gone
    leaves the index, an ignored path stays out, and none is remembered.
    """
    listed = wanted.pop("paths_from")
    named = {"name": wanted.pop("name"), "about": wanted.pop("about")}
    is_named = named != {"name": None, "about": None}
    if is_named and (len(paths) != 1 or listed is not None):
        raise click.UsageError("--name and --about belong to one PATH")
    if listed is not None:
        if paths or wanted["prune"]:
            raise click.UsageError("--paths-from excludes the others: leave out PATH and --prune")
        paths = paths_in(listed.read())
        if not paths:
            _show(context, SyncStats(dry_run=wanted["dry_run"]), is_passing=False)
            return
    else:
        check_paths(paths)
        confirm_wide(paths, yes=yes or wanted["dry_run"], as_json=context.json)
    with (
        _workspace(context, paths, dry_run=wanted["dry_run"]) as workspace,
        sync_progress() as bar,
    ):
        progress = _telling(bar) if wanted["dry_run"] and not context.json else bar
        if not workspace.is_passing:
            context.name_database(workspace.loaded)
        workspace.wait_s, workspace.on_wait = wait_s, None if context.json else note
        name = _naming(workspace, paths[0], **named) if is_named else None
        way = _way(is_listed=listed is not None, prune=wanted.pop("prune"))
        stats = way(workspace, paths or None, **wanted, progress=progress)
        if name is not None and not stats.dry_run:
            said = name()
            if not context.json:
                note(said)
        stats = _with_offer(workspace, stats, is_seen=sys.stderr.isatty())
        is_passing = workspace.is_passing and not stats.dry_run
    _show(context, stats, is_passing=is_passing)


def _naming(
    workspace: "Workspace", path: Path, *, name: str | None, about: str | None
) -> Callable[[], str]:
    """Check the name and the description of a folder; return what stores them and tells how to
    search there.
    """
    from memory.files.collections import (
        checked_collection,
        name_collection,  # few syncs name their folder
    )

    collection = checked_collection(workspace, path, name=name, about=about)

    def store() -> str:
        name_collection(workspace, collection)
        place = shown_path(collection.path, Path.cwd())
        return f"{place} is called {collection.name}: mem search --in {collection.name}"

    return store


def _telling(
    bar: Callable[[SyncProgress], None] | None,
) -> Callable[[SyncProgress], None] | None:
    """The progress of a dry run, which in a pipe is also told file by file."""
    if sys.stdout.isatty():
        return bar

    def tell(progress: SyncProgress) -> None:
        if progress.planned is not None:
            action, path = progress.planned
            click.echo(f"would {action} {shown_path(path, Path.cwd())}")
        elif bar is not None:
            bar(progress)

    return tell


def _way(*, is_listed: bool, prune: bool) -> Callable[..., SyncStats]:
    """The requested kind of sync."""
    if is_listed:
        from memory.files.path_lists import sync_listed

        return sync_listed
    if prune:
        from memory.files.pruning import sync_and_prune

        return sync_and_prune
    from memory.files.ingestion import (
        sync_files,  # the other kinds report problems too, and sync nothing
    )

    return sync_files


def paths_in(data: bytes) -> tuple[Path, ...]:
    """The paths of a list: separated by NUL if it contains one, else by line ends."""
    separator = b"\0" if b"\0" in data else b"\n"
    names = (
        name if separator == b"\0" else name.removesuffix(b"\r") for name in data.split(separator)
    )
    return tuple(dict.fromkeys(Path(os.fsdecode(name)) for name in names if name))


def _show(context: CliContext, stats: SyncStats, *, is_passing: bool) -> None:
    if context.json:
        print_json(stats)
        return
    for line in _summary(stats):
        click.echo(line)
    for line in pruned_lines(stats.pruned, cwd=Path.cwd(), dry_run=stats.dry_run):
        click.echo(line)
    for line in (*problem_lines(stats.errors, cwd=Path.cwd()), *reason_lines(stats.errors)):
        click.echo(line, err=True)
    for warning in stats.warnings:
        warn(warning)
    if is_passing:
        warn(PASSING)
    if stats.offer:
        note(stats.offer)


def _with_offer(workspace: "Workspace", stats: SyncStats, *, is_seen: bool) -> SyncStats:
    """The report with the offer of a better model, once, after a sync that stored something."""
    if stats.dry_run or not stats.chunks or not is_seen:
        return stats
    from memory.index.spaces.upgrade import offer_upgrade

    return replace(stats, offer=offer_upgrade(workspace))


def _workspace(context: CliContext, paths: Sequence[Path], *, dry_run: bool) -> "Workspace":
    """Open the database, creating it if there is something to store; a dry run creates none."""
    from memory.workspace import Workspace

    loaded = context.load_config()
    memory = loaded.config.memory
    if not paths and not any(Path(root).exists() for root in memory.files.watch_directories):
        return Workspace(loaded, create=False)
    if not dry_run:
        return Workspace(loaded)
    try:
        return Workspace(loaded, create=False)
    except NotFoundError:
        passing = replace(memory, backend="memory")
        return Workspace(loaded._replace(config=replace(loaded.config, memory=passing)))


def _summary(stats: SyncStats) -> list[str]:
    verb = "Dry run" if stats.dry_run else "Done"
    counts = [
        f"{number:,} {name}"
        for name in ("added", "updated", "renamed", "deleted", "unchanged", "skipped", "failed")
        if (number := getattr(stats, name))
    ]
    first = f"{verb} in {stats.seconds:.1f} s. Files: {', '.join(counts) or 'none found'}"
    if not stats.chunks and not stats.embedded:
        return [first]
    chunks = counted(stats.chunks, "new chunk")
    embedded = "to embed" if stats.dry_run else "embedded"
    refused = f", {stats.refused:,} refused" if stats.refused else ""
    done = f"{chunks} ({stats.embedded:,} {embedded}, {stats.cached:,} already known{refused})"
    return [first, done, *cost_lines(stats.cost)]


def cost_lines(cost: EmbeddingCost | None) -> list[str]:
    """The cost of embedding and the destination of the text, if there is any."""
    if cost is None or not cost.texts:
        return []
    if cost.host is None:
        return [f"No text would leave this machine: {cost.provider} embeds it here"]
    price = f"${cost.dollars:,.4f}" if cost.dollars is not None else "no price known"
    what = f"{counted(cost.texts, 'text')}, about {cost.tokens:,} tokens"
    where = f"{cost.host} ({cost.provider}, {cost.model})"
    return [shown(f"Would send {what}, to {where}: {price}")]


def problem_lines(problems: Sequence[FileProblem], *, cwd: Path) -> list[str]:
    """Files with their reasons, failed ones first, at most MOST_PROBLEMS."""
    ordered = sorted(problems, key=lambda problem: (problem.state, problem.path))
    rows = [
        ("", problem.state, shown_path(problem.path, cwd), shown(problem.reason))
        for problem in ordered[:MOST_PROBLEMS]
    ]
    lines = table(rows)
    if more := len(ordered) - len(lines):
        lines.append(f"  and {more:,} more: mem files --failed")
    return lines


def reason_lines(problems: Sequence[FileProblem]) -> list[str]:
    """One line for each state and reason with a next step, or for each if not all are listed."""
    lines = []
    is_cut = len(problems) > MOST_PROBLEMS
    for state in ("failed", "skipped"):
        reasons = count_reasons(problem for problem in problems if problem.state == state)
        for code, number in reasons.items():
            step = next_step(code)
            if step or is_cut:
                lines.append(f"{number:,} {state}: {code}" + (f"; {step}" if step else ""))
    return lines


def pruned_lines(places: Sequence[PrunedPlace], *, cwd: Path, dry_run: bool) -> list[str]:
    """The places where --prune removed files."""
    verb = "Would remove" if dry_run else "Removed"
    return [
        f"{verb} {counted(place.files, 'file')} "
        + (f"below {shown_path(place.path, cwd)}" if place.path else "in no known folder")
        for place in places
    ]
