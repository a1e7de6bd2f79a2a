"""Decode bytes to text, or give the reason why they are not text.

The order is: byte order mark, UTF-16 without one (recognised by its zero bytes), UTF-8, UTF-8 with
a few damaged bytes, a legacy encoding that gives a text of some language (`legacy`), and last
Windows-1252 or Latin-1, if the result reads like Latin text. Everything else is reported: a wrong
guess would fill the index with words nobody can search for.
"""

import codecs
import re
from dataclasses import dataclass
from typing import Final

from ingest.loaders.encodings.legacy import decode_legacy, decode_shifted
from ingest.loaders.reading import refuse
from ingest.values import SkippedFile, SkipReason

# UTF-32 first: its little-endian mark begins with that of UTF-16.
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROLS: Final = bytes(set(range(32)) - set(b"\t\n\v\f\r\b\x1b") | {0x7F})
_CONTROL_SHARE_LIMIT: Final = 0.05
_HIGH_BYTES: Final = bytes(range(0x80, 0x100))
_HIGH_RUN: Final = re.compile(rb"[\x80-\xff]{3,}")
_BLANKS: Final = b" \t\n\v\f\r"
_SAMPLE_BYTES: Final = 65_536


@dataclass(frozen=True, slots=True)
class Undecodable:
    """The reason why bytes are not text."""

    reason: SkipReason
    detail: str


_HOLDS_ZEROS: Final = Undecodable("binary", "holds zero bytes")


def decoded_text(data: bytes, name: str) -> tuple[str, str] | SkippedFile:
    """The text of a file called `name` and its encoding; refused if not text, or blank."""
    decoded = decode(data)
    if isinstance(decoded, Undecodable):
        return refuse(name, decoded.reason, decoded.detail)
    if not decoded[0] or decoded[0].isspace():
        return refuse(name, "empty", "no text in it")
    return decoded


def decode(data: bytes) -> tuple[str, str] | Undecodable:
    """The text of `data` without byte order mark, and the name of its encoding.

    Bytes that damage an otherwise sound UTF text (at most a tenth of the non-ASCII ones) become
    U+FFFD, so that one broken byte does not hide a whole document.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _decode_marked(data[len(mark) :], encoding)
    if b"\0" in data:
        return _decode_with_zeros(data)
    if _share(data, _CONTROLS) > _CONTROL_SHARE_LIMIT:
        return Undecodable("binary", "too many control characters for a text")
    try:
        return decode_shifted(data) or (data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        return _decode_damaged_utf8(data) or decode_legacy(data) or _decode_latin(data)


def _decode_marked(data: bytes, encoding: str) -> tuple[str, str] | Undecodable:
    text = data.decode(encoding, errors="replace")
    damaged = text.count("\ufffd")
    if damaged * 10 > len(text) or "\0" in text:
        return Undecodable("undecodable", f"not {encoding}, which its byte order mark announces")
    return text, encoding


def _decode_with_zeros(data: bytes) -> tuple[str, str] | Undecodable:
    """UTF-16 without a mark: the zero bytes of Latin letters are all on one side of the pairs."""
    sample = data[:_SAMPLE_BYTES]
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    one_sided = min(even, odd) * 20 <= max(even, odd)
    mostly_latin = max(even, odd) * 5 >= len(sample)
    if len(data) % 2 or not one_sided or not mostly_latin:
        return _HOLDS_ZEROS
    encoding = "utf-16-le" if odd > even else "utf-16-be"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return _HOLDS_ZEROS
    return _HOLDS_ZEROS if _share(text.encode("utf-8"), _CONTROLS) else (text, encoding)


def _decode_damaged_utf8(data: bytes) -> tuple[str, str] | None:
    text = data.decode("utf-8", errors="replace")
    damaged = text.count("\ufffd")
    sound = len(text) - len(text.encode("ascii", errors="ignore")) - damaged
    return (text, "utf-8") if damaged * 10 <= sound else None


def _decode_latin(data: bytes) -> tuple[str, str] | Undecodable:
    letters = data.translate(None, _BLANKS)
    high = len(letters) - len(letters.translate(None, _HIGH_BYTES))
    # Latin scripts write mostly ASCII, and seldom three other letters side by side; Cyrillic, Greek
    # or Chinese in a legacy encoding do not.
    words = sum(len(run) for run in _HIGH_RUN.findall(data) if len(set(run)) > 2)  # no box drawing
    if (high > 16 and high * 5 > len(letters) * 2) or (words > 8 and words * 3 > high):
        return Undecodable("undecodable", "in an unknown encoding")
    try:
        return data.decode("cp1252"), "cp1252"
    except UnicodeDecodeError:
        return data.decode("latin-1"), "latin-1"


def _share(data: bytes, wanted: bytes) -> float:
    return 1 - len(data.translate(None, wanted)) / len(data) if data else 0.0
