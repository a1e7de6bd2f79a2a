"""From a list of words to a pattern."""

import re
from collections.abc import Iterable


def lines_of(text: str) -> frozenset[str]:
    """Return the phrases of a text, which are apart by commas or lines."""
    return frozenset(line.strip() for line in text.replace("\n", ",").split(",") if line.strip())


def any_of(words: Iterable[str]) -> str:
    """Return a pattern of these words, the longest first."""
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True)).replace("\\ ", " ")
