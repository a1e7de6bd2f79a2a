"""What has to be done to a text before any model can take it."""

import re
from typing import Final

_SURROGATES: Final = re.compile("[\ud800-\udfff]")


def well_formed(text: str) -> str:
    """The text with U+FFFD for each lone surrogate, which no tokenizer and no encoding takes."""
    return _SURROGATES.sub("\ufffd", text)
