"""Cohesion of the messages before a place in a conversation with those after it.

TextTiling (Hearst, 1997) over messages in place of token sequences: two neighbouring blocks are
compared by their words, the rare ones weighing more, and by the sums of their embeddings. A place
where they have less in common than around it is a change of topic; `depths` says how much less.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from math import log, sqrt
from typing import TYPE_CHECKING, Any, Final

from contracts.named_tuple import NamedTuple
from search.analysis.segmentation import index_words
from search.analysis.stopwords import STOP_WORDS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from providers import EmbeddingProvider

BLOCK: Final = 10
"""Messages on each side that are compared."""

CLIMB: Final = 10
"""Places on each side among which the peaks beside a valley are looked for."""

COUNTED: Final = 100
"""Messages before a place, and a block after it, among which the rarity of a word is counted."""

SEEN_BEFORE: Final = COUNTED + CLIMB + BLOCK
"""Messages before a place that its depth depends on."""

SEEN_AFTER: Final = CLIMB + BLOCK
"""Messages after a place that its depth depends on."""

_WORDS_SHARE: Final = 0.5
"""Share of words in the cohesion; the embeddings have the rest."""

_DIGITS: Final = 9
"""Digits to which depths are rounded: sums over another number of messages differ after them."""

_WORD: Final = re.compile(r"[^\W\d_]+")
_SHORTEST, _CUT = 3, 6
_LAST_LATIN: Final = "\u024f"


class Messages(NamedTuple):
    """Messages prepared for comparison: the words of each, and embeddings `(n, d)`, zero where the
    model does not know the script.
    """

    words: Sequence[frozenset[str]]
    vectors: "NDArray[np.float64]"


def prepared(texts: Sequence[str], model: "EmbeddingProvider") -> Messages:
    """Prepare messages. The model is one whose vectors of English texts can be summed."""
    import numpy as np

    rows = np.asarray(model.embed(texts, kind="document"), dtype=np.float64)
    rows = rows.reshape(len(texts), -1)
    for number, text in enumerate(texts):
        if not _is_latin(text):
            rows[number] = 0.0
    return Messages([words_of(text) for text in texts], rows)


def words_of(text: str) -> frozenset[str]:
    """Return the words of a text that tell its topic, cut to six letters."""
    found = _WORD.findall(index_words(text).casefold())
    return frozenset(
        word[:_CUT]
        for word in found
        if word not in STOP_WORDS and (len(word) >= _SHORTEST or not word.isascii())
    )


def _is_latin(text: str) -> bool:
    letters = [letter for letter in text if letter.isalpha()]
    return 2 * sum(letter <= _LAST_LATIN for letter in letters) > len(letters)


def depths(messages: Messages) -> list[float]:
    """Return the depth of the valley before each message, in [0, 4]; 0 before the first one.

    It is how far the cohesion rises from there to the nearest peaks on both sides, together.
    """
    levels = _cohesion(messages)
    return [0.0, *(_depth(levels, place) for place in range(1, len(levels)))]


def _depth(levels: Sequence[float], place: int) -> float:
    depth = sum(_peak(levels, place, step) - levels[place] for step in (-1, 1))
    return round(depth, _DIGITS)


def _peak(levels: Sequence[float], place: int, step: int) -> float:
    peak, here = levels[place], place + step
    while 1 <= here < len(levels) and abs(here - place) <= CLIMB and levels[here] >= peak:
        peak, here = levels[here], here + step
    return peak


def _cohesion(messages: Messages) -> list[float]:
    """Return the cohesion at the place before each message, in [-1, 1]; of the first one 1."""
    by_meaning = _vector_cosines(messages.vectors)
    words, count = messages.words, len(messages.words)
    found, frequencies, end = [1.0], Counter[str](), 0
    for place in range(1, count):
        while end < min(count, place + BLOCK):
            frequencies.update(words[end])
            end += 1
        begin = max(0, place - COUNTED)
        if begin:
            frequencies.subtract(words[begin - 1])
        before = Counter(word for each in words[max(0, place - BLOCK) : place] for word in each)
        after = Counter(word for each in words[place : place + BLOCK] for word in each)
        weights = {w: log(1 + (end - begin) / frequencies[w]) for w in before.keys() | after.keys()}
        by_words = _word_cosine(before, after, weights)
        meaning = by_meaning[place]
        found.append(
            by_words if meaning is None else _WORDS_SHARE * by_words + (1 - _WORDS_SHARE) * meaning
        )
    return found


def _word_cosine(
    before: Mapping[str, int], after: Mapping[str, int], weights: Mapping[str, float]
) -> float:
    dot = sum(number * after.get(word, 0) * weights[word] ** 2 for word, number in before.items())
    norms = [
        sqrt(sum((number * weights[word]) ** 2 for word, number in side.items()))
        for side in (before, after)
    ]
    return dot / (norms[0] * norms[1]) if all(norms) else 0.0


def _vector_cosines(vectors: "NDArray[np.float64]") -> list[Any]:
    """Return the cosine of the sums of both blocks at each place; None where one has no vector."""
    import numpy as np

    count = len(vectors)
    sums = np.vstack([np.zeros((1, vectors.shape[1])), np.cumsum(vectors, axis=0)])
    places = np.arange(count)
    before = sums[places] - sums[np.maximum(places - BLOCK, 0)]
    after = sums[np.minimum(places + BLOCK, count)] - sums[places]
    norms = np.linalg.norm(before, axis=1) * np.linalg.norm(after, axis=1)
    dots = np.einsum("ij,ij->i", before, after)
    return [
        float(dot / norm) if norm > 1e-9 else None for dot, norm in zip(dots, norms, strict=True)
    ]
