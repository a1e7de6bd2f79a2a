"""The text of a PDF page as lines: cleaned, with titles found and hyphenated words joined."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Final

from contracts.named_tuple import NamedTuple

_HYPHEN: Final = "\x02"
"""PDFium's sign for a hyphen at a line end; it then leaves the line break out."""

# Signs without a letter in the font appear as control characters.
_CLEANED: Final = {
    **{code: " " for code in (*range(32), 0x7F) if chr(code) not in f"\n\t{_HYPHEN}"},
    0xFFFE: _HYPHEN,
    0xFFFF: "",
    0xFB00: "ff",
    0xFB01: "fi",
    0xFB02: "fl",
    0xFB03: "ffi",
    0xFB04: "ffl",
    0xFB05: "st",
    0xFB06: "st",
}
_UNCLEAN: Final = re.compile(f"[{''.join(map(re.escape, map(chr, _CLEANED)))}]")
_TRAILING: Final = re.compile(r"[^\S\n]+$", re.MULTILINE)
_BROKEN: Final = re.compile(rf"(\w+){_HYPHEN}(\w+)")
_WORD: Final = re.compile(r"\w+(?:-\w+)*")
_NO_LETTERS: Final = re.compile(r"[^\w\n]+|_+")
_LONGEST_NUMBER: Final = 12
_ROMAN: Final = frozenset("ivxlc")
_LINES_COMPARED: Final = 3


class Heading(NamedTuple):
    """`lines[first:end]` are the title; empty if it is not on the page."""

    first: int
    end: int
    title: str
    level: int


def clean_page(text: str) -> str:
    """The text of a page without control characters and ligatures; hyphenated words stay marked."""
    text = text.replace("\r\n", "\n")
    if _UNCLEAN.search(text):  # most pages need nothing
        text = text.translate(_CLEANED)
    return _TRAILING.sub("", text)


class Lines:
    """The lines of a page, in which titles are found regardless of spaces, signs and case."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = list(lines)
        letters = _letters("\n".join(lines)).split("\n")
        self._text = "".join(letters)
        self._starts = [0, *accumulate(map(len, letters))]
        """The start of each line in the text of letters; its end comes last."""

    def titled(self, title: str, *, after: int) -> list[tuple[int, int]]:
        """The first line and the one after the last of each place, from a line on, where a title
        has whole lines for itself and perhaps its number.
        """
        wanted = _letters(title)
        return list(self._places(wanted, self._starts[after])) if wanted else []

    def _places(self, wanted: str, at: int) -> Iterator[tuple[int, int]]:
        while (at := self._text.find(wanted, at)) >= 0:
            first, last = self._line_at(at), self._line_at(at + len(wanted) - 1)
            before = self._text[self._starts[first] : at]
            ends_line = at + len(wanted) == self._starts[last + 1]
            if ends_line and _is_number(before, self._lines[first]):
                yield first, last + 1
            at += 1

    def first_of(self, below: Sequence[str], *, after: int) -> int:
        """The first line, from a line on, of those below some height."""
        wanted = list(below[:_LINES_COMPARED])
        for index in range(after, len(self._lines)):
            if self._lines[index : index + len(wanted)] == wanted:
                return index
        return after

    def _line_at(self, at: int) -> int:
        # Of lines without a letter, which start at the same place, the last is meant.
        return bisect_right(self._starts, at, hi=len(self._lines)) - 1


class Hyphens:
    """Tells a hyphen that breaks a word from one that is part of it, by the rest of the text."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._words: set[str] = set()
        whole = [text.casefold() for text in texts]
        if any(_HYPHEN in text for text in whole):
            for text in whole:
                self._words.update(_WORD.findall(text))

    def resolved(self, text: str) -> str:
        """The text without the marks of broken words."""
        if _HYPHEN not in text:
            return text
        return _BROKEN.sub(self._resolve, text).replace(_HYPHEN, "-")

    def _resolve(self, found: re.Match[str]) -> str:
        one, other = found.groups()
        joined, linked = f"{one}{other}", f"{one}-{other}"
        if joined.casefold() in self._words:
            return joined
        is_linked = linked.casefold() in self._words or not other[0].islower()
        return linked if is_linked or one[-1].isdigit() else joined


def _letters(text: str) -> str:
    """The letters and digits of each line alone, in one spelling."""
    return _NO_LETTERS.sub("", unicodedata.normalize("NFKC", text).casefold())


def _is_number(letters: str, line: str) -> bool:
    """Return whether these, with which a line begins before a title, may be its number: `2.1`,
    `IV`, `Chapter 4`. It ends where a word does.
    """
    if not letters or letters.isdigit():
        return True
    if len(letters) > _LONGEST_NUMBER:
        return False
    words = accumulate(map(_letters, line.split()))
    is_number = len(letters) < 2 or any(map(str.isdigit, letters)) or not set(letters) - _ROMAN
    return is_number and letters in words
