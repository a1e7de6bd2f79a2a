"""Find the words of a query in a text, to show why it was found."""

import re
import unicodedata
from collections.abc import Iterable

from contracts.lazy_regex import deferred
from search.analysis.inflection import STEM_LETTERS
from search.analysis.letter_folding import fold_letters
from search.analysis.query import QueryAnalysis

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
_NOT_LATIN_FROM = "\u0370"
_LETTERS_KEPT = 6
"""Letters kept of a word outside Latin script, as in the index."""


class WordFinder:
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
        self._any_stem = tuple(self._stems)
        self._known: dict[str, bool] = {}
        """True for each word met so far that is one of the query's: texts repeat their words."""

    def spans(self, text: str) -> list[tuple[int, int]]:
        """The positions of the query's words, from left to right, without overlaps."""
        found = [found.span() for found in _TOKEN.finditer(text) if self._is_known(found[0])]
        for pair in self._pairs:
            found.extend(match.span() for match in re.finditer(re.escape(pair), text))
        return _merged(found)

    def words(self, text: str) -> set[str]:
        """The distinct query words found in a text, folded."""
        return {_stem(text[start:end]) for start, end in self.spans(text)}

    def _is_known(self, token: str) -> bool:
        known = self._known.get(token)
        if known is None:
            known = self._known[token] = self._knows(token)
        return known

    def _knows(self, token: str) -> bool:
        folded = _folded(token)
        if self._beginnings and folded.startswith(self._beginnings):
            return True
        if _stem(token) in self._stems:
            return True
        if self._beginning_alike and folded[:STEM_LETTERS] in self._beginning_alike:
            return True
        return folded.startswith(self._any_stem) and any(
            folded.startswith(stem) and _ENDINGS.fullmatch(folded, len(stem))
            for stem in self._stems
        )


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
