"""The training text: pairs of related English texts, and short pieces cut from them.

A static model must place single words, queries and paragraphs alike, so the teacher is asked about
pieces of very different lengths rather than about whole paragraphs.
"""

import json
import lzma
import math
import random
from pathlib import Path

Pair = tuple[str, str]

SHORTEST_WORDS = 3
LONGEST_WORDS = 70
WHOLE_SHARE = 0.5
"""Share of the texts already short enough that is taken whole; the others are cut."""


def load_pairs(path: Path) -> list[Pair]:
    """Read JSON lines, each an array of two texts, from an xz-compressed file."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        return [(str(left), str(right)) for left, right in map(json.loads, lines)]


def cut_pieces(pairs: list[Pair], *, count: int, seed: int) -> list[str]:
    """`count` different pieces of 3 to 70 words, each from another text, in random order.

    Lengths are log-uniform, so that a piece of 5 words is as likely to be near its length as one
    of 50. Fewer pieces come back when the pairs hold fewer texts of three words.
    """
    chance = random.Random(seed)  # noqa: S311  (a sample, not a secret)
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    chance.shuffle(texts)
    pieces: dict[str, None] = {}
    for text in texts:
        words = text.split()
        if len(words) >= SHORTEST_WORDS:
            pieces[" ".join(_piece(words, chance))] = None
        if len(pieces) == count:
            break
    return list(pieces)


def _piece(words: list[str], chance: random.Random) -> list[str]:
    if len(words) <= LONGEST_WORDS and chance.random() < WHOLE_SHARE:
        return words
    longest = min(LONGEST_WORDS, len(words))
    length = round(math.exp(chance.uniform(math.log(SHORTEST_WORDS), math.log(longest))))
    start = chance.randint(0, len(words) - length)
    return words[start : start + length]
