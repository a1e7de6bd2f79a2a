"""`mem search`: answer a question with citations.

Start-up time matters here: nothing imports more than the answer needs.
"""

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.invocation import CliContext, pass_context
from cli.output import note, print_json
from cli.searching.results import (
    AT_A_TERMINAL,
    Screen,
    print_results,
    say_nothing_found,
    say_summary,
    say_warnings,
    screen,
)
from contracts import InputError, Scope
from contracts.named_tuple import NamedTuple
from memory.config.settings import SearchConfig
from memory.index.collections.reading import within_collection
from memory.retrieval.searching import default_options
from memory.retrieval.searching import search as answer
from memory.values.results import SearchResponse
from memory.values.scope_parsing import narrowed
from memory.values.user_folders import working_folder
from memory.workspace import Workspace
from search import SearchOptions
from search.options import FOLDS, MODES, MOST_NEIGHBOURS, MOST_RESULTS, Fold, Mode

if TYPE_CHECKING:
    from cli.searching.result_forms import Form


class SearchArguments(NamedTuple):
    """The options of one call; None and empty leave it to the configuration."""

    max_results: int | None = None
    mode: Mode | None = None
    sources: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    collection: str | None = None
    min_score: float | None = None
    since: str | None = None
    until: str | None = None
    session: str | None = None
    tags: tuple[str, ...] = ()
    without_tags: tuple[str, ...] = ()
    all_chunks: bool = False
    archived: bool = False
    tests: bool = False
    fold: Fold | None = None
    neighbours: int = 0
    explain: bool = False
    rerank: bool | None = None
    form: "Form | None" = None
    full: bool = False
    context: int | None = None

    def applied_to(self, config: SearchConfig) -> SearchOptions:
        """The configured options, overridden by those of this call.

        Raises InputError for an invalid time, source or path.
        """
        configured = default_options(config)
        return replace(
            configured,
            scope=self.scope(working_folder()),
            mode=self.mode or configured.mode,
            max_results=self.max_results or configured.max_results,
            min_score=configured.min_score if self.min_score is None else self.min_score,
            all_chunks=self.all_chunks,
            archived=self.archived,
            lowered_files=tuple(
                rule for rule in configured.lowered_files if not (self.tests and rule == "tests")
            ),
            fold=self.fold or configured.fold,
            neighbours=self.neighbours,
            explain=self.explain,
            rerank=configured.rerank if self.rerank is None else self.rerank,
        )

    @property
    def shows_more(self) -> bool:
        """Return whether it asks for more lines of every result than fit a terminal."""
        more = (self.full, self.neighbours, self.explain, self.context is not None)
        return any(more)

    def scope(self, cwd: Path) -> Scope:
        """The filter of chunks that may answer."""
        return narrowed(
            self.sources,
            self.paths,
            since=self.since,
            until=self.until,
            tags=self.tags,
            cwd=cwd,
        )._replace(without_tags=self.without_tags, session_id=self.session)

    def narrowing(self) -> list[str]:
        """The given options that exclude results."""
        given = {
            "--source": self.sources,
            "--path": self.paths,
            "--in": self.collection is not None,
            "--since": self.since,
            "--until": self.until,
            "--session": self.session is not None,
            "--tag": self.tags,
            "--without-tag": self.without_tags,
        }
        return [option for option, value in given.items() if value]


