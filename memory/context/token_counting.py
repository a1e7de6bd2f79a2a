"""The number of tokens of a text: by the model's tokenizer where it is known, else estimated."""

import os
import re
from collections.abc import Callable
from functools import lru_cache
from math import ceil
from pathlib import Path
from typing import Final, TypeAlias

TokenCounter: TypeAlias = Callable[[str], float]

_MODEL: Final = re.compile(r"[\w-][\w.-]*/[\w-][\w.-]*", re.ASCII)

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


@lru_cache(8)
def counter_for(model: str) -> TokenCounter:
    """Return the counter of tokens for a language model.

    It is the model's own if its `tokenizer.json` is in the local cache of Hugging Face and the
    package `tokenizers` is installed, but no fewer than one for four characters; else the estimate.
    """
    place = _tokenizer_file(model)
    if place is None:
        return estimated_tokens
    try:
        from tokenizers import Tokenizer
    except ImportError:
        return estimated_tokens
    tokenizer = Tokenizer.from_file(str(place))

    def count(text: str) -> float:
        own = len(tokenizer.encode(text, add_special_tokens=False).ids)
        return max(float(own), len(text) / BYTES_A_TOKEN)

    return count


def _tokenizer_file(model: str) -> Path | None:
    """Return the tokenizer of a model such as `Qwen/Qwen3-8B`, if it is on the disk."""
    if _MODEL.fullmatch(model) is None:
        return None
    home = Path(os.environ.get("HF_HOME") or Path("~/.cache/huggingface").expanduser())
    cache = Path(os.environ.get("HF_HUB_CACHE") or home / "hub")
    folder = cache / f"models--{model.replace('/', '--')}" / "snapshots"
    return max(folder.glob("*/tokenizer.json"), default=None)
