"""The loader of text files: the text as it is; many are reStructuredText by another name."""

import re
from typing import Final

from ingest.loaders.base import LoadedText
from ingest.loaders.encodings.decoding import decoded_text
from ingest.values import SkippedFile

_LOOKED_AT_CHARS: Final = 100_000
_RESTRUCTURED: Final = re.compile(
    r"^[ \t]*\.\. (?:[\w:.+-]+::(?=\s|\Z)|_[^\n:]+:(?=\s|\Z))|(?<![\w`]):[\w:.+-]{1,60}:`[^`\n]+`",
    re.MULTILINE,
)
"""A directive, a target, or a role."""


def read(data: bytes, name: str) -> LoadedText | SkippedFile:
    """The text of a file, decoded."""
    decoded = decoded_text(data, name)
    if isinstance(decoded, SkippedFile):
        return decoded
    text, encoding = decoded
    is_rst = name.lower().endswith(".rst") or is_restructured(text)
    return LoadedText(text, "rst" if is_rst else "text", encoding)


def is_restructured(text: str) -> bool:
    """Return whether a text has the marks of reStructuredText that nothing else has."""
    return _RESTRUCTURED.search(text, 0, _LOOKED_AT_CHARS) is not None
