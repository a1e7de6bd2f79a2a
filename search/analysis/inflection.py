"""Stems for languages in Latin script whose endings the index's stemmer does not know.

The index stems English. A chunk in another language keeps its words unchanged, so that phrases,
prefixes and names keep their meaning, and also gets the beginnings of its longer words, each with a
mark that occurs in no text. A query asks for both. Chunks in English and code have no marked words,
so nothing changes for them.

Measured in docs/decisions/0011-languages.md.
"""

from collections.abc import Iterator

from contracts.lazy_regex import deferred
from search.analysis.function_words import ENGLISH, ENGLISH_ONLY, FOREIGN
from search.analysis.letter_folding import fold_letters

STEM_LETTERS = 5
"""The leading letters that identify a word's inflected forms in the index."""

STEM_MARK = "\ue000"
"""A private-use character that the tokenizer treats as a letter and no stemmer changes."""

_FEWEST, _SHARE, _BEGINNING = 3, 0.08, 400
_ACCENTED = deferred("[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff]")
_WORD = deferred(r"\w+")
# How umlauts and similar letters are typed without their keys: München and Muenchen.
_SPELLED = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"}
    | {"Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "Å": "Aa", "Ø": "Oe"}
)
_DIGRAPHS = ("ae", "oe", "ue", "aa")
_DIGRAPH = deferred(r"(?i)([ao])e|(?<![qQ])(u)e|(a)a")


def is_inflected(text: str) -> bool:
    """Return whether function words of other languages and accented words outnumber English ones.

    At least three different ones and one word in twelve: names of places and code have some too. A
    text whose beginning is plain ASCII letters is not examined further, which is nearly all of
    English and code.
    """
    if text.isascii() and FOREIGN.isdisjoint(text[:_BEGINNING].split()):
        return False
    words = text.split()
    foreign = [word for word in words if word in FOREIGN or _is_accented(word)]
    if len(set(foreign)) < _FEWEST or len(foreign) < _SHARE * len(words):
        return False
    return len(foreign) > sum(word in ENGLISH for word in words)


def may_be_inflected(query: str) -> bool:
    """Return whether a query may be in another language than English, by its short words."""
    words = query.lower().split()
    return sum(word in FOREIGN for word in words) >= sum(word in ENGLISH_ONLY for word in words)


def stems(text: str) -> Iterator[str]:
    """The marked beginning of every long enough word of a normalised and folded text."""
    return (_marked(word) for word in _WORD.findall(text) if _has_stem(word))


def query_stems(word: str) -> list[str]:
    """The marked beginnings by which one query word finds its inflected forms.

    More than one if an umlaut may be spelled with two letters, in the query or in the text.
    """
    folded = fold_letters(word)
    spellings = [folded]
    if any(pair in folded.lower() for pair in _DIGRAPHS):
        spellings.append(_DIGRAPH.sub(r"\1\2\3", folded))
    if not word.isascii():
        spellings.append(fold_letters(word.translate(_SPELLED)))
    return list(dict.fromkeys(_marked(word) for word in spellings if _has_stem(word)))


def _is_accented(word: str) -> bool:
    return not word.isascii() and _ACCENTED.search(word) is not None


def _has_stem(word: str) -> bool:
    """Return whether a word consists of Latin letters; camel-case names have no endings."""
    return (
        len(word) >= STEM_LETTERS
        and word.isalpha()
        and ("A" <= word[0] < "\u0250" or "\u1e00" <= word[0] <= "\u1eff")
        and (word[1:].islower() or word.isupper())
    )


def _marked(word: str) -> str:
    return word[:STEM_LETTERS] + STEM_MARK
