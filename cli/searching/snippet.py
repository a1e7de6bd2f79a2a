"""Choose the few lines of a hit that answer best, and mark the query's words in them."""

from collections.abc import Callable, Sequence
from itertools import accumulate, takewhile

from cli.output import shown, width
from search.highlighting import WordFinder
from search.lazy_regex import deferred

LINES = 3
"""The most lines of a snippet."""

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


def snippet(text: str, heading: str, *, highlighter: Highlighter, columns: int) -> list[str]:
    """The LINES lines of a chunk that hold most of the query, wrapped to `columns`.

    The headings shown with the hit are left out.
    """
    rows = [
        row
        for line in _body(text.splitlines(), heading.split(" > "))
        for row in wrapped(line.expandtabs(4).rstrip(), columns)
    ]
    best = _best_start([highlighter.words(row) for row in rows])
    return _dedented(rows[best : best + LINES])


def _best_start(known: Sequence[set[str]]) -> int:
    """The start of the LINES rows with the most distinct words; the first of equals.

    Ties: rows with words on more rows, then rows with a word in the middle.
    """

    def worth(start: int) -> tuple[int, int, bool]:
        rows = known[start : start + LINES]
        return len(set().union(*rows)), sum(map(bool, rows)), bool(rows[len(rows) // 2])

    return max(range(max(1, len(known) - LINES + 1)), key=worth) if known else 0


def wrapped(line: str, columns: int) -> list[str]:
    """A line as rows of at most `columns`, split at spaces if possible; none if blank.

    Every row is indented like the line, if half of the columns allow it.
    """
    text = line.strip()
    indent = " " * max(0, min(len(line) - len(line.lstrip()), columns // 2, columns - 2))
    room = columns - len(indent)
    rows = []
    while width(text) > room:
        end = _fitting(text, room)
        space = text.rfind(" ", 1, end + 1)
        cut = space if space > 0 else end
        rows.append(indent + text[:cut].rstrip())
        text = text[cut:].lstrip()
    return [*rows, indent + text] if text else rows


def _fitting(line: str, columns: int) -> int:
    """The number of characters of the line that fit, at least one."""
    if line[: columns + 1].isascii():
        return columns
    ends = accumulate(map(width, line))
    return max(1, sum(1 for _ in takewhile(lambda end: end <= columns, ends)))


def _body(lines: Sequence[str], headings: Sequence[str]) -> list[str]:
    """The lines below the headings at the top, or all if there are no others."""
    known = set(map(_bare, headings))
    for number, line in enumerate(lines):
        if line.strip() and _bare(line) not in known:
            return list(lines[number:])
    return list(lines)


def _bare(heading: str) -> str:
    return _MARKUP.sub("", heading).strip()


def _dedented(rows: list[str]) -> list[str]:
    margin = min((len(row) - len(row.lstrip()) for row in rows), default=0)
    return [row[margin:] for row in rows]
