"""`mem episodes`: what happened, day by day, and which of it was of use."""

from collections.abc import Iterable, Iterator
from typing import Any

import click

from cli.invocation import CliContext, pass_context
from cli.lazy_groups import CommandGroup
from cli.output import note, print_json, shown
from cli.parameters import limit_option
from memory.episodes.listing import (
    MOST_LISTED,
    USUAL_LIMIT,
    EpisodeFilter,
    list_episodes,
    read_episode,
)
from memory.episodes.reinforcement import note_used
from memory.episodes.retention import RATINGS
from memory.episodes.values import Episode, EpisodeContent

_DAY = len("2026-03-04")
_CITATION = "episode "


@click.group(cls=CommandGroup)
def episodes() -> None:
    """Show what happened, day by day, and note what was of use."""


@episodes.command("list")
@click.option("--session", "session_id", metavar="S", help="Only of this conversation.")
@click.option("--since", metavar="T", help="Only those that ended then or later.")
@click.option("--until", metavar="T", help="Only those that began then or earlier.")
@click.option(
    "--min-importance",
    type=click.FloatRange(0, 1),
    metavar="X",
    help="Only those of this importance or more, 0 to 1.",
)
@limit_option(MOST_LISTED, USUAL_LIMIT)
@pass_context
def list_command(context: CliContext, /, limit: int, **options: Any) -> None:
    """List episodes day by day, the latest first."""
    with context.open_workspace() as workspace:
        page = list_episodes(workspace, EpisodeFilter(**options), limit=limit)
    if context.json:
        print_json(page.episodes)
        return
    if not page.episodes:
        note("no such episodes; a server forms them, or mem maintain segmentation")
        return
    click.echo("\n\n".join(days(page.episodes)))
    if page.next_cursor is not None:
        note(f"more: --limit {min(limit * 10, MOST_LISTED)}")


@episodes.command("show")
@click.argument("episode")
@pass_context
def show_command(context: CliContext, /, episode: str) -> None:
    """Show an episode with its turns. EPISODE is its number, or episode 7."""
    with context.open_workspace() as workspace:
        content = read_episode(workspace, number_of(episode))
    print_episode(context, content)


@episodes.command("used")
@click.argument("citations", nargs=-1, required=True)
@click.option(
    "--vote",
    type=click.Choice(list(RATINGS)),
    default="used",
    show_default=True,
    help="How useful they were.",
)
@pass_context
def used_command(context: CliContext, /, citations: tuple[str, ...], vote: str) -> None:
    """Note that episodes and facts were of use, so that they are remembered better.

    CITATIONS are of episodes and triples, or of turns and memories, which stand for their episode
    and triple; each in quotes. Each is reinforced once a day.
    """
    with context.open_workspace() as workspace:
        report = note_used(workspace, citations, vote=vote)  # type: ignore[arg-type]  # a Choice
    if context.json:
        print_json(report)
        return
    for told, citations_ in (
        ("noted", report.reinforced),
        ("noted before today", report.already),
        ("no episode or fact", report.others),
    ):
        if citations_:
            click.echo(f"{told}: {', '.join(map(shown, citations_))}")


def number_of(text: str) -> int:
    """Return the number of an episode. Raises BadParameter for a text without one."""
    digits = text.strip().removeprefix(_CITATION).removeprefix("episode:").strip()
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 19):
        raise click.BadParameter(f"{text!r} is not an episode, such as 7 or 'episode 7'")
    return int(digits)


def days(found: Iterable[Episode]) -> Iterator[str]:
    """Yield the episodes of each day below its date."""
    day, lines = "", list[str]()
    for episode in found:
        if episode.started_at[:_DAY] != day:
            if lines:
                yield "\n".join(lines)
            day = episode.started_at[:_DAY]
            lines = [click.style(day, bold=True)]
        lines += _lines(episode)
    yield "\n".join(lines)


def _lines(episode: Episode) -> list[str]:
    """The times, the citation and the scores of an episode, then its summary."""
    times = f"{episode.started_at[11:16]}-{episode.ended_at[11:16]}"
    scores = (
        f"importance {episode.importance_score:.2f}, surprise {episode.surprise_score:.2f}, "
        f"recall {episode.retrievability:.2f}"
    )
    head = f"  {times}  episode {episode.id}, session {shown(str(episode.session_id))}"
    summary = episode.summary.split("\n", 1)[-1]
    body = [f"    {shown(line)}" for line in summary.splitlines()]
    return [f"{head}  {click.style(scores, dim=True)}", *body]


def print_episode(context: CliContext, content: EpisodeContent) -> None:
    """Print an episode with its turns, for people or programs."""
    if context.json:
        print_json(content)
        return
    episode = content.episode
    lines = [
        *_lines(episode),
        f"    turns {episode.start_message_id} to {episode.end_message_id}, "
        f"used {episode.retrieval_count} times, "
        f"summary {'by a model' if episode.written_by == 'llm' else 'of its own sentences'}",
        "",
        *(
            f"  {turn.occurred_at[11:16]}  turn {turn.id.partition(':')[2]}  "
            f"{shown(turn.speaker or turn.role)}: {shown(' '.join(turn.text.split()))}"
            for turn in content.turns
        ),
    ]
    click.echo("\n".join([click.style(episode.started_at[:_DAY], bold=True), *lines]))
