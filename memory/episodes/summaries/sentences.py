"""Extractive summaries of episodes: the sentences that tell most, in the order of speech.

A word that tells a topic is worth its rarity, once: the sentence is chosen that adds most worth for
the square root of its length, then the next one. A sentence counts more if it tells of its speaker
(`I`, `my`, `we`), or has a number or a name, and less if it is a question. How often a word occurs
in the episode was tried too, and carried less of what people ask for later:
`python -m benchmarks.segmentation.summaries`.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from math import fsum, sqrt
from typing import Final

from ingest.threads.summary import Said, Sentence, sentences_of, written
from search import index_words
from search.analysis.stopwords import STOP_WORDS

Rarity = Callable[[Iterable[str]], Mapping[str, float]]
"""Returns the worth of words, each more than 0."""

_WORD: Final = re.compile(r"[^\W_]{3,}")
_OF_THE_SPEAKER: Final = re.compile(r"(?i)\b(?:i|my|me|mine|we|our|us)\b")
_TOLD: Final = re.compile(r"\d|(?<=[\w,;] )[^\W\d_a-z][^\W\d_A-Z]{2,}")
"""A number, or a name: a word with a capital letter inside a sentence."""

_OWN, _FACT, _QUESTION = 2.0, 1.5, 0.5
_FEWEST_CHARS: Final = 40


def telling_sentences(said: Sequence[Said], rarity: Rarity, *, max_chars: int) -> str:
    """Return a summary with a line for each message of which something is in it; "" for none."""
    label = max((len(each.speaker) for each in said), default=0) + len(": ")
    sentences = sentences_of(said, longest=max(_FEWEST_CHARS, max_chars - label - 1))
    names = {word for each in said for word in words_in(each.speaker)}
    words = [words_in(sentence.text) - names for sentence in sentences]
    worth = rarity(frozenset[str]().union(*words))
    costs = [len(sentence.text) + 1 for sentence in sentences]
    covered: set[str] = set()

    def gain(key: int) -> float:
        new = fsum(worth[word] for word in words[key] - covered)
        return new * _weight(sentences[key].text) / sqrt(costs[key] + label)

    waiting = [(-gain(key), key) for key in range(len(sentences))]
    heapify(waiting)
    room, chosen, speaking = max_chars, list[Sentence](), set[int]()
    while waiting:
        before, key = heappop(waiting)
        now = -gain(key)
        if now > before:  # chosen sentences have covered some of its words
            heappush(waiting, (now, key))
            continue
        needed = costs[key] + (0 if sentences[key].message in speaking else label)
        if not now or needed > room:
            continue
        room -= needed
        chosen.append(sentences[key])
        speaking.add(sentences[key].message)
        covered |= words[key]
    return written(said, sorted(chosen, key=sentences.index))


def words_in(text: str) -> frozenset[str]:
    """Return the words of a text that may be rare."""
    return frozenset(_WORD.findall(index_words(text).casefold())) - STOP_WORDS


def _weight(text: str) -> float:
    weight = _OWN if _OF_THE_SPEAKER.search(text) else 1.0
    if _TOLD.search(text):
        weight *= _FACT
    return weight * _QUESTION if text.endswith(("?", "？")) else weight
