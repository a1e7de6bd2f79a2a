"""The words that a topic may mean: what it begins, or spells a little otherwise.

Asked only when no record answers a topic as it is, so the words of the records are read then.
"""

import re
from collections.abc import Collection, Sequence
from difflib import get_close_matches
from typing import Final

from memory.storage import Database
from search.analysis.stopwords import STOP_WORDS

_TEXTS_SQL: Final = "SELECT heading, text FROM chunks WHERE source IN (:sources) LIMIT :most"
_MOST_TEXTS: Final = 20_000
"""Texts that are read, in less than a tenth of a second; more would keep a request waiting."""

_WORD: Final = re.compile(r"[^\W_]+")
_LEAST_LETTERS: Final = 4
_MOST_DIFFERENCE: Final = 2
"""Letters too many or too few."""

_MOST_WORDS: Final = 3
"""Words of records for one of the topic."""

_LEAST_RATIO: Final = 0.75
"""The share of letters in common: "cofee" and "coffee" have .91, "saxofone" and "saxophone" .82."""


def respelled(database: Database, topic: str, sources: Sequence[str]) -> str | None:
    """Return a topic with words of these records in place of those that no record has; None where
    all are there, or one of them that tells something is near to no word of a record.
    """
    words = set[str]()
    for texts in database.read(_TEXTS_SQL, {"sources": list(sources), "most": _MOST_TEXTS}):
        words.update(found for text in texts for found in _WORD.findall(text.casefold()))
    asked = _WORD.findall(topic.casefold())
    nearest = [
        [word] if word in words or word in STOP_WORDS else near_words(word, words) for word in asked
    ]
    meant = [word for found in nearest for word in found]
    return " ".join(meant) if all(nearest) and meant != asked else None


def near_words(word: str, words: Collection[str]) -> list[str]:
    """Return the words that a word begins, the shortest first, else those of nearly its letters,
    the first of which is the same.
    """
    if len(word) < _LEAST_LETTERS:
        return []
    begun = sorted((one for one in words if one.startswith(word)), key=lambda one: (len(one), one))
    if begun:
        return begun[:_MOST_WORDS]
    alike = sorted(
        one for one in words if one[0] == word[0] and abs(len(one) - len(word)) <= _MOST_DIFFERENCE
    )
    return get_close_matches(word, alike, _MOST_WORDS, _LEAST_RATIO)
