"""Print the results of a search for people, in as many lines as a terminal has room for, and what
belongs below them.
"""

import os
import re
import sys
from collections.abc import Mapping, Sequence

import click

from cli.caller import environment
from cli.output import ago, counted, note, shown, warn, width
from cli.searching.passage import passage
from cli.searching.snippet import LINES, Highlighter, Nearest, Snippet, wrapped
from contracts.named_tuple import NamedTuple
from memory.values.record_kinds import RecordKind, RecordKinds
from memory.values.results import Duplicate, Freshness, PartOfResult, SearchResponse, SearchResult
from memory.workspace import Workspace
from search import analyse, is_inflected

AT_A_TERMINAL = 5
"""The most results at a terminal, unless the command asks for another number."""

_INDENT = "    "
_NARROWEST, _WIDEST = 24, 100
_MOST_LINES = 8
"""The most lines of a snippet on a tall terminal."""

_BELOW = 2
"""Rows for the prompt, above the results with the command."""

_LINK = "\x1b]8;;[^\x1b]*\x1b\\\\"

_DUPLICATES_SHOWN = 3


class Screen(NamedTuple):
    """The terminal; without one, `columns` is None, and lines are not wrapped; with `rows` None the
    number of lines is not limited. `has_links`: citations may be links.
    """

    columns: int | None = None
    rows: int | None = None
    has_links: bool = False


class _Block(NamedTuple):
    """The lines of a hit: those around its snippet, whose rows are chosen by the room for them."""

    head: list[str]
    snippet: Snippet | None
    tail: list[str]
    highlighter: Highlighter

    def size(self, most: int, columns: int) -> int:
        """The rows of the terminal that it takes; the lines around the snippet may be broken."""
        rows = 0 if self.snippet is None else min(most, len(self.snippet))
        return rows + sum(_rows_of(line, columns) for line in (*self.head, *self.tail))

    def text(self, most: int) -> str:
        rows = [] if self.snippet is None else self.snippet.lines(most)
        marked = (_INDENT + self.highlighter.marked(row, _mark) for row in rows)
        return "\n".join([*self.head, *marked, *self.tail])


def folder_lines(response: SearchResponse) -> list[str]:
    """The descriptions of the named folders that the hits are in."""
    return [
        f"in {shown(folder.name)}: {shown(folder.about)}"
        for folder in response.collections
        if folder.about
    ]


