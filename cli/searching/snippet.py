"""Choose the few lines of a hit that answer best, and mark the query's words in them."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, takewhile

from cli.output import shown, width
from search import STEM_LETTERS, QueryAnalysis, fold_letters
from search.lazy_regex import deferred

LINES = 3
"""The most lines of a snippet."""

_ENDINGS = deferred(
    r"(?:s|es|ed|e|er|ers|ing|ings|ion|ions|ation|ations|ly|ments?|able|al|y|ies|ied)?"
)
_CUT = deferred(r"(?<=\w{3})(?:ations?|ions?|ings?|ies|ied|ments?|es|ed|ers?|ly|s|e|y)$")
_TOKEN = deferred(r"[^\W_]+(?:[\u0300-\u036f]+[^\W_]*)*")
# Scripts without spaces between words; the index holds pairs of their characters.
_UNSPACED = deferred(
    "[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u9fff\ua960-\ua97f"
    "\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003fffd]+"
)
_MARKUP = deferred("[#`*_]+")
_NOT_LATIN_FROM = "\u0370"
_LETTERS_KEPT = 6
"""Letters kept of a word outside Latin script, as in the index."""


class Highlighter:
    """Finds the words of a query in a text, including inflected forms.

    It is an illustration, simpler than the index: it shows why a hit was found, and decides
    nothing. In a text of another language than English, `inflected`, words match when the index
    gives them the same stem.
    """

    def __init__(self, query: QueryAnalysis, *, inflected: bool = False) -> None:
        self._beginning_alike = set(map(_stem_key, query.keyword.stems)) if inflected else set()
        self._stems: set[str] = set()
        self._pairs: set[str] = set()
        self._beginnings = tuple(map(_folded, query.prefixes))
        for word in query.words:
            if not word.isascii():
                self._pairs.update(pair for run in _UNSPACED.findall(word) for pair in _pairs(run))
                word = _UNSPACED.sub(" ", word)
            self._stems.update(map(_stem, _TOKEN.findall(word)))

    def spans(self, text: str) -> list[tuple[int, int]]:
        """The positions of the query's words, from left to right, without overlaps."""
        found = [found.span() for found in _TOKEN.finditer(text) if self._knows(found[0])]
        for pair in self._pairs:
            found.extend(match.span() for match in re.finditer(re.escape(pair), text))
        return _merged(found)

    def words(self, text: str) -> set[str]:
        """The distinct query words found in a text, folded."""
        return {_stem(text[start:end]) for start, end in self.spans(text)}

    def marked(self, text: str, mark: Callable[[str], str]) -> str:
        """The text on one line, safe to print, its query words passed through `mark`."""
        parts, last = [], 0
        for start, end in self.spans(text):
            parts += [shown(text[last:start]), mark(shown(text[start:end]))]
            last = end
        return "".join(parts) + shown(text[last:])

    def _knows(self, token: str) -> bool:
        folded = _folded(token)
        if self._beginnings and folded.startswith(self._beginnings):
            return True
        if _stem(token) in self._stems:
            return True
        if self._beginning_alike and folded[:STEM_LETTERS] in self._beginning_alike:
            return True
        return any(
            folded.startswith(stem) and _ENDINGS.fullmatch(folded, len(stem))
            for stem in self._stems
        )


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


def _merged(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _pairs(run: str) -> list[str]:
    return [run] if len(run) == 1 else [run[at : at + 2] for at in range(len(run) - 1)]


def _folded(word: str) -> str:
    if word.isascii():
        return word.lower()
    parts = unicodedata.normalize("NFKD", fold_letters(word.casefold()))
    return "".join(part for part in parts if not unicodedata.combining(part))


def _stem_key(stem: str) -> str:
    return _folded(stem[:STEM_LETTERS])


def _stem(word: str) -> str:
    folded = _folded(word)
    if folded >= _NOT_LATIN_FROM:
        return folded[:_LETTERS_KEPT]
    return _CUT.sub("", folded)
