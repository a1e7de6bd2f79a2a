"""`mem recall`: search turns and memories, without files."""

import click

from cli.invocation import CliContext, pass_context
from cli.output import note, print_json, warn
from cli.searching.results import ResultPrinter, screen
from cli.searching.search import summary
from memory.retrieval.recall import USUAL_RESULTS, recall
from search.options import MOST_RESULTS


@click.command("recall")
@click.argument("query", nargs=-1, required=True)
@click.option(
    "-k",
    type=click.IntRange(1, MOST_RESULTS),
    default=USUAL_RESULTS,
    show_default=True,
    metavar="N",
    help="The most results.",
)
@pass_context
def recall_command(context: CliContext, /, query: tuple[str, ...], k: int) -> None:
    """Recall what was said and remembered, newer before older.

    A search of memories, turns and ingested texts only; all of them fade with age.
    """
    with context.open_workspace() as workspace:
        response = recall(workspace, " ".join(query), k)
    if context.json:
        print_json(response)
        return
    ResultPrinter(response, workspace.kinds, screen()._replace(rows=None)).print()
    for warning in response.warnings:
        warn(warning)
    note(summary(response))