class ResultPrinter:
    """Prints the hits of one answer, one block each."""

    def __init__(
        self,
        response: SearchResponse,
        kinds: RecordKinds,
        screen: Screen,
        *,
        is_whole: bool = False,
        around: Mapping[str, Sequence[str]] | None = None,
        nearest: Nearest | None = None,
    ) -> None:
        """`is_whole` shows hits whole, `around` these lines of the hits with these ids, in place of
        a snippet. `nearest` is for `Snippet`.
        """
        self._response = response
        self._kinds = kinds
        self._screen = screen
        self._is_whole = is_whole
        self._around = around or {}
        self._nearest = nearest
        columns = screen.columns
        self._columns = None if columns is None else columns - len(_INDENT)
        analysis = analyse(response.query)
        self._highlighters = [
            Highlighter(analysis, inflected=inflected) for inflected in (False, True)
        ]

    def print(self, *, below: Sequence[str] = ()) -> int:
        """Print as many hits as fit above these lines, at least one, and return their number."""
        results = self._response.results
        blocks = [self._block(rank, result) for rank, result in enumerate(results, start=1)]
        most = LINES
        if self._screen.rows is not None and self._screen.columns is not None:
            below = [*below, *(f"warning: {text}" for text in self._response.warnings)]
            columns = self._screen.columns
            taken = sum(_rows_of(text, columns) for text in below + folder_lines(self._response))
            most = _fit(blocks, self._screen.rows - _BELOW - taken, columns)
        if blocks:
            click.echo("\n\n".join(block.text(most) for block in blocks))
        return len(blocks)

    def _block(self, rank: int, result: SearchResult) -> _Block:
        kind = self._kinds[result.source]
        speaker = kind.speaker(result.metadata)
        place = click.style(shown(result.citation), bold=True)
        if self._screen.has_links:
            from cli.searching.terminal_links import link_to_hit  # for terminals alone

            place = link_to_hit(place, result)
        head = [f"{rank:>2}. {place}  {result.score:.2f} {result.confidence}"]
        if about := _about(result, kind, speaker):
            head.append(_INDENT + about)
        if result.heading:
            head.append(_INDENT + click.style(shown(result.heading), dim=True))
        highlighter = self._highlighters[is_inflected(result.text)]
        snippet = None
        if result.chunk_id in self._around:
            head += self._lines(self._around[result.chunk_id], highlighter)
        elif self._is_whole or result.before or result.after:
            head += self._passage(result, speaker, highlighter)
        else:
            snippet = Snippet(
                result.text,
                result.heading,
                highlighter=highlighter,
                columns=self._columns,
                nearest=self._nearest,
            )
        return _Block(head, snippet, self._tail(result), highlighter)

    def _tail(self, result: SearchResult) -> list[str]:
        lines = []
        if result.superseded:
            from cli.searching.past_statements import no_longer_so  # most results have none

            lines += [no_longer_so(past) for past in result.superseded]
        columns = self._columns or _WIDEST
        lines += [click.style(_part(part, columns), dim=True) for part in result.also]
        if result.duplicates:
            lines.append(click.style(_others(result.duplicates), dim=True))
        if result.explanation:
            from cli.searching.score_lines import explained  # few ask for it

            figures = explained(result.explanation)
            lines += [click.style(shown(line), dim=True) for line in figures]
        return [_INDENT + line for line in lines]

    def _lines(self, lines: Sequence[str], highlighter: Highlighter) -> list[str]:
        return [
            (_INDENT + highlighter.marked(row, _mark)).rstrip()
            for line in lines
            for row in self._wrapped(line) or [""]
        ]

    def _passage(
        self, result: SearchResult, speaker: str | None, highlighter: Highlighter
    ) -> list[str]:
        """The hit between its neighbours, which are dimmed."""
        lines = []
        for line, is_hit in passage(result, speaker):
            rows = self._wrapped(line)
            if not rows:
                lines.append("")
            elif is_hit:
                lines += [_INDENT + highlighter.marked(row, _mark) for row in rows]
            else:
                lines += [_INDENT + click.style(shown(row), dim=True) for row in rows]
        return lines

    def _wrapped(self, line: str) -> list[str]:
        line = line.expandtabs(4).rstrip()
        if self._columns is None:
            return [line] if line else []
        return wrapped(line, self._columns)


def screen() -> Screen:
    """The terminal of stdout; for anything else, only the variable COLUMNS sets a width."""
    variables = environment()
    columns, rows = (_number(variables.get(name, "")) for name in ("COLUMNS", "LINES"))
    is_terminal = sys.stdout.isatty()
    try:
        columns, rows = os.get_terminal_size(sys.stdout.fileno())
    except (OSError, ValueError):  # no terminal, or one of another process
        columns = columns or (_WIDEST if is_terminal else None)
    if columns is not None:
        columns = max(_NARROWEST, min(_WIDEST, columns))
    has_links = is_terminal and variables.get("TERM") != "dumb"
    return Screen(columns, (rows or None) if is_terminal else None, has_links)


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() else None


def _fit(blocks: list[_Block], room: int, columns: int) -> int:
    """Drop the last blocks that do not fit into so many rows; return the most rows of a snippet."""
    fitting = range(_MOST_LINES, 1, -1)
    most = next((n for n in fitting if _height(blocks, n, columns) <= room), 1)
    while len(blocks) > 1 and _height(blocks, most, columns) > room:
        blocks.pop()
    return most


def _height(blocks: Sequence[_Block], most: int, columns: int) -> int:
    """The rows of blocks with an empty one after each but the last."""
    return sum(block.size(most, columns) + 1 for block in blocks) - 1


def _rows_of(line: str, columns: int) -> int:
    """The rows that a terminal breaks a line into."""
    plain = click.unstyle(re.sub(_LINK, "", line))
    return max(1, -(-width(plain) // columns))


def _about(result: SearchResult, kind: RecordKind, speaker: str | None) -> str:
    """The speaker, or the kind of memory; empty for documents."""
    if speaker is not None:
        colour = "cyan" if result.metadata.get("role") == "assistant" else "green"
        return click.style(shown(speaker), fg=colour)
    about = kind.about(result.metadata, result.occurred_at)
    return click.style(shown(about), fg="magenta") if about else ""


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
