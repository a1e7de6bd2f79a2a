"""`mem recall`: search turns and memories, without files."""

import click

from cli.invocation import CliContext, pass_context
from cli.output import print_json
from cli.searching.results import (
    print_results,
    say_nothing_found,
    say_summary,
    say_warnings,
    screen,
)
from memory.retrieval.recall import USUAL_RESULTS, recall
from search.options import MOST_RESULTS


@click.command("recall")
@click.argument("query", nargs=-1, required=True)
@click.option(
    "-k",
    type=click.IntRange(1, MOST_RESULTS),
    metavar="N",
    help=f"The most results ({USUAL_RESULTS} unless given).",
)
@pass_context
def recall_command(context: CliContext, /, query: tuple[str, ...], k: int | None) -> None:
    """Recall what was said and remembered, newer before older.

    A search of memories, turns and ingested texts only; all of them fade with age. A terminal gets
    as many results, and lines of each, as fit; with -k N, all N.
    """
    asked = k or USUAL_RESULTS
    with context.open_workspace() as workspace:
        response = recall(workspace, " ".join(query), asked)
        if context.json:
            print_json(response)
            return
        size = screen() if k is None else screen()._replace(rows=None)
        left_out = print_results(workspace, response, size)
    say_warnings(response)
    if not response.results:
        say_nothing_found("see what is remembered: mem memories list")
    say_summary(response, left_out=left_out, asked=asked)
