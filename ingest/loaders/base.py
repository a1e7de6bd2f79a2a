"""What every loader takes and returns, whatever the format it reads."""

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

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
"""By which structure a text is cut: headings as Markdown, definitions, paragraphs, rows, keys,
cues; headings as the other languages of markup have them."""


class Place(NamedTuple):
    """From `start_char` on the text is of `label` ("page 3", "slide 2", "sheet Prices")."""

    start_char: int
    label: str


@dataclass(frozen=True, slots=True)
class LoadedText:
    """The text of one file.

    Of a text file it is the text itself: its line endings stay; a byte order mark is not part of
    it, and no lone surrogate is. Of any other format it is what people read in it, with its
    structure written as Markdown. `encoding` is the one the bytes were decoded from, by Python's
    name, `utf-8` where that has no meaning. `language` is the programming language of code, or the
    format of a text that is read by lines (`csv`, `log`), else None. `places` rise and do not
    repeat a `start_char`; a citation names them.
    """

    text: str
    kind: Kind
    encoding: str
    language: str | None = None
    places: tuple[Place, ...] = ()


Loader: TypeAlias = Callable[[bytes, str], LoadedText | SkippedFile]
"""Reads the bytes of one file; the second argument is its name, for messages and for its format."""

TEXT_LIMIT: ContextVar[int] = ContextVar("TEXT_LIMIT", default=LoadLimits().text_bytes)
"""How many bytes of text, in UTF-8, the file being loaded may give.

Whatever unpacks or adds up parts stops there (`reading.too_much_text`); a part loaded by another
loader has the same limit.
"""
