"""The input and output of every loader, whatever the format."""

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Literal, TypeAlias

from contracts.named_tuple import NamedTuple
from ingest.loaders.notes.values import NoteProperties
from ingest.values import LoadLimits, SkippedFile

Kind: TypeAlias = Literal[
    "markdown",
    "code",
    "text",
    "table",
    "data",
    "subtitles",
    "rst",
    "latex",
    "org",
    "asciidoc",
]
"""The structure by which a text is cut: headings as Markdown, definitions, paragraphs, rows, keys,
cues; headings of the other markup languages.
"""


class Place(NamedTuple):
    """The start of a place in a text: from `start_char` on it is `label` ("page 3", "slide 2",
    "sheet Prices").
    """

    start_char: int
    label: str


class SourceLines(NamedTuple):
    """A part of a converted text: from `start_char` on it is from these lines of the file.

    Lines count from 1, both ends included; of a workbook they are rows of a sheet. Zeros stand for
    a text from no known line.
    """

    start_char: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class LoadedText:
    """The text of one file.

    For a text file it is the text itself: its line endings stay; it has no byte order mark and no
    lone surrogate. For any other format it is what people read in it, with its structure written as
    Markdown. `encoding` is the one the bytes were decoded from, by Python's name, `utf-8` if that
    has no meaning. `language` is the programming language of code, or the format of a line-based
    text (`csv`, `log`), else None. `places` rise and do not repeat a `start_char`; a citation names
    them. `note` is what a Markdown note says about itself. `lines` are those of the file that a
    converted text is from, if it has lines, or the rows of a `table`; they rise by `start_char`.
    """

    text: str
    kind: Kind
    encoding: str
    language: str | None = None
    places: tuple[Place, ...] = ()
    note: NoteProperties | None = None
    lines: tuple[SourceLines, ...] = ()


Loader: TypeAlias = Callable[[bytes, str], LoadedText | SkippedFile]
"""Reads the bytes of one file; the second argument is its name, for messages and for its format."""

TEXT_LIMIT: ContextVar[int] = ContextVar("TEXT_LIMIT", default=LoadLimits().text_bytes)
"""The most bytes of text, in UTF-8, of the file being loaded.

Loaders that unpack or add up parts stop there (`reading.too_much_text`); a part loaded by another
loader has the same limit.
"""
