"""Colours of source code, as spans of its lines, by the lexer of the file's name."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from contracts.named_tuple import NamedTuple

if TYPE_CHECKING:
    from pygments.lexer import Lexer

MOST_CHARS: Final = 400_000
"""The most characters that are coloured; a longer file is shown plain."""

_PLAIN: Final = frozenset({"Text only", "Markdown", "reStructuredText"})


class Span(NamedTuple):
    """Characters of a line, from `start` up to `end`, with a class of the style sheet."""

    start: int
    end: int
    style: str


def coloured_lines(path: str | None, text: str) -> Sequence[Sequence[Span]]:
    """Return the spans of every line of a source file; none for other texts."""
    lexer = _lexer(path) if path is not None and len(text) <= MOST_CHARS else None
    if lexer is None:
        return [()] * (text.count("\n") + 1)
    lines: list[list[Span]] = [[]]
    at = 0
    for kind, value in lexer.get_tokens(text):
        style = _style(str(kind))
        for number, part in enumerate(value.split("\n")):
            if number:
                lines.append([])
                at = 0
            if style and part:
                lines[-1].append(Span(at, at + len(part), style))
            at += len(part)
    return lines


def _lexer(path: str) -> "Lexer | None":
    from pygments.lexers import get_lexer_for_filename  # a page of code pays for it
    from pygments.util import ClassNotFound

    try:
        lexer = get_lexer_for_filename(path, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None
    return None if lexer.name in _PLAIN else lexer


def _style(kind: str) -> str:
    """Return the class for a kind of token, such as `Token.Literal.String.Doc`."""
    _, _, name = kind.partition(".")
    for beginning, style in (
        ("Comment", "c"),
        ("Literal.String", "s"),
        ("Literal.Number", "m"),
        ("Keyword", "k"),
        ("Name.Function", "f"),
        ("Name.Class", "f"),
        ("Name.Decorator", "f"),
    ):
        if name.startswith(beginning):
            return style
    return ""
