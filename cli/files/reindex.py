"""`mem reindex`: change the embedding model or the chunk length without an interruption."""

import click

from cli.files.sync import cost_lines
from cli.invocation import CliContext, pass_context
from cli.output import counted, labelled, print_json, shown, size, table, warn
from cli.progress import reindex_progress, removal_progress
from contracts import InputError
from memory.storage.values import SpaceState
from memory.values.space_reports import PruneReport, ReindexReport, ReindexStatus, SpaceStatus

_STATES = {"active": "answers", "filling": "being filled", "retired": "kept for going back"}


@click.command()
@click.option("--provider", metavar="NAME", help="Embed with this provider.")
@click.option("--model", metavar="NAME", help="Embed with this model of the provider.")
@click.option("--status", "only_status", is_flag=True, help="Only report progress.")
@click.option("--prune", is_flag=True, help="Remove vectors not in use, half-filled or retired.")
@click.option("--dry-run", is_flag=True, help="Only report the cost, and where text would go.")
@click.option("--abort", is_flag=True, help="Remove half-filled vectors.")
@pass_context
def reindex(
    context: CliContext,
    /,
    *,
    provider: str | None,
    model: str | None,
    **actions: bool,
) -> None:
    """Change the embedding model, or the chunk length, without an interruption.

    Without options, to the configured one; the provider auto keeps the model. Searches and syncs
    continue meanwhile, and the former model answers until the last text is embedded and a sample
    has been checked. It can be interrupted at any time and then continues where it was. The former
    vectors are kept until --prune, so that going back embeds only newer texts.
    """
    named = {"only_status": "--status", "dry_run": "--dry-run"}
    _check(
        {named.get(name, f"--{name}"): given for name, given in actions.items()},
        chooses=provider is not None or model is not None,
    )
    if actions["only_status"]:
        _say_status(context)
    elif actions["prune"] or actions["abort"]:
        _remove(context, half_filled_only=not actions["prune"])
    elif actions["dry_run"]:
        _say_cost(context, provider=provider, model=model)
    else:
        _reindex(context, provider=provider, model=model)


def _check(actions: dict[str, bool], *, chooses: bool) -> None:
    """Raise InputError for options that exclude each other."""
    named = [name for name, given in actions.items() if given]
    if len(named) > 1 or (named and chooses and named != ["--dry-run"]):
        others = named[1:] or ["--provider or --model"]
        raise InputError(
            f"{named[0]} and {others[0]} cannot be used together", hint="give one of them"
        )


def _reindex(context: CliContext, *, provider: str | None, model: str | None) -> None:
    from memory.index.spaces.reindex import reindex as run

    with context.open_workspace() as workspace, reindex_progress() as progress:
        report = run(workspace, provider=provider, model=model, progress=progress)
    if context.json:
        print_json(report)
        return
    for line in _summary(report):
        click.echo(line)
    for warning in report.warnings:
        warn(warning)


def _say_cost(context: CliContext, *, provider: str | None, model: str | None) -> None:
    from memory.index.spaces.reindex import reindex_cost

    with context.open_workspace() as workspace:
        cost = reindex_cost(workspace, provider=provider, model=model)
    if context.json:
        print_json(cost)
        return
    click.echo(f"{counted(cost.texts, 'text')} to embed")
    for line in cost_lines(cost):
        click.echo(line)


def _summary(report: ReindexReport) -> list[str]:
    space = report.space
    name = f"{shown(space.provider)} {shown(space.model)}, {space.dimensions} dimensions"
    if not report.swapped:
        return [f"Nothing to do: the index answers with {name}"]
    lines = [
        f"Done in {report.seconds:.1f} s. The index answers with {name}",
        f"{counted(space.vectors, 'vector')} ({report.embedded:,} embedded, "
        f"{report.cached:,} already known)",
    ]
    if report.documents:
        lines.append(
            f"{counted(report.documents, 'document')} cut into chunks of "
            f"{space.chunk_size_chars:,} characters"
        )
    if report.unembedded:
        chunks = counted(report.unembedded, "chunk")
        lines.append(f"{chunks} without a vector, found by their words alone")
    if report.kept:
        lines.append(
            "The former vectors are kept for going back; to remove them: mem reindex --prune"
        )
    return lines


def _remove(context: CliContext, *, half_filled_only: bool) -> None:
    from memory.index.spaces.listing import remove_spaces

    states: list[SpaceState] = ["filling"] if half_filled_only else ["filling", "retired"]
    with context.open_workspace() as workspace, removal_progress() as progress:
        report = remove_spaces(workspace, states, progress=progress)
    if context.json:
        print_json(report)
        return
    for line in _removed(report):
        click.echo(line)


def _removed(report: PruneReport) -> list[str]:
    if not report.removed:
        return ["Nothing to remove"]
    names = [
        f"Removed: {shown(space.provider)} {shown(space.model)}, {_fill(space)}"
        for space in report.removed
    ]
    chunks = f"{counted(report.chunks, 'chunk')} removed, " if report.chunks else ""
    return [*names, f"{chunks}{size(report.freed_bytes)} given back"]


def _say_status(context: CliContext) -> None:
    from memory.index.spaces.listing import reindex_status

    with context.open_workspace() as workspace:
        found = reindex_status(workspace)
    if context.json:
        print_json(found)
        return
    for line in table(status_rows(found)):
        click.echo(line)


def status_rows(found: ReindexStatus) -> list[tuple[str, str]]:
    """The spaces as rows of a table, and the running reindex."""
    spaces = [described(space) for space in found.spaces] or ["none yet: mem sync PATH"]
    running = f"a reindex, {shown(found.running)}" if found.running else "nothing"
    wanted = [f"{shown(found.wanted)}, to change to it: mem reindex"] if found.wanted else []
    parts = {"space": spaces, "configured": wanted, "running": [running]}
    return [row for label, lines in parts.items() for row in labelled(label, lines)]


def described(space: SpaceStatus) -> str:
    """`static potion-256: 1,204 of 5,000 vectors, being filled`."""
    return f"{shown(space.provider)} {shown(space.model)}: {_fill(space)}, {_STATES[space.state]}"


def _fill(space: SpaceStatus) -> str:
    cut = f"of {space.chunk_size_chars:,} characters"
    return f"{space.vectors:,} of {counted(space.chunks, 'vector')} for chunks {cut}"
