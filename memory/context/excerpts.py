"""Excerpts of long texts: the whole sentences that matter for a question, in their order."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from math import log
from typing import Final

from contracts.named_tuple import NamedTuple
from memory.index.neighbours import word_count
from search.analysis.query import split_words
from search.analysis.stopwords import STOP_WORDS

LONG_WORDS: Final = 50
"""Words of the longest text that is shown whole."""

EXCERPT_WORDS: Final = 45
"""Words that an excerpt has at least, as far as whole sentences allow it."""

GAP: Final = " … "

_END: Final = re.compile(
    r"(?:(?<![A-Z])(?<!\b(?:Mr|Ms|Dr|St|vs|No))(?<!\b(?:Mrs|etc|e\.g|i\.e))\.|[!?…])"
    r"[\"'”’)\]*_]*\s+(?![a-z])|[。！？｡][”’」』）】]*|\n+"
)
_BLANKS: Final = re.compile(r"[ \t\r\f\v]*\n\s*|[ \t]{2,}")
_ASKS: Final = ("?", "？", "؟")
_BESIDE: Final = 0.25
"""The part of its neighbour's score that a sentence gains: an answer continues."""

_PRIOR: Final = 0.5
"""The score of a sentence in the passage that the search found, besides that of its words."""


class Sentence(NamedTuple):
    """A sentence at `start` of a text."""

    start: int
    end: int
    words: int


def excerpt(
    text: str, asked: Sequence[str], *, found: tuple[int, int] | None = None
) -> tuple[str, bool]:
    """Return a text, or its sentences that matter if it is long, and whether it was cut.

    `asked` are the words of the question as `key_words` gives them, `found` the characters of the
    passage that the search found.
    """
    if word_count(text) <= LONG_WORDS:
        return text, False
    sentences = sentences_of(text)
    scores = _scores(text, sentences, asked, found)
    chosen = _chosen(sentences, scores)
    if len(chosen) == len(sentences):
        return text, False
    start, end = sentences[chosen[0]].start, sentences[chosen[-1]].end
    before, after = GAP * (chosen[0] > 0), GAP * (chosen[-1] < len(sentences) - 1)
    return f"{before}{_BLANKS.sub(_narrowed, text[start:end])}{after}".strip(), True


def _narrowed(blanks: re.Match[str]) -> str:
    """Return a blank for several, and a line break for several lines."""
    return "\n" if "\n" in blanks[0] else " "


def sentences_of(text: str) -> list[Sentence]:
    """Return the sentences of a text; a line break ends one too."""
    found: list[Sentence] = []
    start = 0
    for end in [*(match.end() for match in _END.finditer(text)), len(text)]:
        piece = text[start:end]
        body = piece.strip()
        if body:
            at = start + len(piece) - len(piece.lstrip())
            found.append(Sentence(at, at + len(body), word_count(body)))
        start = end
    return found


def key_words(query: str) -> tuple[str, ...]:
    """Return the words of a question that tell something, in plain form, each once."""
    words = [word.lower() for word in split_words(query)]
    telling = [word for word in words if word not in STOP_WORDS] or words
    return tuple(dict.fromkeys(map(_plain, telling)))


def _plain(word: str) -> str:
    """Return a word without its English ending, roughly: `moved`, `moving` and `moves` are one."""
    for ending in ("ing", "ies", "ied", "ed", "es", "ly", "s", "e", "y"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def _scores(
    text: str,
    sentences: Sequence[Sentence],
    asked: Sequence[str],
    found: tuple[int, int] | None,
) -> list[float]:
    """Return the relevance of each sentence: its question words, the rarer the more."""
    held = _held(text, sentences, asked)
    counts = Counter(word for words in held for word in words)
    total = len(sentences)
    weights = {word: log(1 + total / count) for word, count in counts.items()}
    most = sum(weights.values()) or 1.0
    start, end = found or (0, 0)
    own = [
        sum(weights[word] for word in words)
        / most
        * (1 + _PRIOR * (one.start < end and one.end > start))
        for words, one in zip(held, sentences, strict=True)
    ]
    return [
        score + _BESIDE * max(own[max(0, at - 1) : at] + own[at + 1 : at + 2], default=0.0)
        for at, score in enumerate(own)
    ]


def _held(text: str, sentences: Sequence[Sentence], asked: Sequence[str]) -> list[set[str]]:
    """Return the question words that each sentence holds, with any short ending."""
    held: list[set[str]] = [set() for _ in sentences]
    if asked:
        starts = [one.start for one in sentences]
        for match in _pattern(tuple(asked)).finditer(text.lower()):
            held[max(0, bisect_right(starts, match.start()) - 1)].add(match[match.lastindex or 0])
    return held


@lru_cache(64)
def _pattern(asked: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern for the words of a question; scripts without spaces have no word ends."""
    words = sorted(asked, key=len, reverse=True)
    spaced = "|".join(re.escape(word) for word in words if word.isascii())
    endless = "|".join(re.escape(word) for word in words if not word.isascii())
    forms = [rf"\b({spaced})\w{{0,4}}\b"] if spaced else []
    return re.compile("|".join([*forms, *([f"({endless})"] if endless else [])]))


def _chosen(sentences: Sequence[Sentence], scores: Sequence[float]) -> range:
    """Return the sentences of the excerpt: those of the best run that is long enough.

    A run is read more easily than single sentences. Of equal ones, the first.
    """
    best, chosen = -1.0, range(len(sentences))
    end = length = 0
    gained = 0.0
    for start, first in enumerate(sentences):
        while end < len(sentences) and length < EXCERPT_WORDS:
            length += sentences[end].words
            gained += scores[end]
            end += 1
        if length < EXCERPT_WORDS and start:
            break
        value = gained / max(length, EXCERPT_WORDS) ** 0.5
        if value > best + 1e-9:
            best, chosen = value, range(start, end)
        length -= first.words
        gained -= scores[start]
    return chosen


def same_words(text: str) -> str:
    """Return a key that is equal for texts that say the same."""
    return " ".join(text.lower().split()).rstrip(" .!")


def asking_share(text: str) -> float:
    """Return the share of a text that asks, in [0, 1] by its words."""
    if not any(mark in text for mark in _ASKS):
        return 0.0
    sentences = sentences_of(text)
    asking = sum(one.words for one in sentences if _asks(text[one.start : one.end]))
    return asking / sum(one.words for one in sentences)


def last_question(text: str) -> str:
    """Return the last sentence of a text that asks; empty if none does."""
    bodies = (text[one.start : one.end] for one in reversed(sentences_of(text)))
    return next((body for body in bodies if _asks(body)), "")


def _asks(sentence: str) -> bool:
    return sentence.rstrip("\"'”’)*_ ")[-1:] in _ASKS
