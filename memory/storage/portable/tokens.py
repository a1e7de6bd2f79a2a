"""The words of a text as every keyword index stores them: the tokens of one tokenizer of FTS5."""

from collections.abc import Callable
from typing import Any, Final

import apsw

FTS_TOKENIZER: Final = "porter"
FTS_TOKENIZER_OPTIONS: Final = (
    *("unicode61", "remove_diacritics", "2"),
    *("categories", "L* N* Co Mn Mc"),
)
"""Stems English and folds accents; marks stay inside words, or Thai and Hindi would be split."""


def as_utf8(text: str) -> bytes:
    """Encode as UTF-8, with surrogate halves, which no stored text can hold, as question marks."""
    return text.encode("utf-8", "replace")


def tokenizer(connection: apsw.Connection) -> Callable[[str], list[str]]:
    """Return a function that splits a text into words as the index stores them."""
    split: Any = connection.fts5_tokenizer(FTS_TOKENIZER, list(FTS_TOKENIZER_OPTIONS))

    def tokens(text: str) -> list[str]:
        found: list[str] = split(
            as_utf8(text),
            apsw.FTS5_TOKENIZE_QUERY,
            None,
            include_offsets=False,
            include_colocated=False,
        )
        return found

    return tokens
