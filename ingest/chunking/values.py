"""The settings of chunking and the resulting pieces."""

from dataclasses import dataclass
from typing import Final

from contracts import ConfigError

# Raise it with every change that can alter the pieces of any text, or the decoding of bytes: chunks
# stored under another fingerprint are then rebuilt. Where a few formats alone are concerned, new
# ids of their loaders do it, at the next sync.
_VERSION: Final = 2


@dataclass(frozen=True, slots=True)
class ChunkSettings:
    """The length of pieces and their overlap, in characters.

    `size_chars` is a hard limit. `overlap_chars` is an upper bound and less than it; more than half
    a piece counts as half a piece. `preserve_structure` off gives plain windows of words.
    """

    size_chars: int = 1000
    overlap_chars: int = 200
    preserve_structure: bool = True

    def __post_init__(self) -> None:
        if self.size_chars < 1:
            raise ConfigError(
                f"chunk_size_chars is {self.size_chars}", hint="set it to 1 or more, such as 1000"
            )
        if not 0 <= self.overlap_chars < self.size_chars:
            raise ConfigError(
                f"chunk_overlap_chars is {self.overlap_chars}",
                hint=f"set it to 0 or more and to less than chunk_size_chars, {self.size_chars}",
            )


@dataclass(frozen=True, slots=True)
class Piece:
    """One chunk of a text: `text == loaded.text[start_char:end_char]`.

    It starts at the start of a line (indentation kept, blank lines before it dropped) or, when a
    long line was cut, at a word inside one; it ends without white space. Lines count from 1, both
    ends included, and are separated by line feeds only. `headings` is the path of titles or names
    above it, outermost first. `text[body_offset:]` is the piece without those leading heading lines
    whose titles `headings` already has; it is never empty. `place` names its page or the like:
    `page 3`. `defines` are the definitions of source code, and the entries of its reference in
    reStructuredText, that begin in it, by their names below those of their types and modules:
    `Session.request`.
    """

    text: str
    start_char: int
    end_char: int
    start_line: int
    end_line: int
    headings: tuple[str, ...] = ()
    body_offset: int = 0
    place: str | None = None
    defines: tuple[str, ...] = ()


def fingerprint(settings: ChunkSettings) -> str:
    """Eight hexadecimal digits that change whenever the pieces of some text could."""
    from hashlib import blake2b  # loads OpenSSL: 5 ms that a search does not need

    parts = (_VERSION, settings.size_chars, settings.overlap_chars, settings.preserve_structure)
    return blake2b(repr(parts).encode(), digest_size=4).hexdigest()
