"""`mem search`: answer a question with citations.

Start-up time matters here: nothing imports more than the answer needs.
"""

import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import click

from cli.caller import environment
from cli.invocation import CliContext, pass_context
from cli.output import ago, counted, note, print_json, shown, warn
from cli.searching.passage import passage
from cli.searching.snippet import Highlighter, snippet, wrapped
from contracts import Scope
from memory.config.settings import SearchConfig
from memory.index.collections.reading import within_collection
from memory.retrieval.searching import default_options
from memory.retrieval.searching import search as answer
from memory.values.record_kinds import RecordKind, RecordKinds
from memory.values.results import Duplicate, Freshness, PartOfResult, SearchResponse, SearchResult
from memory.values.scope_parsing import narrowed
from memory.values.user_folders import working_folder
from search import SearchOptions, analyse, is_inflected
from search.options import FOLDS, MODES, MOST_NEIGHBOURS, MOST_RESULTS, Fold, Mode

_INDENT = "    "
_NARROWEST, _WIDEST = 24, 100
_DUPLICATES_SHOWN = 3


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
    fold: Fold | None = None
    neighbours: int = 0
    explain: bool = False
    rerank: bool | None = None

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
            fold=self.fold or configured.fold,
            neighbours=self.neighbours,
            explain=self.explain,
            rerank=configured.rerank if self.rerank is None else self.rerank,
        )

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
@click.option("--all-chunks", is_flag=True, help="More than one result from the same file.")
@click.option("--archived", is_flag=True, help="Also facts that are archived or have expired.")
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
@pass_context
def search(context: CliContext, /, query: tuple[str, ...], **options: Any) -> None:
    """Find the paragraphs that answer a question.

    QUERY is plain words, quoted or not. "in quotes" must match exactly (if it occurs anywhere),
    begin* is the beginning of a word, -word excludes results with it (write -- before a query that
    begins with a dash). `mem show` prints the place that a result names.
    """
    text, arguments = " ".join(query), SearchArguments(**options)
    with context.open_workspace() as workspace:
        wanted = arguments.applied_to(workspace.config.search)
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
    print_results(response, workspace.kinds)
    for folder in response.collections:
        if folder.about:
            note(f"in {shown(folder.name)}: {shown(folder.about)}")
    for warning in response.warnings:
        warn(warning)
    if not response.results:
        _say_why_empty(arguments, is_empty=is_empty)
    note(summary(response))


def print_results(response: SearchResponse, kinds: RecordKinds) -> None:
    """Print the hits of an answer, one block each."""
    analysis = analyse(response.query)
    highlighters = [Highlighter(analysis, inflected=inflected) for inflected in (False, True)]
    columns = _columns() - len(_INDENT)
    blocks = [
        _block(
            rank,
            result,
            kinds[result.source],
            highlighter=highlighters[is_inflected(result.text)],
            columns=columns,
        )
        for rank, result in enumerate(response.results, start=1)
    ]
    if blocks:
        click.echo("\n\n".join(blocks))


def _columns() -> int:
    """The width of the text: that of the terminal, from _NARROWEST to _WIDEST."""
    try:
        wide = os.get_terminal_size(sys.stdout.fileno()).columns
    except (OSError, ValueError):  # no terminal, or no file at all
        wide = (
            int(columns) if (columns := environment().get("COLUMNS", "")).isdecimal() else _WIDEST
        )
    return max(_NARROWEST, min(_WIDEST, wide))


def _block(
    rank: int, result: SearchResult, kind: RecordKind, *, highlighter: Highlighter, columns: int
) -> str:
    place = click.style(shown(result.citation), bold=True)
    lines = [f"{rank:>2}. {place}  {result.score:.2f}"]
    speaker = kind.speaker(result.metadata)
    if about := _about(result, kind, speaker):
        lines.append(_INDENT + about)
    if result.heading:
        lines.append(_INDENT + click.style(shown(result.heading), dim=True))
    if result.before or result.after:
        lines += _passage(result, speaker, highlighter=highlighter, columns=columns)
    else:
        rows = snippet(result.text, result.heading, highlighter=highlighter, columns=columns)
        lines += [_INDENT + highlighter.marked(row, _mark) for row in rows]
    if result.superseded:
        from cli.searching.past_statements import no_longer_so  # most results have none

        lines += [_INDENT + no_longer_so(past) for past in result.superseded]
    lines += [_INDENT + click.style(_part(part, columns), dim=True) for part in result.also]
    if result.duplicates:
        lines.append(_INDENT + click.style(_others(result.duplicates), dim=True))
    if result.explanation:
        from cli.searching.score_lines import explained  # few ask for it

        figures = explained(result.explanation)
        lines += [_INDENT + click.style(shown(line), dim=True) for line in figures]
    return "\n".join(lines)


def _about(result: SearchResult, kind: RecordKind, speaker: str | None) -> str:
    """The speaker, or the kind of memory; empty for documents."""
    if speaker is not None:
        colour = "cyan" if result.metadata.get("role") == "assistant" else "green"
        return click.style(shown(speaker), fg=colour)
    about = kind.about(result.metadata, result.occurred_at)
    return click.style(shown(about), fg="magenta") if about else ""


def _passage(
    result: SearchResult, speaker: str | None, *, highlighter: Highlighter, columns: int
) -> list[str]:
    """The hit between its neighbours, which are dimmed."""
    lines = []
    for line, is_hit in passage(result, speaker):
        rows = wrapped(line.expandtabs(4), columns)
        if not rows:
            lines.append("")
        elif is_hit:
            lines += [_INDENT + highlighter.marked(row, _mark) for row in rows]
        else:
            lines += [_INDENT + click.style(shown(row), dim=True) for row in rows]
    return lines


def _part(part: PartOfResult, columns: int) -> str:
    """One line about a record that is one result with another."""
    text = "" if part.text is None else f": {' '.join(part.text.split())}"
    line = f"also {part.citation}{text}"
    return shown(line if len(line) <= columns else f"{line[: columns - 1]}…")


def _others(duplicates: Sequence[Duplicate]) -> str:
    places = [shown(duplicate.citation) for duplicate in duplicates[:_DUPLICATES_SHOWN]]
    rest = ", ..." if len(duplicates) > _DUPLICATES_SHOWN else ""
    return f"and {len(duplicates):,} more like it: {', '.join(places)}{rest}"


def _mark(word: str) -> str:
    return click.style(word, fg="yellow", bold=True)


def _say_why_empty(arguments: SearchArguments, *, is_empty: bool) -> None:
    click.echo("no match", err=True)
    hint = "try other words, or see what is indexed: mem files"
    if is_empty:
        hint = "nothing is indexed yet: mem sync PATH"
    elif narrowing := arguments.narrowing():
        hint = f"ask without {', '.join(narrowing)}, or see what is indexed: mem files"
    click.echo(f"{click.style('hint:', bold=True)} {hint}", err=True)


def summary(response: SearchResponse) -> str:
    """The number of hits, the time taken, and how fresh the index is."""
    parts = [
        f"{counted(response.total_results, 'result')} in {response.search_time_ms:.0f} ms "
        f"({response.mode_used})",
        *_freshness(response.freshness),
    ]
    return "; ".join(parts)


def _freshness(freshness: Freshness) -> list[str]:
    parts = [f"synced {ago(freshness.indexed_at)}"] if freshness.indexed_at else []
    if freshness.pending:
        parts.append(f"{counted(freshness.pending, 'file')} waiting: mem sync")
    if freshness.failed:
        parts.append(f"{counted(freshness.failed, 'file')} failed: mem files --failed")
    return parts
