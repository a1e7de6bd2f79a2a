"""From plain text to lists of words, and from those to patterns."""

import re
from collections.abc import Iterable
from itertools import product


def lines_of(text: str) -> frozenset[str]:
    """Return the phrases of a text, which are apart by commas; a phrase may go on in the next line."""
    phrases = (" ".join(phrase.split()) for phrase in text.split(","))
    return frozenset(filter(None, phrases))


def not_after(words: Iterable[str]) -> str:
    """Return an expression for a place that is behind none of these words."""
    return "".join(rf"(?<!\b{re.escape(word)})" for word in sorted(words))


def any_of(words: Iterable[str]) -> str:
    """Return a pattern of these words, the longest first."""
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True)).replace("\\ ", " ")


def spelt_out(text: str) -> frozenset[str]:
    """Return the phrases of a text in which `<a/b>` is one of these, and `[a/b]` one or none."""
    phrases = (
        re.split(r"[<>]", one.replace("[", "</").replace("]", ">")) for one in lines_of(text)
    )
    chosen = (product(*(part.split("/") for part in parts)) for parts in phrases)
    return frozenset(" ".join("".join(one).split()) for every in chosen for one in every)


def tables_of(text: str) -> dict[str, dict[str, str]]:
    """Return named lists of phrases with their English: "kin: zus=sister, broer=brother"."""
    named = re.split(r"^\s*(\w+):", text, flags=re.MULTILINE)[1:]
    lists = zip(named[::2], (lines_of(" ".join(one.split())) for one in named[1::2]), strict=True)
    return {
        name: {word: english for word, _, english in (one.partition("=") for one in phrases)}
        for name, phrases in lists
    }
