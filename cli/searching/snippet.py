"""Choose the few lines of a hit that answer best, and mark the query's words in them."""

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, takewhile
from typing import TypeAlias

from cli.output import shown, width
from contracts.lazy_regex import deferred
from contracts.named_tuple import NamedTuple
from search.highlighting import WordFinder

LINES = 3
"""The most lines of a snippet, unless a terminal has room for more."""

USUAL_COLUMNS = 100
"""The width of a row where there is no terminal."""

Nearest: TypeAlias = Callable[[Sequence[str]], int]
"""Returns the number of the sentence that is nearest to the query in meaning."""

_SENTENCE = deferred(r"\S.*?(?:[.!?。！？](?=\s|$)|$)")
_TABLE = "|"
_RULE = deferred(r"\s*\|[\s|:-]*-[\s|:-]*")

_MARKUP = deferred("[#`*_]+")


class Highlighter(WordFinder):
    """Finds the words of a query and marks them."""

    def marked(self, text: str, mark: Callable[[str], str]) -> str:
        """The text on one line, safe to print, its query words passed through `mark`."""
        parts, last = [], 0
        for start, end in self.spans(text):
            parts += [shown(text[last:start]), mark(shown(text[start:end]))]
            last = end
        return "".join(parts) + shown(text[last:])


class _Row(NamedTuple):
    """A part of a line of the text that fits the screen: `text[start:end]`, indented."""

    line: int
    indent: str
    text: str
    start: int
    end: int

    def __str__(self) -> str:
        return self.indent + self.text[self.start : self.end].rstrip()


class Snippet:
    """The rows of a chunk, below the headings shown with the hit, and those that answer best."""

    def __init__(
        self,
        text: str,
        heading: str,
        *,
        highlighter: Highlighter,
        columns: int | None,
        nearest: Nearest | None = None,
    ) -> None:
        """`columns` is the width of the rows; None: a line of the text is one line. `nearest`
        chooses the sentence to show where no word of the query is found.
        """
        self._is_wrapped = columns is not None
        self._lines = [line.expandtabs(4).rstrip() for line in _body(text, heading)]
        self._rows = [
            row
            for number, line in enumerate(self._lines)
            for row in _rows(number, line, columns or USUAL_COLUMNS)
        ]
        self._known = [highlighter.words(str(row)) for row in self._rows]
        if nearest is not None and not any(self._known):
            self._know_nearest(nearest)

    def __len__(self) -> int:
        """The number of rows."""
        return len(self._rows)

    def lines(self, most: int = LINES) -> list[str]:
        """Up to `most` rows that hold most of the query; a row of a table comes with its header."""
        best = _best_start(self._known, most)
        header = self._header(best) if most > 1 else None
        if header is not None:
            best = _best_start(self._known, most - 1)
            header = self._header(best)
        chosen = self._rows[best : best + most - (header is not None)]
        return _dedented(self._shown([*([header] if header else []), *chosen]))

    def _know_nearest(self, nearest: Nearest) -> None:
        """Take the row in which the nearest sentence begins as the one with a word."""
        places = [
            (number, found)
            for number, line in enumerate(self._lines)
            for found in _SENTENCE.finditer(line.strip())
        ]
        if len(places) < 2:
            return
        line, found = places[nearest([found[0] for _, found in places])]
        for row, known in zip(self._rows, self._known, strict=True):
            if row.line == line and row.start <= found.start() < row.end:
                known.add("")

    def _header(self, at: int) -> _Row | None:
        """The header of the table that a row is in, unless the row is part of it."""
        line = top = self._rows[at].line if self._rows else 0
        while top > 0 and self._lines[top - 1].lstrip().startswith(_TABLE):
            top -= 1
        is_table = line > top and _RULE.fullmatch(self._lines[top + 1])
        if not is_table or not self._lines[line].lstrip().startswith(_TABLE):
            return None
        return next(row for row in self._rows if row.line == top)

    def _shown(self, rows: Sequence[_Row]) -> list[str]:
        if self._is_wrapped:
            return list(map(str, rows))
        joined: list[_Row] = []
        for row in rows:
            if joined and joined[-1].line == row.line:
                joined[-1] = joined[-1]._replace(end=row.end)
            else:
                joined.append(row)
        return list(map(str, joined))


def _best_start(known: Sequence[set[str]], most: int) -> int:
    """The start of the `most` rows with the most distinct words; the first of equals.

    Ties: rows with words on more rows, then rows with a word in the middle.
    """

    def worth(start: int) -> tuple[int, int, bool]:
        rows = known[start : start + most]
        return len(set().union(*rows)), sum(map(bool, rows)), bool(rows[len(rows) // 2])

    return max(range(max(1, len(known) - most + 1)), key=worth) if known else 0


def wrapped(line: str, columns: int) -> list[str]:
    """A line as rows of at most `columns`, split at spaces if possible; none if blank.

    Every row is indented like the line, if half of the columns allow it.
    """
    return list(map(str, _rows(0, line, columns)))


def _rows(number: int, line: str, columns: int) -> Iterator[_Row]:
    text = line.strip()
    indent = " " * max(0, min(len(line) - len(line.lstrip()), columns // 2, columns - 2))
    room, start = columns - len(indent), 0
    while width(text[start:]) > room:
        end = start + _fitting(text[start:], room)
        space = text.rfind(" ", start + 1, end + 1)
        cut = space if space > start else end
        yield _Row(number, indent, text, start, cut)
        start = len(text) - len(text[cut:].lstrip())
    if text[start:]:
        yield _Row(number, indent, text, start, len(text))


def _fitting(line: str, columns: int) -> int:
    """The number of characters of the line that fit, at least one."""
    if line[: columns + 1].isascii():
        return columns
    ends = accumulate(map(width, line))
    return max(1, sum(1 for _ in takewhile(lambda end: end <= columns, ends)))


def _body(text: str, heading: str) -> list[str]:
    """The lines below the headings at the top, or all if there are no others."""
    lines = text.splitlines()
    known = set(map(_bare, heading.split(" > ")))
    for number, line in enumerate(lines):
        if line.strip() and _bare(line) not in known:
            return lines[number:]
    return lines


def _bare(heading: str) -> str:
    return _MARKUP.sub("", heading).strip()


def _dedented(rows: list[str]) -> list[str]:
    margin = min((len(row) - len(row.lstrip()) for row in rows), default=0)
    return [row[margin:] for row in rows]