@click.command()
@click.argument("query", nargs=-1, required=True)
@click.option(
    "-k",
    "--max-results",
    type=click.IntRange(1, MOST_RESULTS),
    metavar="N",
    help="The most results.",
)
@click.option(
    "--mode", type=click.Choice(MODES), help="By words, by meaning, or both (the default)."
)
@click.option(
    "--source",
    "sources",
    multiple=True,
    metavar="S",
    help="Only from this source (file, turn, memory ...), folder (docs/), type (.md) or pattern; "
    "repeatable.",
)
@click.option(
    "--path",
    "paths",
    multiple=True,
    metavar="P",
    help="Only below this folder, in this file or under this pattern; repeatable.",
)
@click.option("--in", "collection", metavar="NAME", help="Only files of the folder with this name.")
@click.option(
    "--min-score",
    type=click.FloatRange(0, 1),
    metavar="X",
    help="The least similarity (cosine) of a result that shares no word with the query.",
)
@click.option(
    "--since",
    metavar="T",
    help="Only results from this time on: 2026-03, 2026-03-04, 7d, 12h (UTC).",
)
@click.option(
    "--until", metavar="T", help="Only results up to this time; a date counts to its end."
)
@click.option("--session", metavar="S", help="Only turns of this conversation.")
@click.option("--tag", "tags", multiple=True, metavar="T", help="Only with this tag; repeatable.")
@click.option(
    "--without-tag",
    "without_tags",
    multiple=True,
    metavar="T",
    help="Only without this tag (pii: personal data, secret: passwords, keys); repeatable.",
)
@click.option("--all-chunks", is_flag=True, help="Any number of results from the same file.")
@click.option("--archived", is_flag=True, help="Also facts that are archived or have expired.")
@click.option("--tests", is_flag=True, help="Tests weigh as much as other source code.")
@click.option(
    "--fold",
    type=click.Choice(FOLDS),
    help="Near-identical results as one (shingles, the default), results chosen to differ (mmr), "
    "or all as they come.",
)
@click.option(
    "-C",
    "--neighbours",
    type=click.IntRange(0, MOST_NEIGHBOURS),
    default=0,
    metavar="N",
    help="Show each result whole, with N chunks before and after it.",
)
@click.option(
    "--rerank/--no-rerank",
    default=None,
    help="Reorder the best results with a cross-encoder, within a deadline.",
)
@click.option("--explain", is_flag=True, help="Show how each score was computed.")
@click.option("--full", is_flag=True, help="Show each result whole.")
@click.option(
    "--context",
    type=click.IntRange(0),
    metavar="N",
    help="Show the best line of each result with N lines of its file before and after it.",
)
@click.option("--files", "form", flag_value="files", help="Print only the files, one a line.")
@click.option("--md", "form", flag_value="md", help="Print Markdown, with links to the files.")
@click.option("--csv", "form", flag_value="csv", help="Print CSV with a row for each result.")
@pass_context
def search(context: CliContext, /, query: tuple[str, ...], **options: Any) -> None:
    """Find the paragraphs that answer a question.

    QUERY is plain words, quoted or not. "in quotes" must match exactly (if it occurs anywhere),
    begin* is the beginning of a word, -word excludes results with it (write -- before the query
    then: mem search -- plan -draft). `mem show` prints the place that a result names. A terminal
    gets five results, as many lines of each as fit; -k gets more.
    """
    text, arguments = " ".join(query), SearchArguments(**options)
    if context.json and (arguments.form or arguments.context is not None):
        raise InputError(
            "--json cannot be combined with --files, --md, --csv and --context",
            hint="leave one of them out; --json with --neighbours N has more text",
        )
    size = screen() if not (context.json or arguments.form) else Screen()
    with context.open_workspace() as workspace:
        wanted = arguments.applied_to(workspace.config.search)
        if size.rows is not None and arguments.max_results is None:
            wanted = replace(wanted, max_results=min(AT_A_TERMINAL, wanted.max_results))
        if arguments.collection is not None:
            scope = within_collection(
                workspace.storage.database, wanted.scope, arguments.collection
            )
            wanted = replace(wanted, scope=scope)
        if wanted.rerank and sys.stderr.isatty() and not context.json:
            model = workspace.config.search.rerank.model
            note(f"loading {model} to rerank, which takes some seconds; --no-rerank skips it")
        response = answer(workspace, text, wanted)
        if context.json:
            print_json(response)
            return
        is_empty = not response.results and not workspace.storage.count_chunks()
        left_out = _print(workspace, response, arguments, size)
    say_warnings(response)
    if not response.results:
        _say_why_empty(arguments, is_empty=is_empty)
    say_summary(response, left_out=left_out, asked=wanted.max_results)


def _print(
    workspace: Workspace, response: SearchResponse, arguments: SearchArguments, size: Screen
) -> int:
    """Print the results as asked for; return how many a terminal has no room for."""
    if arguments.form is not None:
        from cli.searching.result_forms import in_form  # most answers are for people

        if response.results or arguments.form == "csv":
            click.echo(in_form(response.results, arguments.form))
        return 0
    around = None
    if arguments.context is not None:
        from cli.searching.lines_around import lines_around  # few ask for it

        around = lines_around(workspace, response, count=arguments.context)
    if arguments.max_results is not None or arguments.shows_more:
        size = size._replace(rows=None)
    return print_results(workspace, response, size, is_whole=arguments.full, around=around)


def _say_why_empty(arguments: SearchArguments, *, is_empty: bool) -> None:
    hint = "try other words, or see what is indexed: mem files"
    if is_empty:
        hint = "nothing is indexed yet: mem sync PATH"
    elif narrowing := arguments.narrowing():
        hint = f"ask without {', '.join(narrowing)}, or see what is indexed: mem files"
    say_nothing_found(hint)
