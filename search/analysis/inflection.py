"""Text in the languages of Latin script whose endings the stemmer of the index does not know.

The index stems English. A chunk in another language keeps its words as they are, so that phrases,
word beginnings and names mean what they mean everywhere, and is given the beginnings of its longer
words besides, each with a mark that no word of a text has. A query asks for both. Chunks in English
and code hold no marked word, so for them nothing changes.

Measured in docs/decisions/0011-languages.md.
"""

from collections.abc import Iterator

from search.analysis.function_words import ENGLISH, ENGLISH_ONLY, FOREIGN
from search.analysis.letter_folding import fold_letters
from search.lazy_regex import deferred

STEM_LETTERS = 5
"""Letters of a word that its forms share, as far as the index is concerned."""

STEM_MARK = "\ue000"
"""A private character, which the tokenizer takes for a letter and no stemmer touches."""

_FEWEST, _SHARE, _BEGINNING = 3, 0.08, 400
_ACCENTED = deferred("[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff]")
_WORD = deferred(r"\w+")
# How umlauts and their like are spelled where the keyboard has none: München and Muenchen.
_SPELLED = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"}
    | {"Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "Å": "Aa", "Ø": "Oe"}
)
_DIGRAPHS = ("ae", "oe", "ue", "aa")
_DIGRAPH = deferred(r"(?i)([ao])e|(?<![qQ])(u)e|(a)a")


def is_inflected(text: str) -> bool:
    """Whether function words of other languages and words with accents outnumber English ones.

    At least three different ones, and one word in twelve: names of places and code have some too.
    Plain letters whose beginning has none are looked at no further, which is nearly all of English
    and code.
    """
    if text.isascii() and FOREIGN.isdisjoint(text[:_BEGINNING].split()):
        return False
    words = text.split()
    foreign = [word for word in words if word in FOREIGN or _is_accented(word)]
    if len(set(foreign)) < _FEWEST or len(foreign) < _SHARE * len(words):
        return False
    return len(foreign) > sum(word in ENGLISH for word in words)


def may_be_inflected(query: str) -> bool:
    """Whether a query may ask in another language than English: unless its short words deny it."""
    words = query.lower().split()
    return sum(word in FOREIGN for word in words) >= sum(word in ENGLISH_ONLY for word in words)


def stems(text: str) -> Iterator[str]:
    """The marked beginning of every long enough word of an evened-out and folded text."""
    return (_marked(word) for word in _WORD.findall(text) if _has_stem(word))


def query_stems(word: str) -> list[str]:
    """The marked beginnings by which one word of a query finds its other forms.

    More than one where an umlaut may be spelled with two letters, in the query or in the text.
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
    """Words of Latin letters alone; names in camel case have no endings."""
    return (
        len(word) >= STEM_LETTERS
        and word.isalpha()
        and ("A" <= word[0] < "\u0250" or "\u1e00" <= word[0] <= "\u1eff")
        and (word[1:].islower() or word.isupper())
    )


def _marked(word: str) -> str:
    return word[:STEM_LETTERS] + STEM_MARK
