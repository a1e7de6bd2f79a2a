"""The number of tokens of a text: by the model's tokenizer where it is known, else estimated."""

from collections.abc import Callable
from math import ceil
from typing import Final, TypeAlias

TokenCounter: TypeAlias = Callable[[str], float]

BYTES_A_TOKEN: Final = 4
"""Bytes of UTF-8 that the estimate counts as a token: four letters of English, two of Russian or
Arabic, one and a third of Chinese. No text has fewer of them than characters.
"""


def estimated_tokens(text: str) -> float:
    """Estimate the tokens of a text, with fractions, so that estimates of parts can be added."""
    return (len(text) if text.isascii() else len(text.encode("utf-8", "replace"))) / BYTES_A_TOKEN


def whole_tokens(count: float) -> int:
    """Return a number of tokens as shown: none is lost."""
    return ceil(count - 1e-9)


def counter_for(model: str) -> TokenCounter:
    """Return the counter of tokens for a language model; the estimate for an unknown one."""
    return estimated_tokens
