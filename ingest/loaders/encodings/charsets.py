"""Decode formats that declare their encoding: web pages, mail, and the parts of a book.

Such a label is often wrong, UTF-8 hardly ever looks like anything else, and what people call
Latin-1 is Windows-1252; the rules are those of browsers (WHATWG Encoding Standard).
"""

import codecs
import re
from typing import Final

from ingest.loaders.encodings.decoding import Undecodable, decode

_MARKS: Final = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_LABEL: Final = re.compile(
    rb"<meta[^>]{0,300}?charset\s*=\s*[\"']?\s*([\w.:-]+)"
    rb"|^\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([\w.:-]+)",
    re.IGNORECASE,
)
_LABEL_BYTES: Final = 4_096
# The actual encoding of pages with these labels.
_SUPERSETS: Final = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
}
# Encodings whose text looks like ASCII, as does their UTF-8.
_SEVEN_BIT: Final = frozenset({"iso2022_jp", "iso2022_kr", "hz", "utf-7"})


def decode_page(data: bytes) -> tuple[str, str] | Undecodable:
    """The text of a page and its encoding, by its byte order mark, its label, or detection."""
    found = _LABEL.search(data[:_LABEL_BYTES])
    label = (found[1] or found[2]).decode("ascii", "replace") if found else None
    return decode_labelled(data, label)


def decode_labelled(data: bytes, label: str | None) -> tuple[str, str] | Undecodable:
    """The text of bytes declared as `label`, and their actual encoding."""
    encoding = _python_name(label)
    if encoding is None or data.startswith(_MARKS):
        return decode(data)
    if encoding not in _SEVEN_BIT:
        try:
            return data.decode("utf-8"), "utf-8"
        except UnicodeDecodeError:
            pass
    try:
        text = data.decode(encoding, "replace")
    except (UnicodeError, LookupError):  # utf-7 and similar fail in any case
        return decode(data)
    if text.count("\ufffd") * 10 > len(text) - len(text.encode("ascii", "ignore")):
        return decode(data)
    return text, encoding


def _python_name(label: str | None) -> str | None:
    """Python's name of a text encoding; None for an unknown one or no label."""
    if not label:
        return None
    try:
        found = codecs.lookup(label.strip("\"' "))
    except (LookupError, ValueError):  # a label with a NUL is a ValueError
        return None
    if not getattr(found, "_is_text_encoding", True):
        return None
    return _SUPERSETS.get(found.name, found.name)
