"""Print an answer for people, and the line below it: `mem search` and `mem recall`."""

from collections.abc import Mapping, Sequence

import click

from cli.output import ago, counted, note, warn
from cli.searching.results import ResultPrinter, Screen, folder_lines
from memory.values.results import Freshness, SearchResponse
from memory.workspace import Workspace


def print_results(
    workspace: Workspace,
    response: SearchResponse,
    screen: Screen,
    *,
    is_whole: bool = False,
    around: Mapping[str, Sequence[str]] | None = None,
) -> int:
    """Print as many results as the screen has room for; return how many it has none for."""

    def nearest(sentences: Sequence[str]) -> int:
        from cli.searching.nearest_sentence import nearest_sentence  # most hits hold a word

        return nearest_sentence(workspace, response.query, sentences)

    printer = ResultPrinter(
        response,
        workspace.kinds,
        screen,
        is_whole=is_whole,
        around=around,
        nearest=None if response.mode_used == "keyword" else nearest,
    )
    below = _summary(response, left_out=1, asked=1)
    return len(response.results) - printer.print(below=[below])


def say_warnings(response: SearchResponse) -> None:
    """Print the purposes of the folders that the results are from, and the warnings."""
    for line in folder_lines(response):
        note(line)
    for warning in response.warnings:
        warn(warning)


def say_nothing_found(hint: str) -> None:
    """Print that there is no result, and what to try."""
    click.echo("no match", err=True)
    click.echo(f"{click.style('hint:', bold=True)} {hint}", err=True)


def say_summary(response: SearchResponse, *, left_out: int, asked: int) -> None:
    """Print the number of results, of `asked` ones, the time taken, and how fresh the index is."""
    note(_summary(response, left_out=left_out, asked=asked))


def _summary(response: SearchResponse, *, left_out: int, asked: int) -> str:
    parts = [
        f"{counted(response.total_results, 'result')} in {response.search_time_ms:.0f} ms "
        f"({response.mode_used})",
        *_freshness(response.freshness),
        *([f"{left_out} more: -k {asked}"] if left_out else []),
    ]
    return "; ".join(parts)


def _freshness(freshness: Freshness) -> list[str]:
    parts = [f"synced {ago(freshness.indexed_at)}"] if freshness.indexed_at else []
    if freshness.pending:
        parts.append(f"{counted(freshness.pending, 'file')} waiting: mem sync")
    if freshness.failed:
        parts.append(f"{counted(freshness.failed, 'file')} failed: mem files --failed")
    return parts
