"""Preparation of text for any model."""

import re
from typing import Final

_SURROGATES: Final = re.compile("[\ud800-\udfff]")


def well_formed(text: str) -> str:
    """The text with U+FFFD for each lone surrogate, which no tokenizer or encoding accepts."""
    return _SURROGATES.sub("\ufffd", text)
