"""Decide whether a text repeats another: what may differ between near-identical texts, and how
much.

Copies differ in what nobody asks about: line breaks, a word, the year and the holder in a copyright
notice. Other texts differ as little and mean something else: two contracts in an amount, two log
lines in a name. So only a few plain lower-case words may differ.
"""

import re
from collections.abc import Iterable
from functools import cached_property

from contracts.lazy_regex import deferred
from contracts.named_tuple import NamedTuple
from search.analysis.stopwords import STOP_WORDS

SHINGLE = 3
"""Consecutive words that are compared as one."""

RESEMBLANCE = 0.9
"""The least share of common shingles; one word changed in 54 is below it."""

MOST_SIGNS, FEWEST_IN_LINE = 0.1, 4
"""A text in which more words have signs, as in code, tables and values, or whose lines have fewer
words on average, is not prose: there every word counts.
"""

_EDGES = ".,;!?…\"'“”‘’„«»()[]{}*`"
_DASHES = "-–—•·"
# The text after such a sign belongs to it: `logging: on`, `level = debug`, `| yes`.
_VALUE = deferred(r"([:=|<>])[ \t]+")
_SIGN = deferred(r"[=<>|{}\[\]_+*/\\@#$%^&~:]")
_MARK = deferred(r"opyright|OPYRIGHT|©|\([cC]\)")
# From its mark to the end of the line, or of the sentence if it continues: not at "J. Doe".
_NOTICE = deferred(
    r"(?:\bcopyright\s+(?=\d{4})|\bcopyright\s*(?:\(c\)|©)|©|\(c\)\s*(?=\d{4}))"
    r"(?:[^\n]{0,100}?(?:\n|\Z|(?<=\w\w)\.\s)|[^\n]{100})(?:\s*all rights reserved\b)?",
    re.IGNORECASE,
)
_TURNS = """
    after all any before below above can cannot except may must neither never no none nor not off on
    only over shall should some under unless until without
"""
_TURNING = frozenset(_TURNS.split())
"""Small words that reverse the meaning of a sentence."""


class Fingerprint:
    """The parts of a text that are compared.

    `fixed` are, in order, the words that must be equal: numbers, names and identifiers (all but
    plain lower-case letters), the query's words, and words that reverse the meaning. `words` are
    all; both exclude copyright notices and the names in them.
    """

    def __init__(self, fixed: tuple[str, ...], words: tuple[str, ...]) -> None:
        self.fixed = fixed
        self.words = words

    def resembles(self, other: "Fingerprint") -> bool:
        """Return whether the texts are near-identical."""
        if self.fixed != other.fixed:
            return False
        if self.words == other.words:
            return True
        common = len(self.shingles & other.shingles)
        return common >= RESEMBLANCE * len(self.shingles | other.shingles)

    @cached_property
    def shingles(self) -> frozenset[tuple[str, ...]]:
        """Every run of SHINGLE words; those at either end count as often as others.

        The share that two texts have in common is their resemblance (Broder, On the resemblance and
        containment of documents, 1997).
        """
        edge = ("",) * (SHINGLE - 1)
        words = (*edge, *self.words, *edge)
        return frozenset(zip(*(words[start:] for start in range(SHINGLE)), strict=False))


class Fingerprinter:
    """The maker of fingerprints for one query. `asked` are the `beginnings` of its words."""

    def __init__(self, asked: tuple[str, ...]) -> None:
        self._kinds = _Kinds(asked)

    def __call__(self, text: str) -> Fingerprint:
        notices: list[_Word] = []
        if _MARK.search(text):
            notices = [word for notice in _NOTICE.findall(text) for word in self._words(notice)]
            text = _NOTICE.sub("\n", text)
        holders = {word.fixed for word in notices if word.low.isalpha()} - {""}
        found = [word for word in self._words(text) if word.fixed not in holders]
        fixed = [word.fixed for word in found if word.fixed]
        words = tuple([word.low for word in found])
        signs = sum([word.is_signed for word in found])
        if signs > MOST_SIGNS * len(words) or len(words) < FEWEST_IN_LINE * text.count("\n"):
            fixed = list(words)
        asked = [word.low for word in notices if word.is_asked]
        return Fingerprint((*asked, *fixed), words)

    def _words(self, text: str) -> list["_Word"]:
        found = map(self._kinds.__getitem__, _VALUE.sub(r"\1", text).split())
        return [word for word in found if word.low]


class _Word(NamedTuple):
    """A word in lower case; `fixed` is the same if copies must have it too, else empty."""

    low: str
    fixed: str
    is_asked: bool
    is_signed: bool


class _Kinds(dict[str, _Word]):
    """The kind of each run of characters between blanks, decided at its first occurrence."""

    def __init__(self, asked: tuple[str, ...]) -> None:
        super().__init__()
        self._asked = asked

    def __missing__(self, run: str) -> _Word:
        word = run.strip(_EDGES if run.strip(_DASHES) else _DASHES)
        low = word.lower()
        is_asked = low.startswith(self._asked)
        is_plain = (word == low and word.isalpha()) or low in STOP_WORDS
        is_free = is_plain and not is_asked and low not in _TURNING
        is_signed = _SIGN.search(run) is not None
        self[run] = _Word(low, "" if is_free else low, is_asked, is_signed)
        return self[run]


def beginnings(words: Iterable[str]) -> tuple[str, ...]:
    """The words in lower case, without endings that other forms of the word may lack."""
    return tuple({word.lower()[: max(4, len(word) - 2)] for word in words})
