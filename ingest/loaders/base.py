"""What every loader returns, whatever the format it reads."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ingest.values import SkippedFile

Kind: TypeAlias = Literal["markdown", "code", "text"]
"""By which structure a text is cut: headings, definitions, or paragraphs."""


@dataclass(frozen=True, slots=True)
class LoadedText:
    """The text of one file.

    Line endings are those of the file; a byte order mark is not part of the text, and no lone
    surrogate is. `encoding` is the one the bytes were decoded from, by Python's name. `language` is
    the programming language of code, or the format of a text that is read by lines (`csv`, `log`),
    else None.
    """

    text: str
    kind: Kind
    encoding: str
    language: str | None = None


Loader: TypeAlias = Callable[[bytes, str], LoadedText | SkippedFile]
"""Reads the bytes of one file; the second argument is its name, for messages and for its format."""
